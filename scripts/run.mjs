/**
 * Runs one TypeScript file: `node scripts/run.mjs bench/main.ts --quick`. Node 20 cannot read
 * TypeScript, so esbuild puts the file and what it imports by path into one module under
 * node_modules/.cache, with packages left outside, and this Node runs it with the remaining words.
 *
 * Inside such a file, `import.meta.url` is the bundle's address: find files from `process.cwd()`,
 * which is always the root. Stack traces show the source lines.
 */
import { existsSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { cache, node, root } from './tools.mjs'

const [entry, ...args] = process.argv.slice(2)
if (entry === undefined || !existsSync(resolve(root, entry))) {
  console.error(
    entry === undefined
      ? 'Name a file: node scripts/run.mjs <file.ts> [words]'
      : `There is no ${entry} in ${root}.`,
  )
  process.exit(1)
}
const outfile = join(cache, 'run', `${basename(entry, '.ts')}-${process.pid}.mjs`)
await build({
  absWorkingDir: root,
  entryPoints: [entry],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
})
try {
  process.exitCode = node('--enable-source-maps', [outfile, ...args])
} finally {
  rmSync(outfile, { force: true })
}
