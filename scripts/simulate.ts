/**
 * Many seeded schedules: `npm run simulate -- [--seeds N] [--from SEED]`. Prints the seeds that broke an invariant and
 * exits with 1 when there were any. One seed again: `--from SEED --seeds 1`.
 */

import { parseArgs } from 'node:util'
import { simulate } from '../test/support/simulation.ts'

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '100000' }, from: { type: 'string', default: '1' } },
})
const from = Number(values.from)
const seeds = Number(values.seeds)
const ends = new Map<string, number>()
const startedAt = performance.now()
let calls = 0
let broken = 0
for (let seed = from; seed < from + seeds; seed += 1) {
  const run = await simulate(seed)
  calls += run.calls
  for (const [how, count] of run.ends) ends.set(how, (ends.get(how) ?? 0) + count)
  if (run.violations.length > 0) {
    broken += 1
    console.log(`seed ${seed}: ${run.violations.join('; ')}`)
  }
}
const seconds = (performance.now() - startedAt) / 1000
console.log(
  `${seeds} schedules, ${calls} calls, ${Math.round(seeds / seconds)} schedules/s; ends: ${[...ends].map(([how, count]) => `${how} ${count}`).join(', ')}`,
)
console.log(`${broken} schedules broke an invariant`)
process.exitCode = broken === 0 ? 0 : 1
