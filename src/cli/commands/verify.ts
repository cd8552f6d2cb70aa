/** `deep-pilot verify [SERVER]`: whether servers still offer what was approved. Writes nothing. */

import type { Command } from 'commander'
import { terminalText } from '../../base/terminal-text.ts'
import { refuseServerWords } from '../command.ts'
import { EXIT, familyExitCode } from '../exit-codes.ts'
import { makeHostCommand } from '../host-command.ts'
import { tellNoServers, type HostCommandOptions, type HostRun } from '../host-session.ts'
import type { Invocation } from '../invocation.ts'
import type { HostWords } from '../messages/host-words.ts'
import {
  hasDrifted,
  isFresh,
  isSwitchedOff,
  isUnapproved,
  reportLines,
  reportRecord,
  type PinReport,
} from '../pin-report.ts'
import { withPins, type PinSession } from '../pin-session.ts'

interface VerifyOptions extends HostCommandOptions {
  readonly frozen?: boolean
}

export async function verifyCommand(invocation: Invocation): Promise<Command> {
  const run: HostRun = { invocation, words: await invocation.messages.host() }
  const { commands, options } = run.words
  return makeHostCommand(run, {
    name: 'verify',
    about: commands.verify,
    usage: '[SERVER]',
    more: commands.verifyMore,
    examples: ['deep-pilot verify', 'deep-pilot verify --frozen --json'],
  })
    .argument('[SERVER]', commands.argumentServer)
    .option('--frozen', options.frozen)
    .action(async (server: string | undefined, given: VerifyOptions) => {
      refuseServerWords(invocation, 'verify')
      await withPins(run, { server, options: given }, async (session) => {
        tell(run, session, { server, frozen: given.frozen === true })
      })
    })
}

/** What keeps `--frozen` from passing, besides what is told of each server. */
interface Obstacle {
  readonly kind: 'no-servers' | 'no-lock' | 'config'
  readonly message: string
  readonly server?: string
}

interface Wanted {
  readonly server: string | undefined
  readonly frozen: boolean
}

function tell({ invocation, words }: HostRun, session: PinSession, wanted: Wanted): void {
  const { output, json, mask } = invocation
  const { frozen } = wanted
  const { reports } = session
  const bad = reports.filter((report) => isBad(report, frozen))
  const away = reports.filter((report) => report.state === 'away' && !isSwitchedOff(report))
  const unapproved = away.filter(isUnapproved)
  const obstacles = frozen ? obstaclesOf(session, wanted, words) : []
  if (bad.length > 0 || obstacles.length > 0) invocation.finish(EXIT.mismatch)
  else if (away.length > unapproved.length) invocation.finish(familyExitCode('transport'))
  else if (unapproved.length > 0) invocation.finish(familyExitCode('policy'))
  if (json) {
    const servers = reports.map((report) => ({
      ...reportRecord(report),
      ok: !bad.includes(report) && !away.includes(report),
    }))
    const ok = invocation.exitCode === EXIT.success
    output.json(mask.json({ ok, servers, ...(frozen && { problems: obstacles }) }))
    return
  }
  for (const report of reports)
    for (const line of reportLines(report, words, invocation)) output.line(line)
  const { pins } = words
  if (unapproved.length > 0)
    output.note(pins.unapproved(unapproved.map(({ server }) => terminalText(server))))
  for (const { kind, message } of obstacles) if (kind !== 'config') output.note(message)
  const faults = obstacles.filter(({ kind }) => kind === 'config')
  // Each of them is told of at the end, as for every command.
  if (faults.length > 0) output.note(pins.faults(faults.length))
  const drifted = reports.filter(hasDrifted)
  const fresh = reports.filter(isFresh)
  if (drifted.length > 0) output.note(pins.drift(drifted.length))
  if (fresh.length > 0) output.note(pins.fresh(fresh.length))
  if (drifted.length + fresh.length > 0) return
  if (session.config.entries.length === 0) {
    if (!frozen) tellNoServers({ invocation, words }, session.options)
  } else if (invocation.exitCode === EXIT.success)
    output.note(pins.noDrift(reports.filter((report) => !isSwitchedOff(report)).length))
}

function isBad(report: PinReport, frozen: boolean): boolean {
  return hasDrifted(report) || (frozen && (isFresh(report) || isUnapproved(report)))
}

/** What would let a check pass that has looked at nothing, or not at all there is. */
function obstaclesOf(
  { config, reports, locks }: PinSession,
  { server }: Wanted,
  { pins }: HostWords,
): readonly Obstacle[] {
  const { entries, problems } = config
  const { path = '', servers } = locks.file
  const broken = problems.filter(
    (problem) =>
      problem.severity === 'error' &&
      (server === undefined || problem.server === undefined || problem.server === server),
  )
  const isWanted = reports.some((report) => !isSwitchedOff(report))
  return [
    ...(entries.length === 0
      ? [{ kind: 'no-servers', message: pins.noServers } satisfies Obstacle]
      : []),
    ...(isWanted && servers.size === 0
      ? [{ kind: 'no-lock', message: pins.noLock(terminalText(path)) } satisfies Obstacle]
      : []),
    ...broken.map(({ message, server: key }): Obstacle => ({
      kind: 'config',
      message,
      ...(key !== undefined && { server: key }),
    })),
  ]
}
