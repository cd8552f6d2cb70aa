/** `deep-pilot doctor [SERVER]`: each server of the configuration step by step, with times and what to do. */

import type { Command } from 'commander'
import { terminalText } from '../../base/terminal-text.ts'
import type { Config } from '../../config/config.ts'
import type { Problem } from '../../config/problem.ts'
import type { PolicyProblem } from '../../policy/problem.ts'
import { addCaptureOptions } from '../server-options.ts'
import { refuseServerWords } from '../command.ts'
import { examine, type Check, type CheckVerdict } from '../doctor-steps.ts'
import { EXIT, familyExitCode } from '../exit-codes.ts'
import { hangingLines, hangingRows } from '../hanging-lines.ts'
import { makeHostCommand } from '../host-command.ts'
import {
  loadServers,
  serversNamed,
  tellNoServers,
  type HostCommandOptions,
  type HostRun,
} from '../host-session.ts'
import type { Invocation } from '../invocation.ts'
import { policyErrors, tellPolicyProblems } from '../policy-problems.ts'
import { startTrace } from '../trace.ts'
import { problemLine } from './config-files.ts'

/** A server with what its steps came to. */
interface Examined {
  readonly server: string
  readonly checks: readonly Check[]
}

export async function doctorCommand(invocation: Invocation): Promise<Command> {
  const run: HostRun = { invocation, words: await invocation.messages.host() }
  const { commands } = run.words
  const command = makeHostCommand(run, {
    name: 'doctor',
    about: commands.doctor,
    usage: '[SERVER]',
    more: commands.doctorMore,
    examples: ['deep-pilot doctor', 'deep-pilot doctor files --config deep-pilot.json --trace'],
  })
    .argument('[SERVER]', commands.argumentServer)
    .option('--trace', invocation.messages.options.trace)
  return addCaptureOptions(command, invocation.messages).action(
    async (server: string | undefined, options: HostCommandOptions) => {
      refuseServerWords(invocation, 'doctor')
      await examineAll(run, server, options)
    },
  )
}

async function examineAll(
  run: HostRun,
  server: string | undefined,
  options: HostCommandOptions,
): Promise<void> {
  const { invocation } = run
  const { output, json } = invocation
  const config = await loadServers(run, options, { start: true, checksPolicy: true })
  const faults = await policyErrors(config)
  const sentence = await problemSentence(invocation)
  const secrets = config.entries.flatMap((entry) => entry.secrets)
  const trace = await startTrace(invocation, options, secrets)
  const examined: Examined[] = []
  const show = (one: Examined): void => {
    examined.push(one)
    if (json) return
    output.progress()
    for (const line of examinedLines(one, run)) output.line(line)
  }
  try {
    for (const one of brokenServers(run, config, { server, sentence })) show(one)
    const wanted = isBroken(config, server) ? [] : serversNamed(run, config, server).entries
    for (const entry of wanted) {
      output.progress(`${terminalText(entry.key)} …`)
      const problems = config.problems
        .filter((problem) => problem.server === entry.key)
        .map((problem) => ({ isError: problem.severity === 'error', text: sentence(problem) }))
      const options_ = { invocation, words: run.words.doctor, wire: trace.sink, problems }
      show({ server: entry.key, checks: await examine(entry, options_) })
    }
  } finally {
    output.progress()
    await trace.close()
  }
  tellEnd(run, examined, { config, sentence, options, faults })
}

type Sentence = (problem: Problem) => string

/** A problem in the language of the run. */
async function problemSentence({ messages }: Invocation): Promise<Sentence> {
  const words = await messages.config()
  return (problem) => problemLine(words, problem)
}

/** Whether this server has an entry that could not be read at all. */
function isBroken({ entries, problems }: Config, server: string | undefined): boolean {
  if (server === undefined || entries.some(({ key }) => key === server)) return false
  return problems.some((problem) => problem.server === server)
}

/** Servers whose entry could not be read: there is nothing to start. */
function brokenServers(
  { words }: HostRun,
  { entries, problems }: Config,
  { server, sentence }: { readonly server: string | undefined; readonly sentence: Sentence },
): readonly Examined[] {
  const known = new Set(entries.map(({ key }) => key))
  const keys = new Set(problems.flatMap((problem) => problem.server ?? []))
  return [...keys]
    .filter((key) => !known.has(key) && (server === undefined || server === key))
    .map((key) => {
      const lines = problems.filter((problem) => problem.server === key).map(sentence)
      const { mend } = words.doctor
      return {
        server: key,
        checks: [{ step: 'config', verdict: 'error', text: '', lines, advice: mend }],
      }
    })
}

const MARKS: Readonly<Record<CheckVerdict, string>> = {
  ok: '✓',
  warning: '!',
  error: '✗',
  skipped: '-',
}

function examinedLines(
  { server, checks }: Examined,
  { words, invocation: { mask, output } }: HostRun,
): readonly string[] {
  const { columns } = output
  const rows = checks.map(({ step, verdict, ms, text }) => [
    `  ${MARKS[verdict]} ${words.doctor.steps[step]}`,
    ms === undefined ? '' : `${ms} ms`.padStart(8),
    mask.text(text),
  ])
  const steps = hangingRows(rows, columns)
  const below = (mark: string, text: string): readonly string[] =>
    hangingLines(`      ${mark} `, mask.text(text), columns)
  return [
    terminalText(server),
    ...checks.flatMap(({ lines = [], advice }, at) => [
      ...(steps[at] ?? []),
      ...lines.flatMap((line) => below('|', line)),
      ...(advice === undefined ? [] : below('→', advice)),
    ]),
  ]
}

/** What could not be reached weighs more than what is wrong with what could. */
function tellEnd(
  { invocation, words }: HostRun,
  examined: readonly Examined[],
  facts: {
    readonly config: Config
    readonly sentence: Sentence
    readonly options: HostCommandOptions
    /** What of the policy cannot be read. */
    readonly faults: readonly PolicyProblem[]
  },
): void {
  const { config, sentence, options, faults } = facts
  const { output, json, mask } = invocation
  const has = (verdict: CheckVerdict) => (one: Examined) =>
    one.checks.some((check) => check.verdict === verdict)
  const failed = examined.filter(has('error'))
  const isAway = failed.some(({ checks }) =>
    checks.some(({ verdict, step }) => verdict === 'error' && UNREACHED.has(step)),
  )
  const general = config.problems.filter((problem) => problem.server === undefined)
  if (isAway) invocation.finish(familyExitCode('transport'))
  else if (
    [...general, ...faults].some(({ severity }) => severity === 'error') ||
    failed.length > 0
  )
    invocation.finish(EXIT.mismatch)
  if (json) {
    const servers = examined.map((one) => ({ ...one, ok: !has('error')(one) }))
    output.json(
      mask.json({ ok: invocation.exitCode === 0, servers, problems: [...general, ...faults] }),
    )
    return
  }
  for (const problem of general) output.note(mask.text(sentence(problem)))
  tellPolicyProblems(invocation, words.policy, faults)
  if (examined.length === 0) return tellNoServers({ invocation, words }, options)
  const warned = examined.filter(has('warning')).length
  output.note(words.doctor.doctorSays(examined.length, failed.length, warned))
}

/** Steps without which nothing can be said to the server. */
const UNREACHED: ReadonlySet<string> = new Set(['command', 'address', 'start', 'handshake'])
