/**
 * Finds out that the far side of a connection is gone when nothing says so: a pulled cable, a machine asleep.
 *
 * Any byte that comes is a sign of life; only after a silence the far side is asked for one. While nothing is read, because
 * the reader above is full, silence says nothing.
 */

import type { Clock, Timer } from '../../base/clock.ts'

export interface HeartbeatOptions {
  readonly clock: Clock
  /** Silence after which the far side is asked, in milliseconds. */
  readonly everyMs: number
  /** How long it may take until anything comes, in milliseconds. */
  readonly deadlineMs: number
  /** Bytes that came so far. */
  received(): number
  /** Whether nothing is read at the moment. */
  held(): boolean
  ask(): void
  /** Nothing came. Called at most once, and then the heart has stopped. */
  onDead(): void
}

/** What a heart that beats can be told. */
export interface Heartbeat {
  /** Leaves no timer. May be called more than once. */
  stop(): void
}

/** Begins at once. `everyMs` of 0 never asks. */
export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { clock, everyMs, deadlineMs } = options
  if (everyMs === 0) return { stop() {} }
  let received = options.received()
  let asked = false
  let timer: Timer | undefined
  const beat = (): void => {
    const quiet = options.received() === received && !options.held()
    if (quiet && asked) {
      timer = undefined
      return options.onDead()
    }
    received = options.received()
    asked = quiet
    if (quiet) options.ask()
    timer = clock.after(quiet ? deadlineMs : everyMs, beat)
  }
  timer = clock.after(everyMs, beat)
  return { stop: () => timer?.cancel() }
}
