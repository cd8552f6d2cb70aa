/** `deep-pilot captures show FILE`: a recorded wire, in the form that `--trace` shows, or record by record as JSON. */

import type { Command } from 'commander'
import { UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { readNamedCapture } from '../../capture/node/named-capture.ts'
import type { CaptureItem } from '../../capture/reader.ts'
import { helpEnd, makeCommand, refuseServerWords } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import { wireView } from '../trace.ts'

export function capturesCommand(invocation: Invocation): Command {
  const { commands, options } = invocation.messages
  const show = makeCommand('show', invocation)
    .description(commands.capturesShow)
    .usage('FILE [OPTION]...')
    .argument('<FILE>', commands.argumentFile)
    .option('--json', options.json)
    .addHelpText(
      'after',
      helpEnd(invocation.messages, undefined, [
        'deep-pilot call calculator "expr=23*7" --capture wire.jsonl -- deep-pilot serve calculator',
        'deep-pilot captures show wire.jsonl',
      ]),
    )
    .action(async (path: string) => {
      refuseServerWords(invocation, 'captures show')
      await showCapture(invocation, path).catch((error: unknown) => {
        if (!wasRead(error)) throw error
        invocation.fail(error, EXIT.mismatch)
      })
    })
  return makeCommand('captures', invocation)
    .description(commands.captures)
    .usage('show FILE [OPTION]...')
    .addCommand(show)
}

/** Whether the file could be read, and is not what it was named for. */
function wasRead(error: unknown): boolean {
  const detail = error instanceof UsageError ? error.detail : undefined
  return detail?.kind === 'capture-unreadable' && ['empty', 'no-capture'].includes(detail.why)
}

async function showCapture(invocation: Invocation, path: string): Promise<void> {
  const { output, json, signal } = invocation
  let damages = 0
  const view = await wireView(invocation, 'result')
  for await (const item of readNamedCapture(path, { readings: !json })) {
    signal.throwIfAborted()
    if (item.kind === 'damage') damages += tellDamage(invocation, item, damages)
    else if (json) output.jsonLine(item.kind === 'header' ? item.header : item.record)
    else if (item.kind === 'event') view(item.event)
    else if (item.kind === 'record') tellGap(invocation, item)
  }
  const untold = damages - MAX_DAMAGES
  if (untold > 0 && !json) output.note(invocation.messages.notes.moreDamage(untold))
}

/** Places told one by one; a file that is no capture has a fault in every line. */
const MAX_DAMAGES = 10

/** What cannot be read goes to stderr; a file that only lacks its end is sound as far as it goes. Counts as one. */
function tellDamage(
  invocation: Invocation,
  { damage }: CaptureItem & { kind: 'damage' },
  before: number,
): 1 {
  const { output, json, messages } = invocation
  if (damage.code !== 'unfinished') invocation.finish(EXIT.mismatch)
  if (json) output.noteJson({ damage })
  else if (before < MAX_DAMAGES) output.note(terminalText(messages.notes.damage(damage)))
  return 1
}

function tellGap(
  { output, messages }: Invocation,
  { record }: CaptureItem & { kind: 'record' },
): void {
  if (record.type !== 'gap') return
  const reason = record.reason?.['message']
  const shown = typeof reason === 'string' ? reason : ''
  output.line(terminalText(messages.notes.gap(record.count ?? 0, shown)))
}
