/**
 * How long to wait before something is tried again: doubling, with full jitter, so that many clients of one server do
 * not come back at the same moment.
 */

import type { Clock, Random } from '../base/clock.ts'

const FIRST_MS = 250
const LONGEST_MS = 30_000
/** Tries that may fail one after the other. */
export const MAX_TRIES = 5
/** What held for so long starts the count anew. */
export const HEALTHY_MS = 60_000

/** The pause before the try of this number, in ms; the one numbered 0 is made at once. */
export function pauseMs(tries: number, random: Random): number {
  if (tries <= 0) return 0
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1))
  const [a = 0, b = 0] = random(2)
  return Math.round((longest * (a * 256 + b)) / 65_535)
}

/** Waits; an abort of the signal ends the wait early, without an error. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      timer.cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = clock.after(ms, done)
    signal.addEventListener('abort', done, { once: true })
  })
}
