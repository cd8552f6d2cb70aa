/** The system's clock, some times as fast: waits of minutes beside processes that take their real time. */
import { systemClock, type Clock } from '../../src/base/clock.ts'

export function fastClock(factor: number): Clock {
  const [now, wall] = [performance.now(), Date.now()]
  const passed = (): number => (performance.now() - now) * factor
  return {
    now: passed,
    wall: () => wall + passed(),
    // Never early: whoever waits may look at the clock afterwards.
    after: (ms, run) => systemClock.after(Math.ceil(ms / factor) + 1, run),
  }
}
