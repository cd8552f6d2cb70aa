/**
 * `npm run cassettes -- [DIR] [--verbose]`: takes every recorded exchange below a folder through the adapters of models, both
 * ways, and prints `N of M` last. Default: the recordings beside the project. With `--verbose` a line for each exchange.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CASSETTE_SEED, runCassettes, type CassetteRun } from '../test/support/cassettes.ts'
import { recordingsFolder } from '../test/support/recorded-exchanges.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { verbose: { type: 'boolean', default: false } },
})
const [given] = positionals
const folder = given === undefined ? recordingsFolder() : resolve(given)
if (folder === undefined || !existsSync(folder)) {
  console.error(
    folder === undefined
      ? 'No recordings stand beside the project. Name a folder: npm run cassettes -- DIR'
      : `There is no ${folder}. Name a folder of recordings, or one recording.`,
  )
  process.exitCode = 2
} else {
  const run = runCassettes(folder)
  if (values.verbose) for (const line of run.lines) console.log(line)
  for (const failure of run.failures) console.log(`WRONG  ${failure}`)
  for (const file of run.notRead) console.log(`NOT READ  ${file}`)
  for (const line of summary(run)) console.log(line)
  const isGood = run.passed === run.total && run.total > 0 && run.notRead.length === 0
  process.exitCode = isGood ? 0 : 1
}

function summary(run: CassetteRun): readonly string[] {
  const lines = [...run.byProvider].map(
    ([provider, { passed, total }]) => `${provider}: ${passed} of ${total} exchanges`,
  )
  const apart = [...run.notSpoken.values()].reduce((sum, count) => sum + count, 0)
  if (apart > 0) {
    const kinds = [...run.notSpoken].map(([endpoint, count]) => `${endpoint} ${count}`)
    lines.push(`apart, for no adapter speaks them: ${apart} exchanges (${kinds.join(', ')})`)
  }
  if (run.untold.length > 0)
    lines.push(
      `refused requests that were not built again, their errors were read: ${run.untold.length}`,
      ...run.untold.map((one) => `  ${one}`),
    )
  if (run.notRead.length > 0) lines.push(`not read: ${run.notRead.length} of ${run.files} files`)
  if (run.files === 0) lines.push('there is no file that ends in .yaml')
  lines.push(
    `${run.files} files; each answer whole, by 1 and 97 bytes and at random (seed ${CASSETTE_SEED}); ${run.links} replies written again in later requests`,
    `${run.passed} of ${run.total}`,
  )
  return lines
}
