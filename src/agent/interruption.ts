/**
 * The end of a run from outside: one signal for all that it waits for. Whoever listens to it gets some time to come to an end of its
 * own; what does not is waited for no longer.
 */

import type { Clock, Timer } from '../base/clock.ts'
import { asError, CancelledError } from '../base/errors.ts'

/** How long a model or a tool that was told to stop is waited for, in ms. */
const GRACE_MS = 2_000

export class Interruption {
  readonly #clock: Clock
  readonly #controller = new AbortController()
  readonly #waits = new Set<() => void>()
  readonly #outer: AbortSignal | undefined
  readonly #onOuter = (): void => this.stop(this.#outer?.reason)

  /** Stops when `outer` does. Call `release` at the end. */
  constructor(clock: Clock, outer?: AbortSignal) {
    this.#clock = clock
    this.#outer = outer
    if (outer?.aborted === true) this.stop(outer.reason)
    else outer?.addEventListener('abort', this.#onOuter, { once: true })
  }

  get stopped(): boolean {
    return this.#controller.signal.aborted
  }

  stop(reason?: unknown): void {
    if (this.stopped) return
    for (const wait of this.#waits) wait()
    this.#controller.abort(reason)
  }

  /** Lets go of the signal from outside. */
  release(): void {
    this.#outer?.removeEventListener('abort', this.#onOuter)
  }

  /**
   * Does something that can be told to stop, by a signal that all work of a run has in common; it must not throw at once. Rejects
   * with a `CancelledError` when the work has not ended 2 s after it was told.
   */
  during<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    if (this.stopped) return Promise.reject(this.#cancelled())
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined
      const onStop = (): void => {
        timer = this.#clock.after(GRACE_MS, () => reject(this.#cancelled()))
      }
      const over = (): void => {
        timer?.cancel()
        this.#waits.delete(onStop)
      }
      this.#waits.add(onStop)
      work(this.#controller.signal).then(
        (value) => {
          over()
          resolve(value)
        },
        (error: unknown) => {
          over()
          reject(asError(error))
        },
      )
    })
  }

  #cancelled(): CancelledError {
    const reason: unknown = this.#controller.signal.reason
    return new CancelledError('The run was interrupted.', { reason })
  }
}
