/** Whether a server says more than anyone can want to hear: too many notices, too much on stderr or that is no message. */

import type { Clock, Timer } from '../base/clock.ts'

export type FloodKind = 'notices' | 'stderr' | 'stray'

/** More than this within a second is a flood: messages that nobody asked for, and bytes. */
const FLOOD_LIMITS: Readonly<Record<FloodKind, number>> = Object.freeze({
  notices: 500,
  stderr: 1024 * 1024,
  stray: 1024 * 1024,
})
const WORDS: Readonly<Record<FloodKind, string>> = {
  notices: `sends more than ${FLOOD_LIMITS.notices} notices`,
  stderr: `writes more than ${FLOOD_LIMITS.stderr} bytes to stderr`,
  stray: `writes more than ${FLOOD_LIMITS.stray} bytes that are no messages to its output`,
}
const WINDOW_MS = 1000
/** So long without a flooded second is calm. */
const CALM_MS = 10_000

export interface FloodOptions {
  readonly clock: Clock
  readonly onFlood: (why: string) => void
  readonly onCalm: () => void
}

export class FloodMeter {
  readonly #options: FloodOptions
  readonly #counts: Record<FloodKind, number> = { notices: 0, stderr: 0, stray: 0 }
  #since: number
  #floodedAt: number | undefined
  #timer: Timer | undefined

  constructor(options: FloodOptions) {
    this.#options = options
    this.#since = options.clock.now()
  }

  count(kind: FloodKind, amount: number): void {
    const now = this.#options.clock.now()
    if (now - this.#since >= WINDOW_MS) {
      this.#since = now
      this.#counts.notices = 0
      this.#counts.stderr = 0
      this.#counts.stray = 0
    }
    this.#counts[kind] += amount
    if (this.#counts[kind] > FLOOD_LIMITS[kind]) this.#flooded(kind, now)
  }

  /** Frees the timer. */
  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#floodedAt = undefined
  }

  #flooded(kind: FloodKind, now: number): void {
    const before = this.#floodedAt
    this.#floodedAt = now
    if (before !== undefined) return
    this.#options.onFlood(`It ${WORDS[kind]} in a second.`)
    this.#watch(CALM_MS)
  }

  #watch(ms: number): void {
    this.#timer = this.#options.clock.after(ms, () => {
      const left = CALM_MS - (this.#options.clock.now() - (this.#floodedAt ?? 0))
      if (left > 0) return this.#watch(left)
      this.stop()
      this.#options.onCalm()
    })
  }
}
