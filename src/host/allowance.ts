/**
 * How much may be read of one source in a span of time, so that a flood of one server takes no time from the others. It only
 * says when it was too much, and until when to wait.
 */

import type { Clock } from '../base/clock.ts'

/** Both for each span. */
export interface AllowanceLimits {
  readonly messages: number
  readonly bytes: number
}

const SPAN_MS = 100

export class Allowance {
  readonly #clock: Clock
  readonly #limits: AllowanceLimits
  #since = Number.NEGATIVE_INFINITY
  #messages = 0
  #bytes = 0
  #next: Promise<void> | undefined

  constructor(clock: Clock, limits: AllowanceLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Settles when more may be read, where there was too much. */
  spend(bytes: number): Promise<void> | undefined {
    const now = this.#clock.now()
    if (now - this.#since >= SPAN_MS) {
      this.#since = now
      this.#messages = 0
      this.#bytes = 0
    }
    this.#messages += 1
    this.#bytes += bytes
    const { messages, bytes: most } = this.#limits
    if (this.#messages <= messages && this.#bytes <= most) return undefined
    this.#next ??= new Promise((resolve) => {
      this.#clock.after(this.#since + SPAN_MS - now, () => {
        this.#next = undefined
        resolve()
      })
    })
    return this.#next
  }
}
