/** The end of a conversation that is taken up again: what was said last, so that a person knows where it stood. */

import type { Message } from '../../agent/conversation.ts'
import type { AgentRoom } from '../agent-room.ts'
import type { AgentView } from './agent-view.ts'

/** Characters of a text that are shown. */
const MAX_SHOWN = 2_000

/** Shows the last message of the user and the answer to it. */
export function showEarlier({ transcript, run }: AgentRoom, view: AgentView): void {
  const { chat } = run.own
  const { messages } = transcript
  const from = messages.findLastIndex(({ role }) => role === 'user')
  if (from < 0) return
  view.remark(chat.earlier)
  if (from > 0) view.remark(chat.earlierMore(from))
  const said = textOf(messages[from])
  view.lines([{ text: '›', style: 'dim' }])
  view.quote(said.slice(0, MAX_SHOWN))
  const answer = messages.slice(from).findLast((message) => textOf(message) !== '')
  if (answer !== undefined && answer.role === 'assistant')
    view.quote(answer.text.slice(0, MAX_SHOWN))
}

function textOf(message: Message | undefined): string {
  if (message === undefined || message.role === 'tool') return ''
  if (message.role !== 'user') return message.text
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}
