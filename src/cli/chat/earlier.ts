/** The end of a conversation that is taken up again: what was said last, so that a person knows where it stood. */

import type { Message } from '../../agent/conversation.ts'
import type { AgentRoom } from '../agent-room.ts'
import type { AgentView } from './agent-view.ts'

/** Characters of a text that are shown. */
const MAX_SHOWN = 2_000
/** Messages without an answer that are shown. */
const MAX_UNANSWERED = 3

/** Shows the last answer with the message that it answers, and what was said since without one. */
export function showEarlier({ transcript, run }: AgentRoom, view: AgentView): void {
  const { chat } = run.own
  const { messages } = transcript
  const answered = messages.findLastIndex(
    (message) => message.role === 'assistant' && textOf(message) !== '',
  )
  const isUser = ({ role }: Message): boolean => role === 'user'
  const from = (answered < 0 ? messages : messages.slice(0, answered)).findLastIndex(isUser)
  if (from < 0) return
  view.remark(chat.earlier)
  if (from > 0) view.remark(chat.earlierMore(from))
  view.said(textOf(messages[from]))
  view.quote(textOf(messages[answered]).slice(0, MAX_SHOWN))
  if (answered < 0) return
  for (const message of messages.slice(answered).filter(isUser).slice(-MAX_UNANSWERED))
    view.said(textOf(message))
}

function textOf(message: Message | undefined): string {
  if (message === undefined || message.role === 'tool') return ''
  if (message.role !== 'user') return message.text
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}
