/** `deep-pilot verify [SERVER]`: whether servers still offer what was approved. Writes nothing. */

import type { Command } from 'commander'
import { refuseServerWords } from '../command.ts'
import { EXIT, familyExitCode } from '../exit-codes.ts'
import { makeHostCommand } from '../host-command.ts'
import { type HostCommandOptions, type HostRun } from '../host-session.ts'
import type { Invocation } from '../invocation.ts'
import { hasDrifted, reportLines, reportRecord, type PinReport } from '../pin-report.ts'
import { withPins } from '../pin-session.ts'

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
      await withPins(run, { server, options: given }, async (_host, reports) => {
        tell(run, reports, given.frozen === true)
      })
    })
}

function tell(
  { invocation, words }: HostRun,
  reports: readonly PinReport[],
  frozen: boolean,
): void {
  const { output, json, mask } = invocation
  const bad = reports.filter(
    (report) =>
      hasDrifted(report) || (frozen && (report.state === 'new' || report.state === 'different')),
  )
  const away = reports.filter(
    ({ state, status }) => state === 'away' && status.state !== 'disabled',
  )
  if (bad.length > 0) invocation.finish(EXIT.mismatch)
  else if (away.length > 0) invocation.finish(familyExitCode('transport'))
  if (json) {
    const servers = reports.map((report) => ({
      ...reportRecord(report),
      ok: !bad.includes(report),
    }))
    output.json(mask.json({ ok: invocation.exitCode === EXIT.success, servers }))
    return
  }
  for (const report of reports)
    for (const line of reportLines(report, words, output.columns)) output.line(mask.text(line))
  if (bad.length > 0) output.note(words.pins.drift(bad.length))
  else if (away.length === 0) output.note(words.pins.noDrift(reports.length))
}
