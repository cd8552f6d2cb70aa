/** A clock that stands still until a test moves it. */
import type { Clock } from '../../src/base/clock.ts'

export interface FakeClock extends Clock {
  /** Timers that are set and have neither fired nor been cancelled. */
  readonly pending: number
  /** Moves time, firing what falls due in order, and lets promises settle after each timer. */
  advance(ms: number): Promise<void>
}

interface Entry {
  readonly at: number
  readonly run: () => void
}

export function fakeClock(start = 1_000): FakeClock {
  let now = start
  const entries = new Set<Entry>()
  const due = (until: number): Entry | undefined =>
    [...entries].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
  return {
    now: () => now,
    wall: () => now,
    after(ms, run) {
      const entry = { at: now + ms, run }
      entries.add(entry)
      return { cancel: () => void entries.delete(entry) }
    },
    get pending() {
      return entries.size
    },
    async advance(ms) {
      const until = now + ms
      for (let entry = due(until); entry !== undefined; entry = due(until)) {
        now = Math.max(now, entry.at)
        entries.delete(entry)
        entry.run()
        await new Promise(setImmediate)
      }
      now = until
      await new Promise(setImmediate)
    },
  }
}
