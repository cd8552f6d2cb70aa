/** `deep-pilot pin [SERVER]`: what is new or different about tools since they were approved, and its approval. */

import type { Command } from 'commander'
import { terminalText } from '../../base/terminal-text.ts'
import { askYesNo, canAsk } from '../ask-person.ts'
import { refuseServerWords } from '../command.ts'
import { familyExitCode } from '../exit-codes.ts'
import { makeHostCommand } from '../host-command.ts'
import { tellNoServers, type HostCommandOptions, type HostRun } from '../host-session.ts'
import type { Invocation } from '../invocation.ts'
import {
  isSwitchedOff,
  isUnapproved,
  reportLines,
  reportRecord,
  type PinReport,
} from '../pin-report.ts'
import { withPins, type PinSession } from '../pin-session.ts'

export async function pinCommand(invocation: Invocation): Promise<Command> {
  const run: HostRun = { invocation, words: await invocation.messages.host() }
  const { commands, options } = run.words
  return makeHostCommand(run, {
    name: 'pin',
    about: commands.pin,
    usage: '[SERVER]',
    more: commands.pinMore,
    examples: ['deep-pilot pin', 'deep-pilot pin files --yes'],
  })
    .argument('[SERVER]', commands.argumentServer)
    .option('--yes', options.yesPin)
    .action(async (server: string | undefined, given: HostCommandOptions) => {
      refuseServerWords(invocation, 'pin')
      await withPins(run, { server, options: given }, async (session) => {
        await approveAll(run, { ...session, yes: given.yes === true })
      })
    })
}

interface Approving extends PinSession {
  readonly yes: boolean
}

/** Each server by itself: one that nobody wants to approve keeps no other from it. */
async function approveAll(run: HostRun, approving: Approving): Promise<void> {
  const { invocation } = run
  const { output, json, mask, signal } = invocation
  const { config, reports, locks, options } = approving
  const approved: string[] = []
  for (const report of reports) {
    // What was approved before Ctrl-C is written down all the same.
    if (signal.aborted) break
    if (!json) for (const line of reportLines(report, run.words, invocation)) output.line(line)
    if (await approveOne(run, report, approving)) approved.push(report.server)
  }
  await locks.file.save()
  if (json) {
    const servers = reports.map((report) => ({
      ...reportRecord(report),
      approved: report.state === 'same' || approved.includes(report.server),
    }))
    output.json(mask.json({ servers, file: locks.file.path ?? null }))
  } else if (config.entries.length === 0) tellNoServers(run, options)
}

/** Whether anything was approved. */
async function approveOne(
  { invocation, words: { pins } }: HostRun,
  report: PinReport,
  { host, locks, yes }: Approving,
): Promise<boolean> {
  const { output, json, signal, interrupt } = invocation
  const { server, state, tools } = report
  if (state === 'same' || isSwitchedOff(report)) return false
  const shown = terminalText(server)
  const tell = (text: string): void => (json ? undefined : output.note(text))
  if (state === 'away') {
    const unapproved = isUnapproved(report)
    if (unapproved) tell(pins.approveFirst(shown))
    invocation.finish(familyExitCode(unapproved ? 'policy' : 'transport'))
    return false
  }
  if (!yes) {
    const isAsked = canAsk() && !json
    const question = {
      message: pins.question(shown),
      yes: pins.yes,
      no: pins.no,
      signal,
      interrupt,
    }
    if (!isAsked || !(await askYesNo(question))) {
      tell(isAsked ? pins.kept(shown) : pins.needsYes)
      invocation.finish(familyExitCode('policy'))
      return false
    }
  }
  await host.approve(server)
  const record = locks.seen.servers.get(server)
  if (record !== undefined) locks.file.set(server, record)
  tell(pins.approved(shown, tools, terminalText(locks.file.path ?? '')))
  return true
}
