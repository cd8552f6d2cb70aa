/** `deep-pilot config explain`: where each value of a server came from, by file, line, variable or default. */

import { terminalText } from '../../base/terminal-text.ts'
import type { Origin, OriginSource, ServerEntry } from '../../config/entry.ts'
import { whereText } from '../../config/problem.ts'
import { startTimeoutFor } from '../../transport/node/process.ts'
import { hangingLines } from '../hanging-lines.ts'
import type { ConfigWords } from '../messages/config-words.ts'
import {
  configOf,
  entryNamed,
  tellProblems,
  type ConfigOptions,
  type ConfigRun,
} from './config-files.ts'

export async function explainServer(
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
  const timers = timersOf(entry)
  if (json) {
    const values = entry.origins.map((origin) => ({
      ...origin,
      value: valueOf(entry, origin.name),
    }))
    output.json(mask.json({ name, place: entry.place, values, timers }))
    return
  }
  const title = `${terminalText(entry.key)}  ${words.checks.where} `
  for (const line of hangingLines(title, whereText(entry.place), output.columns)) output.line(line)
  const show = (head: string, text: string): void => {
    for (const line of hangingLines(head, mask.text(text), output.columns)) output.line(line)
  }
  for (const origin of entry.origins)
    show(`  ${terminalText(origin.name)} = `, originText(words, entry, origin))
  for (const [timer, { ms, setBy }] of Object.entries(timers)) {
    const from = setBy === 'default' ? words.checks.builtIn : terminalText(setBy)
    const value = `${ms} ms  ${words.checks.origins([from])}`
    show(`  ${words.checks.timer(timer)} = `, value)
  }
  tellProblems(run, own)
}

function originText({ checks }: ConfigWords, entry: ServerEntry, origin: Origin): string {
  const { name, place, raw, sources } = origin
  const from = [...new Set(sources.map((source) => sourceWords(checks, source)))]
  const value = terminalText(valueOf(entry, name) ?? '')
  const written = raw === value || raw === '' ? '' : `  ← ${terminalText(raw)}`
  return `${value}${written}  ${checks.origins([whereText(place), ...from])}`
}

function sourceWords({ from }: ConfigWords['checks'], source: OriginSource): string {
  switch (source.kind) {
    case 'literal':
      return from.literal
    case 'input':
      return from.input(terminalText(source.id))
    case 'file':
      return from.file(terminalText(source.file))
    default:
      return from[source.kind](terminalText(source.name))
  }
}

/** The value behind a name of an origin. */
function valueOf(entry: ServerEntry, name: string): string | undefined {
  const [kind = '', ...rest] = name.split('/')
  const key = rest.join('/')
  if (entry.transport !== 'stdio')
    return kind === 'url' ? entry.url : kind === 'headers' ? entry.headers[key] : undefined
  switch (kind) {
    case 'command':
      return entry.command
    case 'cwd':
      return entry.cwd
    case 'env':
      return entry.env[key]
    case 'args':
      return entry.args[Number(key)]
    default:
      return undefined
  }
}

/** Every wait, those that nobody set as well. */
function timersOf(entry: ServerEntry): Required<ServerEntry['timeouts']> {
  const start = entry.transport === 'stdio' ? startTimeoutFor(entry.command, entry.args) : START_MS
  const builtIn = (ms: number) => ({ ms, setBy: 'default' })
  return {
    probe: builtIn(1000),
    start: builtIn(start),
    idle: builtIn(60_000),
    total: builtIn(600_000),
    ...entry.timeouts,
  }
}

const START_MS = 30_000
