/**
 * One slow timer for everything at an endpoint that waits: answers that are late, streams that are silent, sessions that
 * nobody uses. Each member is asked once a second what it makes of the time; with no members there is no timer.
 */

import type { Clock, Timer } from '../../base/clock.ts'
import { Roster, type Seated } from '../../base/roster.ts'

export interface Beating extends Seated {
  /** Called about once a second with the clock's time. May leave, and may make others join. */
  beat(now: number): void
  /** Called when the endpoint ends and nothing may be left of it. */
  stop?(): void
}

/** Time between two beats, in ms. */
export const BEAT_MS = 1000

export class Pulse {
  readonly clock: Clock
  readonly #members = new Roster<Beating>()
  #timer: Timer | undefined

  constructor(clock: Clock) {
    this.clock = clock
  }

  get size(): number {
    return this.#members.size
  }

  join(member: Beating): void {
    this.#members.add(member)
    this.#timer ??= this.clock.after(BEAT_MS, this.#beat)
  }

  /** The timer runs out by itself: members come and go far more often than it beats. */
  leave(member: Beating): void {
    this.#members.remove(member)
  }

  /** Stops every member, and the timer. */
  stop(): void {
    for (const member of this.#members) {
      this.#members.remove(member)
      member.stop?.()
    }
    this.#timer?.cancel()
    this.#timer = undefined
  }

  readonly #beat = (): void => {
    this.#timer = undefined
    const now = this.clock.now()
    for (const member of this.#members) member.beat(now)
    if (this.#members.size > 0) this.#timer ??= this.clock.after(BEAT_MS, this.#beat)
  }
}
