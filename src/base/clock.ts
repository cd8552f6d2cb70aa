/**
 * Time and chance as values that are passed in, so that a simulation can own both.
 *
 * Layers 0 to 4 take a `Clock` and a `Random`; nobody there calls `Date`, `performance`, `setTimeout` or
 * `Math.random` directly.
 */

export interface Timer {
  /** May be called more than once, also after the timer fired. */
  cancel(): void
}

export interface Clock {
  /** Monotonic milliseconds, with fractions; only differences mean something. */
  now(): number
  /** Milliseconds since 1970, for people and captures; may jump. */
  wall(): number
  /** Calls `run` once, at least `ms` later, or after 24 days if that is sooner. Does not keep the process alive. */
  after(ms: number, run: () => void): Timer
}

/** Bytes that an attacker cannot guess. */
export type Random = (bytes: number) => Uint8Array

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    // Timers of all platforms run at once what is to run later than they can count to.
    const timer: unknown = setTimeout(run, Math.min(ms, LONGEST_MS))
    // Node's timers hold the process open unless told otherwise; a browser's are numbers.
    if (isUnrefable(timer)) timer.unref()
    return { cancel: () => clearTimeout(timer as never) } // `timer` came from setTimeout two lines above
  },
}

const LONGEST_MS = 2 ** 31 - 1

export const systemRandom: Random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes))

function isUnrefable(timer: unknown): timer is { unref(): void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer
}
