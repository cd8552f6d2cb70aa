/**
 * The text of the reply that is under way, for whoever is interrupted in the midst of it. It holds one reply, for which the model's
 * own limit is the bound.
 */

import type { AgentEvent } from '../../agent/events.ts'

export class UnfinishedReply {
  #pieces: string[] = []

  /** Hears every event, in order. */
  hear(event: AgentEvent): void {
    if (event.type === 'turn' || event.type === 'reply') this.#pieces = []
    if (event.type !== 'delta') return
    const { delta } = event
    if (delta.kind === 'text') this.#pieces.push(delta.text)
    // What came so far is void.
    if (delta.kind === 'restart') this.#pieces = []
  }

  /** Empty where no reply is under way, or nothing came of it. */
  get text(): string {
    return this.#pieces.join('')
  }
}
