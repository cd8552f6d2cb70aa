/**
 * Builds dist/ from src/ with tsc. The new tree is made beside the old one and takes its place in one
 * rename, so that a program which runs from dist/ meanwhile never sees half a build.
 * `--if-needed` does nothing while the sources are those of the last build.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bin, cache, node, root } from './tools.mjs'

const dist = join(root, 'dist')
const stamp = join(cache, 'build.stamp')
const inputs = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']

/** Builds; answers the exit code. With type errors there is a build all the same, and a code of 1. */
export function build(options = {}) {
  const now = fingerprint()
  if (options.ifNeeded && existsSync(dist) && existsSync(stamp)) {
    if (readFileSync(stamp, 'utf8') === now) return 0
  }
  const fresh = join(root, `.dist-${process.pid}`)
  const old = join(root, `.dist-${process.pid}-old`)
  const clean = () => {
    rmSync(fresh, { recursive: true, force: true })
    rmSync(old, { recursive: true, force: true, maxRetries: 3 })
  }
  clean()
  try {
    const failed = node(bin('typescript', 'tsc'), ['-p', 'tsconfig.build.json', '--outDir', fresh])
    if (!existsSync(fresh)) throw new Error('tsc wrote no files; its messages stand above.')
    const main = join(fresh, 'cli', 'main.js')
    if (existsSync(main)) chmodSync(main, 0o755)
    rmSync(stamp, { force: true })
    if (existsSync(dist)) renameSync(dist, old)
    renameSync(fresh, dist)
    if (failed) return 1
    mkdirSync(cache, { recursive: true })
    writeFileSync(stamp, now)
    return 0
  } finally {
    clean()
  }
}

/** Names, sizes and times of all that a build reads. */
function fingerprint() {
  const hash = createHash('sha256')
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const path of [...inputs.map((name) => join(root, name)), ...sources].toSorted()) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = build({ ifNeeded: process.argv.includes('--if-needed') })
}
