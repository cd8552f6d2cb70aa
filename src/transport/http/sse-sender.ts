/**
 * Events to one connection: written as they come, with a comment when there were none for a while, and no further when
 * the far side does not read them. // HTTP-80
 */

import { writeEvent, type SseFields } from '../../formats/sse.ts'
import { BEAT_MS } from './pulse.ts'
import type { ReplyStream } from './server-request.ts'
import type { Host, Visit } from './visit.ts'
import type { World } from './world.ts'

export class SseSender implements Host {
  readonly #visit: Visit
  readonly #stream: ReplyStream
  readonly #world: World
  #silentMs = 0
  #open = true

  /** Begins the reply. */
  constructor(visit: Visit, world: World) {
    this.#visit = visit
    this.#world = world
    visit.wait(world.load, this)
    this.#stream = visit.stream()
  }

  /** Whether anybody is there, as far as is known. */
  get open(): boolean {
    return this.#open
  }

  /** False when it was not written, because this connection has come to its end. */
  send(fields: SseFields): boolean {
    if (!this.#open) return false
    // One event may be of any size; it is the next that shows that nobody reads.
    if (this.#stream.unsent > this.#world.maxUnsentBytes) {
      this.cut()
      return false
    }
    this.#silentMs = 0
    this.#stream.write(writeEvent(fields))
    return true
  }

  /** Called once a second. */
  beat(): void {
    if (!this.#open) return
    this.#silentMs += BEAT_MS
    if (this.#silentMs < this.#world.keepAliveMs) return
    if (this.#stream.unsent > this.#world.maxUnsentBytes) return this.cut()
    this.#silentMs = 0
    this.#stream.write(': keep-alive\n\n')
  }

  end(): void {
    if (!this.#open) return
    this.#open = false
    this.#visit.finish()
    this.#stream.end()
  }

  /** Breaks the connection off. */
  cut(): void {
    if (!this.#open) return
    this.#open = false
    this.#visit.finish()
    this.#stream.cut()
  }

  gone(): void {
    this.#open = false
  }
}
