/** Makes one runnable module of a TypeScript file, for tests that need a process: Node 20 reads no TypeScript. */
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

// Scripts run as bundles elsewhere, and both they and the tests start in the root.
const root = process.cwd()

/** The path of the module; packages stay outside of it. One a test process, so that parallel runs do not meet. */
export async function bundleFile(entry: string): Promise<string> {
  const folder = join(root, 'node_modules', '.cache', 'deep-pilot', 'bundles')
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `${basename(entry, '.ts')}-${process.pid}.mjs`)
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  })
  return outfile
}
