/**
 * How fast a server may talk: a budget that fills up again with time, and progress that is told at that pace.
 */

import type { Clock, Timer } from '../base/clock.ts'

/** So many at once, then so many a second. Costs nothing while nobody takes. */
export class Budget {
  readonly #clock: Clock
  readonly #burst: number
  readonly #perMs: number
  #left: number
  #at: number

  constructor(clock: Clock, { burst, perSecond }: { burst: number; perSecond: number }) {
    this.#clock = clock
    this.#burst = burst
    this.#perMs = perSecond / 1000
    this.#left = burst
    this.#at = clock.now()
  }

  /** Takes one; false when there is none left. */
  take(): boolean {
    const now = this.#clock.now()
    this.#left = Math.min(this.#burst, this.#left + (now - this.#at) * this.#perMs)
    this.#at = now
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }

  /** Milliseconds until one can be taken. */
  get waitMs(): number {
    return this.#left >= 1 ? 0 : (1 - this.#left) / this.#perMs
  }
}

/** What is said of progress in one request: so many notices at once, then so many a second. // PROG-06 */
export const PROGRESS_PACE = { burst: 20, perSecond: 20 } as const
/** The same for log messages of one request. // LOG-08 */
export const LOG_PACE = { burst: 200, perSecond: 100 } as const

/** Sends the latest of what is offered: at once within the budget, else as soon as there is some again, or on `flush`. */
export class LatestPace<Value> {
  readonly #clock: Clock
  readonly #budget: Budget
  readonly #send: (value: Value) => void
  #held: { readonly value: Value } | undefined
  #timer: Timer | undefined

  constructor(
    clock: Clock,
    pace: { readonly burst: number; readonly perSecond: number },
    send: (value: Value) => void,
  ) {
    this.#clock = clock
    this.#budget = new Budget(clock, pace)
    this.#send = send
  }

  offer(value: Value): void {
    if (this.#held === undefined && this.#budget.take()) return this.#send(value)
    this.#held = { value }
    this.#timer ??= this.#clock.after(this.#budget.waitMs, () => this.#due())
  }

  /** Sends what is held back, and stops its timer. */
  flush(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    const held = this.#held
    this.#held = undefined
    if (held !== undefined) this.#send(held.value)
  }

  /** Forgets what is held back: nobody is to hear it. */
  drop(): void {
    this.#held = undefined
    this.flush()
  }

  #due(): void {
    this.#timer = undefined
    if (this.#held === undefined) return
    if (this.#budget.take()) return this.flush()
    // A clock may be early by a fraction of a millisecond.
    this.#timer = this.#clock.after(this.#budget.waitMs, () => this.#due())
  }
}
