/**
 * `npm run conformance`: the official conformance suite, every version, side and revision, against the server and the
 * client of this folder. Exits with 0 when all is as `expected.json` says. Slow: not a part of `npm test`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, orphans, readExpectations, type Expectations } from './expected.ts'
import { readOptions, USAGE, type Options } from './options.ts'
import { runsOf, select, type Run, type Side } from './plan.ts'
import { endAllGroups } from './process.ts'
import { describeRun, summaryOf, tableOf, type Outcome } from './report.ts'
import { judgeRun, SUBJECTS, type Stage } from './run.ts'
import { installSuite, listScenarios, SUITES, type SuiteCommand } from './suites.ts'

const SIDES: readonly Side[] = ['server', 'client']

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    endAllGroups()
    process.exit(130)
  })
}
await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<void> {
  if (words.includes('--help')) {
    process.stdout.write(USAGE)
    return
  }
  let options: Options
  try {
    options = readOptions(words)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exitCode = 1
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    process.exitCode = (await judgeAll(options, folder)) ? 0 : 1
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  } finally {
    endAllGroups()
    if (options.keep) print(`The results are in ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether all is as expected. */
async function judgeAll(options: Options, folder: string): Promise<boolean> {
  const commands = new Map<string, SuiteCommand>()
  const all: Run[] = []
  const { side: wanted, suite: version } = options.selection
  for (const suite of SUITES.filter((one) => one.version === (version ?? one.version))) {
    const command = installSuite(suite)
    commands.set(suite.version, command)
    for (const side of SIDES.filter((one) => one === (wanted ?? one)))
      all.push(...runsOf({ side, suite }, listScenarios(command, side)))
  }
  const expectations = readList()
  const known = new Map(all.map(({ id, scenarios }) => [id, scenarios]))
  // Only who looks at everything knows what does not exist.
  const lost = wanted === undefined && version === undefined ? orphans(known, expectations) : []
  const outcomes: Outcome[] = []
  const selected = select(all, options.selection)
  const client =
    options.command ?? (selected.some(({ side }) => side === 'client') ? ownClient() : '')
  const stage: Stage = { folder, commands, url: options.url, client }
  for (const run of selected) {
    const foreign = run.side === 'server' ? options.url : options.command
    const verdicts = await judgeRun(run, stage)
    const findings = compare(run.id, verdicts, foreign === undefined ? expectations : new Map())
    const outcome = { run, findings }
    outcomes.push(outcome)
    print(describeRun(outcome))
  }
  print(tableOf(outcomes, lost))
  const summary = summaryOf(outcomes, lost)
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify(summary, null, 1)}\n`)
  return summary.asExpected
}

function ownClient(): string {
  return execFileSync(process.execPath, [SUBJECTS, 'client-command'], { encoding: 'utf8' }).trim()
}

function readList(): Expectations {
  const path = join(process.cwd(), 'test', 'conformance', 'expected.json')
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return readExpectations(value)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
