/** `deep-pilot captures show FILE`: a recorded wire, in the form that `--trace` shows, or record by record as JSON. */

import type { Command } from 'commander'
import { terminalText } from '../../base/terminal-text.ts'
import type { CaptureItem } from '../../capture/reader.ts'
import { helpEnd, makeCommand, refuseServerWords } from '../command.ts'
import type { Invocation } from '../invocation.ts'
import { readToldCapture } from '../told-capture.ts'
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
      await showCapture(invocation, path)
    })
  return makeCommand('captures', invocation)
    .description(commands.captures)
    .usage('show FILE [OPTION]...')
    .addCommand(show)
}

async function showCapture(invocation: Invocation, path: string): Promise<void> {
  const { output, json } = invocation
  const view = await wireView(invocation, 'result')
  for await (const item of readToldCapture(invocation, path, { readings: !json, tellsEnd: true })) {
    if (json) output.jsonLine(item.kind === 'header' ? item.header : item.record)
    else if (item.kind === 'event') view(item.event)
    else if (item.kind === 'record') tellGap(invocation, item)
  }
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
