/** `deep-pilot config doctor`: checks files, commands, folders and addresses. Starts nothing and reaches nothing. */

import { UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { Config } from '../../config/config.ts'
import type { ServerEntry, StdioEntry, UrlEntry } from '../../config/entry.ts'
import { whereText } from '../../config/problem.ts'
import { isSecretHeader } from '../../config/secret-names.ts'
import { EXIT } from '../exit-codes.ts'
import { findCommand, isFolder } from '../find-command.ts'
import { hangingLines } from '../hanging-lines.ts'
import type { ConfigWords } from '../messages/config-words.ts'
import { policyProblems, policyProblemText } from '../policy-problems.ts'
import { configOf, unknownServer, type ConfigOptions, type ConfigRun } from './config-files.ts'

type Verdict = 'ok' | 'warning' | 'error'

interface Check {
  readonly server?: string
  readonly verdict: Verdict
  readonly message: string
}

/** Ends with the code of a check that does not match when there is an error. */
export async function checkConfig(
  run: ConfigRun,
  names: readonly string[],
  options: ConfigOptions,
): Promise<void> {
  const { invocation, words } = run
  const { output, json, mask, env } = invocation
  const config = await configOf(run, options)
  const known = new Set([
    ...config.entries.map(({ key }) => key),
    ...config.problems.flatMap(({ server }) => server ?? []),
  ])
  for (const name of names)
    if (!known.has(name)) throw new UsageError(unknownServer(words, name, [...known]))
  const wanted = (name: string | undefined): boolean =>
    names.length === 0 || name === undefined || names.includes(name)
  const checks: Check[] = [
    { verdict: 'ok', message: words.checks.filesRead(config.files.length) },
    ...config.problems
      .filter(({ server }) => wanted(server))
      .map((problem) => ({
        ...(problem.server !== undefined && { server: problem.server }),
        verdict: problem.severity,
        message: words.checks.at(
          whereText(problem.place),
          words.problems[problem.kind](problem.values),
        ),
      })),
  ]
  checks.push(...(await policyChecks(run, config)))
  for (const entry of config.entries)
    if (wanted(entry.key)) checks.push(...(await checksOf(entry, words, env)))
  const errors = checks.filter(({ verdict }) => verdict === 'error').length
  const warnings = checks.filter(({ verdict }) => verdict === 'warning').length
  if (errors > 0) invocation.finish(EXIT.mismatch)
  if (json) return output.json(mask.json({ ok: errors === 0, errors, warnings, checks }))
  for (const { server, verdict, message } of checks) {
    const text = server === undefined ? message : words.checks.at(terminalText(server), message)
    const head = `[${words.checks[verdict]}] `
    for (const line of hangingLines(head, mask.text(text), output.columns)) output.line(line)
  }
  output.note(errors + warnings === 0 ? words.checks.fine : words.checks.faults(errors, warnings))
}

/** The policy is one for all servers, so that it counts also where some of them were named. */
async function policyChecks({ invocation }: ConfigRun, config: Config): Promise<readonly Check[]> {
  const problems = await policyProblems(config)
  if (problems.length === 0) return []
  const { policy } = await invocation.messages.host()
  return problems.map((problem) => ({
    verdict: problem.severity,
    message: policyProblemText(policy, problem),
  }))
}

async function checksOf(
  entry: ServerEntry,
  { checks }: ConfigWords,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Check[]> {
  const { key: server } = entry
  if (entry.disabled) return [{ server, verdict: 'ok', message: checks.off }]
  const launch =
    entry.transport === 'stdio'
      ? await commandChecks(entry, checks, env)
      : addressChecks(entry, checks)
  const all = launch.map((check) => ({ server, ...check }))
  return entry.approved
    ? all
    : [...all, { server, verdict: 'warning', message: checks.commandUnapproved }]
}

async function commandChecks(
  { command, env: own, cwd = process.cwd() }: StdioEntry,
  checks: ConfigWords['checks'],
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Check[]> {
  if (!(await isFolder(cwd)))
    return [{ verdict: 'error', message: checks.folderMissing(terminalText(cwd)) }]
  const path = await findCommand(command, { cwd, env: { ...env, ...own } })
  const shown = terminalText(command)
  return path === undefined
    ? [{ verdict: 'error', message: checks.commandMissing(shown) }]
    : [{ verdict: 'ok', message: checks.commandFound(shown, terminalText(path)) }]
}

function addressChecks(
  { url, headers }: UrlEntry,
  checks: ConfigWords['checks'],
): readonly Check[] {
  const found: Check = { verdict: 'ok', message: checks.address(terminalText(url)) }
  const open = /^(http|ws):/i.test(url) && !isThisMachine(new URL(url).hostname)
  return open && Object.keys(headers).some(isSecretHeader)
    ? [found, { verdict: 'warning', message: checks.plainHttp }]
    : [found]
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}
