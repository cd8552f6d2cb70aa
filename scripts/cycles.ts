/**
 * Two hundred connections to a server process, ended in every way there is: prints what is left of them and how
 * long a cycle took, and exits with 1 when anything is. `node scripts/run.mjs scripts/cycles.ts [count]`.
 */
import { rmSync } from 'node:fs'
import { bundleFile } from '../test/support/bundle.ts'
import { runCycles } from '../test/support/cycles.ts'

/** Live memory that may come with many connections: caches fill, and nothing else. */
const MOST_HEAP = 2_000_000

const count = Number(process.argv[2] ?? 200)
const file = await bundleFile('test/support/server-under-test.ts')
try {
  const startedAt = performance.now()
  const left = await runCycles(file, count)
  const ms = (performance.now() - startedAt) / count
  console.log({ cycles: count, msEach: Math.round(ms), ...left })
  const clean =
    left.groups.length + left.handles.length + left.listeners === 0 && left.heap < MOST_HEAP
  process.exitCode = clean ? 0 : 1
} finally {
  rmSync(file, { force: true })
}
