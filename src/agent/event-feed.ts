/**
 * Between a run and whoever reads its events: what happens is put in at once, and read in order. Who reads slowly gets pieces of text
 * put together and misses steps of progress, so that what waits here stays bounded by the replies and results of one turn.
 */

import type { AgentEvent } from './events.ts'
import type { ModelDelta } from './model.ts'

/** So many events waiting, and progress is not told any more. */
const CROWDED = 256

export class EventFeed {
  #events: AgentEvent[] = []
  #ended = false
  /** Something was taken and is not dealt with yet. */
  #isBusy = false
  #onReady: (() => void) | undefined
  #onTaken: (() => void) | undefined

  push(event: AgentEvent): void {
    if (this.#ended) return
    const last = this.#events.at(-1)
    if (event.type === 'progress' && this.#events.length >= CROWDED) return
    const joined = last === undefined ? undefined : joinedDelta(last, event)
    if (joined === undefined) this.#events.push(event)
    else this.#events[this.#events.length - 1] = joined
    const ready = this.#onReady
    this.#onReady = undefined
    ready?.()
  }

  /** Nothing comes any more. */
  end(): void {
    this.#ended = true
    this.#onReady?.()
    this.#onTaken?.()
  }

  /** For the one reader: all that waits; undefined once nothing ever will. */
  take(): readonly AgentEvent[] | undefined {
    const events = this.#events
    if (events.length === 0) return this.#ended ? undefined : events
    this.#events = []
    this.#isBusy = true
    return events
  }

  /** Settles when there is something to take, or never will be. */
  ready(): Promise<void> {
    if (this.#events.length > 0 || this.#ended) return Promise.resolve()
    return new Promise((resolve) => (this.#onReady = resolve))
  }

  /** The reader has dealt with all that it took. */
  dealtWith(): void {
    this.#isBusy = false
    if (this.#events.length > 0) return
    const taken = this.#onTaken
    this.#onTaken = undefined
    taken?.()
  }

  /** Settles when the reader has seen all: whoever goes on only then is never far ahead of it. */
  seen(): Promise<void> {
    if (this.#ended || (this.#events.length === 0 && !this.#isBusy)) return Promise.resolve()
    return new Promise((resolve) => (this.#onTaken = resolve))
  }
}

/** Two pieces of the same thing as one. */
function joinedDelta(last: AgentEvent, event: AgentEvent): AgentEvent | undefined {
  if (last.type !== 'delta' || event.type !== 'delta' || last.turn !== event.turn) return undefined
  const delta = joined(last.delta, event.delta)
  return delta === undefined ? undefined : { ...event, delta }
}

function joined(one: ModelDelta, next: ModelDelta): ModelDelta | undefined {
  switch (next.kind) {
    case 'text':
    case 'reasoning':
      return one.kind === next.kind ? { kind: next.kind, text: one.text + next.text } : undefined
    case 'arguments':
      return one.kind === 'arguments' && one.index === next.index
        ? { ...next, text: one.text + next.text }
        : undefined
    case 'waiting':
      return one.kind === 'waiting' ? next : undefined
    case 'call':
    case 'restart':
      return undefined
    default:
      return next satisfies never
  }
}
