/**
 * Kills hosts with SIGKILL, a hundred by default, each with three servers that ignore everything that can be
 * ignored, and looks for what is left: `node scripts/run.mjs scripts/orphans.ts [times]`.
 */
import { killHosts } from '../test/support/stdio/orphans.ts'

const times = Number(process.argv[2] ?? 100)
const results = await killHosts({ times })
const gone = results.filter((ms) => ms !== undefined).sort((a, b) => a - b)
const left = results.length - gone.length
console.log(
  `${results.length} hosts killed, ${left} with something left after 5 s; ` +
    `the rest was gone after ${Math.round(gone.at(0) ?? 0)} to ${Math.round(gone.at(-1) ?? 0)} ms`,
)
process.exitCode = left === 0 ? 0 : 1
