/**
 * Many deadlines behind one coarse timer.
 *
 * A timer per call costs more than the rest of its bookkeeping. Here the deadlines stay where their owner keeps them
 * anyway, and one timer wakes at the earliest and looks through all. Deadlines may move later without touching it.
 */

import type { Clock, Timer } from './clock.ts'

export interface Deadline {
  /** Clock time in ms at which `expire` is due; Infinity for never. May be raised at any time. */
  readonly dueAt: number
  /** Called once it is due. Its owner takes it out, or raises `dueAt`: else it is called again. */
  expire(): void
}

/** Least time between two wake-ups, in ms: how late an expiry may be. */
const GRAIN_MS = 5

export class DeadlineQueue {
  readonly #clock: Clock
  readonly #deadlines: () => Iterable<Deadline>
  #timer: Timer | undefined
  #wakesAt = Number.POSITIVE_INFINITY

  /** `deadlines` gives all that count at the moment; it may change while one of them expires. */
  constructor(clock: Clock, deadlines: () => Iterable<Deadline>) {
    this.#clock = clock
    this.#deadlines = deadlines
  }

  /** Says that there is one more, or that one has become earlier. Nothing is said when one goes. */
  watch(dueAt: number): void {
    if (dueAt < this.#wakesAt) this.#arm(dueAt)
  }

  /** Frees the timer. */
  stop(): void {
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
    this.stop()
    const now = this.#clock.now()
    const expired: Deadline[] = []
    for (const deadline of this.#deadlines()) {
      if (deadline.dueAt <= now) expired.push(deadline)
    }
    for (const deadline of expired) deadline.expire()
    let next = Number.POSITIVE_INFINITY
    for (const { dueAt } of this.#deadlines()) next = Math.min(next, dueAt)
    this.watch(next)
  }
}
