/**
 * `deep-pilot policy grants` and `policy revoke`: what persons said yes to for longer than a session, and taking it back. Starts
 * nothing; a host that runs at the same time has read the file before.
 */

import { join } from 'node:path'
import { ConfigError, UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { stateFolder } from '../../config/node/home.ts'
import { GrantBook, GRANTS_FILE } from '../../host/grants-file.ts'
import type { Grant } from '../../policy/grants.ts'
import { hangingRows } from '../hanging-lines.ts'
import { loadServers, type HostCommandOptions, type HostRun } from '../host-session.ts'

/** Digits of a hash that people are shown. */
const HASH_DIGITS = 16

export async function listGrants(run: HostRun, options: HostCommandOptions): Promise<void> {
  const { invocation, words } = run
  const { output, json, mask } = invocation
  const { entries } = await loadServers(run, options, { start: false })
  const { path, book } = await openBook(run)
  const listed = book.all().map(({ grant }) => {
    const configured = grant.server === undefined || entries.some(({ key }) => key === grant.server)
    return { grant, configured }
  })
  if (json) {
    const grants = listed.map(({ grant, configured }) => ({ ...record(grant), configured }))
    output.json(mask.json({ file: path, grants }))
    return
  }
  const { grants: own } = words.policy
  if (listed.length === 0) return output.note(own.none)
  const rows = [own.head, ...listed.map(({ grant, configured }) => row(grant, configured, run))]
  const safe = rows.map((cells) => cells.map((cell) => mask.text(cell)))
  for (const line of hangingRows(safe, output.columns).flat()) output.line(line)
  output.note(own.hint)
}

export interface RevokeOptions {
  readonly all?: boolean
}

/** Takes back those of a server or of one of its tools, or all. A name that has none is a mistake of whoever wrote it. */
export async function revokeGrants(
  run: HostRun,
  name: string | undefined,
  { all = false }: RevokeOptions,
): Promise<void> {
  const { invocation, words } = run
  const { output, json } = invocation
  const { grants: own } = words.policy
  if (all === (name !== undefined)) throw new UsageError(own.nameOrAll)
  const { path, book } = await openBook(run)
  const revoked = await book.revoke((grant) => name === undefined || isNamed(grant, name))
  if (name !== undefined && revoked === 0) throw new UsageError(own.noSuch(terminalText(name)))
  if (json) output.json({ file: path, revoked })
  else {
    output.line(own.revoked(revoked))
    if (revoked > 0) output.note(own.running)
  }
}

/** The grants of the state folder. Throws where the file cannot be read: to show none would be wrong. */
async function openBook({ invocation }: HostRun): Promise<{ path: string; book: GrantBook }> {
  const path = join(stateFolder(invocation.env), GRANTS_FILE)
  let problem: ConfigError | undefined
  const book = await GrantBook.open({
    path,
    now: () => Date.now(),
    onProblem: (message, cause) =>
      (problem = new ConfigError(message, {
        file: path,
        cause,
        detail: { kind: 'grants-unusable' },
      })),
  })
  if (problem !== undefined) throw problem
  return { path, book }
}

/** By its server, by `SERVER.TOOL`, or by the bare name of a native tool; as it is, or as it is shown. */
function isNamed({ server, tool }: Grant, name: string): boolean {
  const own = server === undefined ? [tool] : [server, `${server}.${tool}`]
  return own.some((one) => one === name || terminalText(one) === name)
}

function record({ server, tool, scope, argumentsHash, until, pin, sources }: Grant): object {
  return {
    server: server ?? null,
    tool,
    scope,
    argumentsHash: argumentsHash ?? null,
    until: until === undefined ? null : timeText(until),
    pin,
    sources: sources ?? [],
  }
}

function row(
  { server, tool, argumentsHash, until }: Grant,
  configured: boolean,
  { words }: HostRun,
): readonly string[] {
  const { grants: own } = words.policy
  const name =
    server === undefined
      ? own.builtIn(terminalText(tool))
      : `${terminalText(server)}.${terminalText(tool)}`
  return [
    until === undefined ? '' : timeText(until),
    argumentsHash === undefined
      ? own.anyArguments
      : own.theseArguments(terminalText(argumentsHash.slice(0, HASH_DIGITS))),
    configured ? name : own.notConfigured(name),
  ]
}

/** ISO 8601 in UTC; a number that is no time is shown as it is. */
function timeText(until: number): string {
  const time = new Date(until)
  return Number.isNaN(time.getTime()) ? String(until) : time.toISOString().replace(/\.\d+Z$/, 'Z')
}
