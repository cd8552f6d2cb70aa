/**
 * `npm run names -- [--pairs N] [--seed N]`: names so many random pairs of server and tool, hostile ones among them, and looks
 * for two with one name. Default 1,000,000.
 */

import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { findSharedNames } from '../test/support/name-pairs.ts'

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '20261202' },
  },
})
const startedAt = performance.now()
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const { pairs, faults, hashed } = findSharedNames(Number(values.pairs), Number(values.seed), sha256)
const seconds = (performance.now() - startedAt) / 1000
console.log(
  `${pairs} pairs, seed ${values.seed}: ${hashed} with a hash, ${faults.length} faults, ${seconds.toFixed(1)} s, ${Math.round(process.memoryUsage().rss / 1048576)} MiB`,
)
for (const fault of faults) console.log(`  ${fault}`)
process.exitCode = faults.length === 0 ? 0 : 1
