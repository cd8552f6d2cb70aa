/** `deep-pilot config list` and `get`: the servers as they were understood, secrets taken out. */

import { whereText, type ProblemKind } from '../../config/problem.ts'
import type { ServerEntry } from '../../config/entry.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { hangingLines } from '../hanging-lines.ts'
import { listLines } from '../list-lines.ts'
import type { ConfigWords } from '../messages/config-words.ts'
import {
  configOf,
  entryNamed,
  entryRecord,
  launchLine,
  tellProblems,
  type ConfigOptions,
  type ConfigRun,
} from './config-files.ts'

export async function listServers(run: ConfigRun, options: ConfigOptions): Promise<void> {
  const { invocation, words } = run
  const { output, json, mask } = invocation
  const config = await configOf(run, options)
  if (json) {
    const { entries, problems, files } = config
    output.json(mask.json({ servers: entries.map(entryRecord), problems, files }))
    return
  }
  const lines = config.entries.map((entry) => ({
    name: entry.key,
    about: `${stateWord(words, entry)}  ${mask.text(launchLine(entry))}`,
  }))
  for (const line of listLines(lines, output.columns)) output.line(line)
  if (config.entries.length === 0) output.note(words.notes.noServers)
  tellProblems(
    run,
    config.problems.filter(({ kind }) => !ADVICE.has(kind)),
  )
}

/** What `doctor` tells of; in a list it would be read once and then never again. */
const ADVICE: ReadonlySet<ProblemKind> = new Set(['unpinned', 'not-taken', 'unsupported'])

/** What keeps a server from being started, or nothing does. */
function stateWord({ notes }: ConfigWords, entry: ServerEntry): string {
  if (entry.disabled) return notes.disabled
  return entry.approved ? notes.ready : notes.unapproved
}

export async function getServer(
  run: ConfigRun,
  name: string,
  options: ConfigOptions,
): Promise<void> {
  const { invocation, words } = run
  const { output, json, mask } = invocation
  const config = await configOf(run, options)
  const own = config.problems.filter(({ server }) => server === undefined || server === name)
  if (!config.entries.some(({ key }) => key === name)) tellProblems(run, own)
  const entry = entryNamed(run, config, name)
  if (json) return output.json(mask.json(entryRecord(entry)))
  output.line(`${terminalText(entry.key)}  ${stateWord(words, entry)}`)
  for (const [label, text] of factsOf(entry, words.checks))
    for (const line of hangingLines(
      `  ${words.checks.fact(label, '')}`,
      mask.text(text),
      output.columns,
    ))
      output.line(line)
  tellProblems(run, own)
}

/** Names and texts, safe for a terminal. */
function factsOf(
  entry: ServerEntry,
  { facts, timer, scopes, origins }: ConfigWords['checks'],
): readonly (readonly [string, string])[] {
  const pairs = (texts: Readonly<Record<string, string>>, prefix: string) =>
    Object.entries(texts).map(
      ([name, text]) => [`${prefix} ${terminalText(name)}`, terminalText(text)] as const,
    )
  const launch =
    entry.transport === 'stdio'
      ? [
          [facts.command, launchLine(entry)] as const,
          ...pairs(entry.env, facts.env),
          ...(entry.cwd === undefined ? [] : [[facts.cwd, terminalText(entry.cwd)] as const]),
        ]
      : [[facts.url, launchLine(entry)] as const, ...pairs(entry.headers, facts.header)]
  const timers = Object.entries(entry.timeouts).map(
    ([name, { ms, setBy }]) =>
      [timer(name), `${ms} ms  ${origins([terminalText(`${setBy}`)])}`] as const,
  )
  return [
    ...launch,
    [facts.start, entry.start],
    ...timers,
    [facts.file, `${whereText(entry.place)}  ${origins([scopes[entry.scope], entry.shape])}`],
  ]
}
