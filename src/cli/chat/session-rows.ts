/** The sessions that are kept, as lines or as JSON. */

import { terminalText } from '../../base/terminal-text.ts'
import type { AgentRun } from '../agent-options.ts'
import { sessionsOf } from '../agent-room.ts'
import { tableLines } from '../status-lines.ts'

/** The last one used stands first. */
export async function listSessions(run: AgentRun): Promise<void> {
  const { invocation, own } = run
  const { output, json, mask } = invocation
  const kept = await sessionsOf(run).list()
  // A title of an earlier version, or of a time when less was known to be secret.
  const all = kept.map((one) => ({ ...one, title: mask.text(one.title) }))
  if (json) return output.json(all)
  if (all.length === 0) return output.note(own.chat.noSessions)
  const rows = all.map(({ id, updated, model, messages, title }) => [
    id,
    whenText(updated),
    terminalText(model),
    String(messages),
    terminalText(title),
  ])
  for (const line of tableLines([own.chat.head, ...rows], output.columns)) output.line(line)
}

/** In the time of the user's place, to the minute. */
function whenText(wall: number): string {
  const date = new Date(wall)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}
