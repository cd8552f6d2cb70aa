/**
 * Ids of calls that are unique within a conversation, whatever the models in it gave.
 *
 * An id only ties a call to its result. Peers leave it out, give it twice, or begin anew with each reply; a conversation in which
 * two calls share one is refused by most providers.
 */

import type { Message } from '../conversation.ts'

/** A longer id is replaced, in UTF-16 units. */
export const MAX_CALL_ID = 256

export interface CallId {
  readonly id: string
  /** Why it is not the one that was given; undefined where it is. */
  readonly made?: 'missing' | 'twice' | 'too-long'
}

/** The ids of one reply, beside those of the conversation before it. */
export class CallIds {
  readonly #messages: readonly Message[]
  #used: Set<string> | undefined

  constructor(messages: readonly Message[]) {
    this.#messages = messages
  }

  /** The id that was given where it can be kept, else a new one: the same for the same conversation and reply. */
  take(given: unknown): CallId {
    const used = (this.#used ??= idsIn(this.#messages))
    const id = typeof given === 'number' ? String(given) : given
    if (typeof id !== 'string' || id === '') return { id: madeId(used), made: 'missing' }
    if (id.length > MAX_CALL_ID) return { id: madeId(used), made: 'too-long' }
    if (used.has(id)) return { id: madeId(used), made: 'twice' }
    used.add(id)
    return { id }
  }
}

function idsIn(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>()
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.calls) ids.add(call.id)
  }
  return ids
}

/** Nine letters and digits: templates of some models take no other ids. */
function madeId(used: Set<string>): string {
  for (let number = used.size + 1; ; number += 1) {
    const id = `call${String(number).padStart(5, '0')}`
    if (used.has(id)) continue
    used.add(id)
    return id
  }
}
