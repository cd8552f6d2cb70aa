/**
 * Notices that a write is stuck: nothing of it was taken for a given time.
 *
 * One timer looks after all writes of a link: set and cleared for each, it would cost as much as a write.
 */

import type { Clock, Timer } from '../../base/clock.ts'

export class StallWatch {
  readonly #clock: Clock
  readonly #stallMs: number
  readonly #onStalled: () => void
  #timer: Timer | undefined
  #movedAt = 0
  #busy = false

  /** `onStalled` is called when `stallMs` have passed since the last `moved`, unless `rest` or `stop` came first. */
  constructor(clock: Clock, stallMs: number, onStalled: () => void) {
    this.#clock = clock
    this.#stallMs = stallMs
    this.#onStalled = onStalled
  }

  /** A piece is handed over now, which also says that the one before was taken. */
  moved(): void {
    this.#movedAt = this.#clock.now()
    this.#busy = true
    this.#timer ??= this.#watch(this.#stallMs)
  }

  /** Nothing is under way. */
  rest(): void {
    this.#busy = false
  }

  /** Leaves no timer. May be called more than once. */
  stop(): void {
    this.#busy = false
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #watch(ms: number): Timer {
    return this.#clock.after(ms, () => {
      this.#timer = undefined
      if (!this.#busy) return
      const left = this.#movedAt + this.#stallMs - this.#clock.now()
      if (left > 0) this.#timer = this.#watch(left)
      else this.#onStalled()
    })
  }
}
