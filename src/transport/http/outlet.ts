/**
 * One stream of a session as the client numbers it: connections come and go, the events and their ids go on. // HTTP-25
 *
 * What was said while nobody was connected is in the store, and is told again to whoever takes the stream up. It knows
 * nothing of requests: a POST has one, and what belongs to no request has one.
 */

import type { SseFields } from '../../formats/sse.ts'
import { SseSender } from './sse-sender.ts'
import type { Visit } from './visit.ts'
import type { World } from './world.ts'

/** What an outlet has to know of its session. */
export interface OutletOwner {
  readonly id: string
  readonly world: World
  /** Whether events have ids, by which a stream can be taken up. */
  readonly resumable: boolean
  /** Whether a stream begins with an id and no message. // HTTP-15 */
  readonly primes: boolean
}

/** A stream, and a place in it. */
export interface Place {
  readonly stream: string
  readonly seq: number
}

export class Outlet {
  /** Unique in its session. */
  readonly name: string
  readonly #owner: OutletOwner
  #sender: SseSender | undefined
  #seq = 0
  #ended = false

  constructor(name: string, owner: OutletOwner) {
    this.name = name
    this.#owner = owner
  }

  /** Whether somebody is connected, as far as is known. */
  get attached(): boolean {
    return this.#sender?.open === true
  }

  /** Begins the reply of a first connection. */
  attach(visit: Visit): void {
    this.#sender = new SseSender(visit, this.#owner.world)
    if (!this.#owner.primes) return
    this.#write({ id: this.#idOf(this.#seq), data: '', retry: this.#owner.world.retryMs }) // HTTP-15
  }

  /** Says one thing. False when nobody heard it and nobody can come back for it. */
  say(text: string, last: boolean): boolean {
    const { id, world } = this.#owner
    const kept = this.#isTakenUp
    if (kept) {
      this.#seq += 1
      world.store.append(id, this.name, { seq: this.#seq, text, last })
    }
    const sent = this.#write(kept ? { id: this.#idOf(this.#seq), data: text } : { data: text })
    if (last) this.end()
    return sent || kept
  }

  /** Ends the connection, not the stream: whoever was connected comes again after so many ms. // HTTP-16 */
  pause(retryMs: number): boolean {
    if (!this.#owner.primes || !this.attached) return false
    this.#write({ data: '', retry: retryMs })
    this.#sender?.end()
    return true
  }

  /** Called once a second. */
  beat(): void {
    this.#sender?.beat()
  }

  end(): void {
    this.#ended = true
    this.#sender?.end()
  }

  /**
   * Lets another connection take the stream up behind an event that it was told. An older one is ended, never left to
   * starve. False, and nothing was replied, when there is no such event here. // HTTP-26, HTTP-27
   */
  async resume(visit: Visit, after: number): Promise<boolean> {
    const texts: { readonly seq: number; readonly text: string }[] = []
    for (let seen = after; seen !== this.#seq;) {
      const more = await this.#owner.world.store.read(this.#owner.id, this.name, seen)
      const newest = more?.at(-1)
      if (more === undefined || newest === undefined) return false
      texts.push(...more)
      seen = newest.seq
    }
    this.#sender?.end()
    this.#sender = new SseSender(visit, this.#owner.world)
    for (const { seq, text } of texts) this.#write({ id: this.#idOf(seq), data: text })
    if (this.#ended) this.end()
    return true
  }

  /** Whether a client can come back to it: it is connected, or was told an id before. */
  get #isTakenUp(): boolean {
    const { resumable, primes } = this.#owner
    return resumable && (this.attached || primes || this.#seq > 0)
  }

  #write(fields: SseFields): boolean {
    return this.#sender?.send(fields) === true
  }

  #idOf(seq: number): string {
    return eventId({ stream: this.name, seq })
  }
}

/** A stream that has ended, told again from the store to whoever missed its end. False when it is not known there. */
export async function replayEnded(
  owner: OutletOwner,
  visit: Visit,
  place: Place,
): Promise<boolean> {
  const events = await owner.world.store.read(owner.id, place.stream, place.seq)
  if (events === undefined) return false
  const sender = new SseSender(visit, owner.world)
  for (const { seq, text } of events)
    sender.send({ id: eventId({ stream: place.stream, seq }), data: text })
  sender.end()
  return true
}

/** An id that names its stream. // HTTP-25 */
function eventId({ stream, seq }: Place): string {
  return `${stream}-${seq}`
}

/** The place that an id names; undefined for anything that was not made here. */
export function readEventId(id: string): Place | undefined {
  const [, stream, seq] = /^([0-9a-z]{1,12})-(\d{1,15})$/.exec(id) ?? []
  return stream === undefined || seq === undefined ? undefined : { stream, seq: Number(seq) }
}
