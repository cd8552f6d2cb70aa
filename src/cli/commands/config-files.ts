/** What the commands of `config` share: the files they read, what is wrong with them, and servers as lines and records. */

import { UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { Config } from '../../config/config.ts'
import type { ServerEntry } from '../../config/entry.ts'
import { loadConfig, type LoadOptions } from '../../config/node/load.ts'
import { whereText, type Problem } from '../../config/problem.ts'
import { hangingLines } from '../hanging-lines.ts'
import type { Invocation } from '../invocation.ts'
import type { ConfigWords } from '../messages/config-words.ts'
import { longEnough } from '../secrets.ts'
import { similarNames } from '../similar.ts'

/** A run of a command of `config`, with its words. */
export interface ConfigRun {
  readonly invocation: Invocation
  readonly words: ConfigWords
}

export interface ConfigOptions {
  /** Files that are read alone. */
  readonly config?: readonly string[]
}

/** Reads the files. Inputs are asked for when a server is started, so that here they are simply empty. */
export async function configOf(run: ConfigRun, { config }: ConfigOptions): Promise<Config> {
  const { invocation } = run
  const loaded = await loadConfig({
    ...loadOptions(invocation),
    ...(config !== undefined && { files: config }),
  })
  hideSecrets(invocation, loaded.entries)
  return loaded
}

export function loadOptions({ env }: Invocation): LoadOptions {
  return { cwd: process.cwd(), env, askInput: async () => '' }
}

/** From now on no output of this run shows them. */
export function hideSecrets({ mask }: Invocation, entries: readonly ServerEntry[]): void {
  mask.know(entries.flatMap(({ secrets }) => secrets.filter(longEnough)))
}

/** A sentence of ours as the result, broken where a terminal would break it anywhere; safe text only. */
export function tellResult({ output }: Invocation, text: string): void {
  for (const line of hangingLines('', text, output.columns)) output.line(line)
}

/** Tells of every problem on stderr. */
export function tellProblems({ invocation, words }: ConfigRun, problems: readonly Problem[]): void {
  const { output, json, mask } = invocation
  for (const problem of problems) {
    if (json) output.noteJson(mask.json({ problem }))
    else output.note(mask.text(problemLine(words, problem)))
  }
}

/** One problem in the language of the run. */
export function problemLine(words: ConfigWords, problem: Problem): string {
  const { severity, kind, values, server, place } = problem
  const name = server === undefined ? undefined : terminalText(server.slice(0, 200))
  return words.notes.problem(severity, whereText(place), name, words.problems[kind](values))
}

/** The server of this name. Throws `UsageError` with the names that are near. */
export function entryNamed({ words }: ConfigRun, config: Config, name: string): ServerEntry {
  const found = config.entries.find(({ key }) => key === name)
  if (found !== undefined) return found
  throw new UsageError(
    unknownServer(
      words,
      name,
      config.entries.map(({ key }) => key),
    ),
  )
}

export function unknownServer(
  { faults }: ConfigWords,
  name: string,
  all: readonly string[],
): string {
  const near = similarNames(name, all).map(terminalText)
  return faults.unknownServer(terminalText(name), near, all.map(terminalText))
}

/** What starts or reaches a server on one line, safe for a terminal; not cut. */
export function launchLine(entry: ServerEntry): string {
  if (entry.transport !== 'stdio') return terminalText(`${entry.url} (${entry.transport})`)
  return [entry.command, ...entry.args].map(quotedWord).join(' ')
}

/** A word of a command, in quotes where it would not be seen as one. */
function quotedWord(word: string): string {
  return /^[\w@%+=:,./~\\-]+$/.test(word) ? word : terminalText(JSON.stringify(word))
}

/** A server as it was understood, for `--json`. Goes through the mask of the run. */
export function entryRecord(entry: ServerEntry): object {
  const { key, scope, place, shape, approved, disabled, start, trusted, timeouts } = entry
  const { concurrency, queue, onlyTools, withoutTools, labels, toolLabels } = entry
  const launch =
    entry.transport === 'stdio'
      ? { command: entry.command, args: entry.args, env: entry.env, cwd: entry.cwd }
      : { url: entry.url, headers: entry.headers }
  return {
    name: key,
    transport: entry.transport,
    ...launch,
    disabled,
    approved,
    scope,
    shape,
    place,
    start,
    trusted,
    timeouts,
    concurrency,
    queue,
    onlyTools,
    withoutTools,
    labels,
    toolLabels: Object.fromEntries(toolLabels),
  }
}
