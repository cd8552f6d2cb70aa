/**
 * Ids of calls as a strict provider takes them: up to 64 letters, digits, `_` and `-`. Others come from other models that were asked
 * earlier in the same conversation, and one such id would have each later request refused. Pure.
 */

import type { Message } from '../conversation.ts'

const SENDABLE = /^[a-zA-Z0-9_-]{1,64}$/

/** What gives each id of the conversation as it is sent: itself where it fits, else one that no other call has. */
export function sendableIds(messages: readonly Message[]): (id: string) => string {
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? message.calls.map((call) => call.id) : [],
  )
  const taken = new Set(ids)
  const made = new Map<string, string>()
  for (const [at, id] of ids.entries()) {
    if (SENDABLE.test(id) || made.has(id)) continue
    let sent = `call_${at + 1}`
    while (taken.has(sent)) sent = `${sent}_`
    taken.add(sent)
    made.set(id, sent)
  }
  return (id) => made.get(id) ?? id
}
