/**
 * Runs npm and node for the tests of the package, offline and without a shell. npm itself is found
 * from the variable it sets, else beside the Node that runs.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What the tests read of a package.json. */
export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Runs npm offline in a folder; answers what it printed, and throws with its messages when it fails. */
export function npm(cwd: string, ...args: readonly string[]): string {
  return runNode(cwd, npmFile(), ...args, '--offline', '--ignore-scripts', '--loglevel=error')
}

/** Runs this Node in a folder; answers what it printed. */
export function runNode(cwd: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
}

/** The manifest in a folder. */
export function manifestIn(folder: string): PackageManifest {
  // Manifests of installed packages: npm checked their shape when it installed them.
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageManifest
}

/** The sum of the sizes of all files below a folder, without what is installed inside it. */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0)
}

function npmFile(): string {
  const home = dirname(process.execPath)
  const places = [
    process.env['npm_execpath'] ?? '',
    join(home, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(home, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  const found = places.find((path) => path.endsWith('npm-cli.js') && existsSync(path))
  if (found === undefined) throw new Error(`npm was not found. Looked at: ${places.join(', ')}`)
  return found
}
