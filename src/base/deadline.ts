/**
 * Many deadlines behind one coarse timer.
 *
 * A timer per call costs more than the rest of its bookkeeping; here a call is one entry of a set, and one
 * timer wakes at the earliest deadline. Deadlines may move later without touching the timer.
 */

import type { Clock, Timer } from './clock.ts'

export interface Deadline {
  /** Clock time in ms at which `expire` is due. May be raised at any time; to lower it, add the deadline again. */
  dueAt: number
  expire(): void
}

/** Least time between two wake-ups, in ms: how late an expiry may be. */
const GRAIN_MS = 5

export class DeadlineQueue {
  readonly #clock: Clock
  readonly #deadlines = new Set<Deadline>()
  #timer: Timer | undefined
  #wakesAt = Number.POSITIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#deadlines.size
  }

  add(deadline: Deadline): void {
    this.#deadlines.add(deadline)
    if (deadline.dueAt < this.#wakesAt) this.#arm(deadline.dueAt)
  }

  /** Leaves the timer as it is: it finds nothing due and sleeps again, or goes when the set is empty. */
  remove(deadline: Deadline): void {
    this.#deadlines.delete(deadline)
  }

  /** Forgets all deadlines and frees the timer. */
  clear(): void {
    this.#deadlines.clear()
    this.#timer?.cancel()
    this.#timer = undefined
    this.#wakesAt = Number.POSITIVE_INFINITY
  }

  #arm(at: number): void {
    this.#timer?.cancel()
    this.#wakesAt = at
    this.#timer = this.#clock.after(Math.max(GRAIN_MS, at - this.#clock.now()), () => this.#wake())
  }

  #wake(): void {
    this.#timer = undefined
    this.#wakesAt = Number.POSITIVE_INFINITY
    const now = this.#clock.now()
    let next = Number.POSITIVE_INFINITY
    const expired: Deadline[] = []
    for (const deadline of this.#deadlines) {
      if (deadline.dueAt <= now) expired.push(deadline)
      else if (deadline.dueAt < next) next = deadline.dueAt
    }
    for (const deadline of expired) this.#deadlines.delete(deadline)
    if (next < this.#wakesAt) this.#arm(next)
    for (const deadline of expired) deadline.expire()
  }
}
