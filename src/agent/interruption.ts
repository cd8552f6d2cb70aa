/**
 * The end of a run from outside: one signal for all that it waits for. It comes from the user, or when the time of the run is over,
 * and the first of the two is what counts. Whoever listens to it gets some time to come to an end of its own; what does not is waited
 * for no longer.
 */

import type { Clock, Timer } from '../base/clock.ts'
import { asError, CancelledError } from '../base/errors.ts'

/** How long a model or a tool that was told to stop is waited for, in ms. */
const GRACE_MS = 2_000

export interface InterruptionOptions {
  /** Stops as the user does. */
  readonly signal?: AbortSignal | undefined
  /** When the time is over, in ms from now. Default: never. */
  readonly ms?: number | undefined
}

export class Interruption {
  readonly #clock: Clock
  readonly #controller = new AbortController()
  readonly #waits = new Set<() => void>()
  readonly #outer: AbortSignal | undefined
  readonly #onOuter = (): void => this.stop(this.#outer?.reason)
  readonly #until: number | undefined
  #deadline: Timer | undefined
  #by: 'user' | 'time' | undefined

  /** Call `release` at the end. */
  constructor(clock: Clock, { signal, ms }: InterruptionOptions = {}) {
    this.#clock = clock
    this.#outer = signal
    this.#until = ms === undefined ? undefined : clock.now() + ms
    if (signal?.aborted === true) this.stop(signal.reason)
    else {
      signal?.addEventListener('abort', this.#onOuter, { once: true })
      this.#look()
    }
  }

  /** The user interrupted. */
  get stopped(): boolean {
    return this.#by === 'user'
  }

  /** The time was over before the run was, and before the user interrupted. */
  get timedOut(): boolean {
    return this.#by === 'time'
  }

  /** Nothing new is to begin. */
  get over(): boolean {
    return this.#by !== undefined
  }

  /** How long it is until the time is over, in ms; undefined where there is no limit. */
  get leftMs(): number | undefined {
    return this.#until === undefined ? undefined : Math.max(0, this.#until - this.#clock.now())
  }

  /** By the user. */
  stop(reason?: unknown): void {
    this.#halt('user', reason)
  }

  /** Lets go of the signal from outside, and of the time. */
  release(): void {
    this.#outer?.removeEventListener('abort', this.#onOuter)
    this.#deadline?.cancel()
  }

  /**
   * Does something that can be told to stop, by a signal that all work of a run has in common; it must not throw at once. Rejects
   * with a `CancelledError` when the work has not ended 2 s after it was told.
   */
  during<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    if (this.over) return Promise.reject(this.#cancelled())
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

  #halt(by: 'user' | 'time', reason: unknown): void {
    if (this.over) return
    this.#by = by
    this.#deadline?.cancel()
    for (const wait of this.#waits) wait()
    this.#controller.abort(reason)
  }

  /** A timer may ring before a span that is longer than it can count to. */
  #look(): void {
    const left = this.leftMs
    if (left === undefined) return
    if (left <= 0) return this.#halt('time', new CancelledError(TIME_IS_OVER))
    this.#deadline = this.#clock.after(left, () => this.#look())
  }

  #cancelled(): CancelledError {
    const reason: unknown = this.#controller.signal.reason
    return new CancelledError(this.timedOut ? TIME_IS_OVER : 'The run was interrupted.', { reason })
  }
}

const TIME_IS_OVER = 'The time for the run is over.'
