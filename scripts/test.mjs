/**
 * Builds when needed, runs vitest with the words given, and prints as its very last line
 * `N passed, N failed`. Whatever fails outside of a test (the build, a file that cannot be loaded, an
 * error nobody caught) counts as one failed. The same line is left in TALLY_FILE when that is set.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { bin, cache, node } from './tools.mjs'

const report = join(cache, `vitest-${process.pid}.json`)
mkdirSync(cache, { recursive: true })
const built = await build({ ifNeeded: true })
const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const words = process.argv.slice(2)
if (words.length === 0) args.push('--typecheck')
const code = node(bin('vitest'), [...args, ...words])
const { passed, failed } = tally()
const line = `${passed} passed, ${failed} failed`
if (process.env.TALLY_FILE) writeFileSync(process.env.TALLY_FILE, `${line}\n`)
if (built !== 0) console.log('The build failed: see the messages of tsc above.')
console.log(line)
process.exitCode = failed > 0 ? 1 : 0

function tally() {
  const count = { passed: 0, failed: built === 0 ? 0 : 1 }
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    for (const file of testResults) {
      const states = file.assertionResults.map((result) => result.status)
      const red = states.filter((status) => status === 'failed').length
      count.passed += states.filter((status) => status === 'passed').length
      count.failed += red === 0 && file.status === 'failed' ? 1 : red
    }
  } catch (cause) {
    console.log(`vitest left no report: ${cause}`)
  } finally {
    rmSync(report, { force: true })
  }
  if (code !== 0 && count.failed === 0) count.failed = 1
  return count
}
