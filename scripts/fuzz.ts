/**
 * `npm run fuzz -- [--iterations N] [--seed N] [--only NAME]`: mutated inputs through every parser that faces strangers.
 * Default 10,000,000 for each. Failing inputs are printed in base64; put them under test/corpus/ as NAME-N.bin.
 */

import { parseArgs } from 'node:util'
import { FUZZ_TARGETS } from '../test/support/fuzz-targets.ts'
import { fuzz } from '../test/support/fuzz.ts'

const { values } = parseArgs({
  options: {
    iterations: { type: 'string', default: '10000000' },
    seed: { type: 'string', default: '20261201' },
    only: { type: 'string' },
  },
})
const MEBIBYTE = 1024 * 1024
let failed = 0
for (const target of FUZZ_TARGETS.filter(
  ({ name }) => values.only === undefined || name === values.only,
)) {
  fuzz(target, { iterations: 10_000, seed: 1 })
  const before = process.memoryUsage().rss
  const startedAt = performance.now()
  const { iterations, failures, slowestMs } = fuzz(target, {
    iterations: Number(values.iterations),
    seed: Number(values.seed),
  })
  const seconds = (performance.now() - startedAt) / 1000
  const growth = Math.round((process.memoryUsage().rss - before) / MEBIBYTE)
  console.log(
    `${target.name}: ${iterations} inputs, ${Math.round(iterations / seconds)}/s, slowest ${Math.round(slowestMs)} ms, memory +${growth} MiB, ${failures.length} failed`,
  )
  for (const { iteration, problem, input } of failures)
    console.log(`  #${iteration} ${problem}\n  ${input}`)
  failed += failures.length
}
process.exitCode = failed === 0 ? 0 : 1
