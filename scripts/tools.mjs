/**
 * What the scripts share: the repository's root, the cache folder, and a way to run the tools of the
 * lock file with the Node that runs now. No shell, so that it is the same on every system.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const cache = join(root, 'node_modules', '.cache', 'deep-pilot')

/** The file behind a package's command; `name` is needed where it differs from the package's name. */
export function bin(packageName, name = packageName) {
  const folder = join(root, 'node_modules', packageName)
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) {
    throw new Error(`${packageName} is not installed. Run "npm ci" first.`)
  }
  const { bin: entry } = JSON.parse(readFileSync(manifest, 'utf8'))
  return join(folder, typeof entry === 'string' ? entry : entry[name])
}

/** Runs a script with this Node in the root; answers its exit code, 1 when a signal ended it. */
export function node(script, args = [], options = {}) {
  const { status, error } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: 'inherit',
    ...options,
  })
  if (error) throw error
  return status ?? 1
}

/** Only those of the paths that exist, for tools that refuse a missing folder. */
export function present(paths) {
  return paths.filter((path) => existsSync(join(root, path)))
}
