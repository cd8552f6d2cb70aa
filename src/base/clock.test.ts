import { describe, expect, it, vi } from 'vitest'
import { systemClock } from './clock.ts'

describe('the clock of the system', () => {
  it.each([2 ** 31, 1e15, Number.POSITIVE_INFINITY])(
    'does not run at once what is to run in %i ms, longer than timers can hold',
    (ms) => {
      vi.useFakeTimers()
      try {
        const run = vi.fn<() => void>()
        const timer = systemClock.after(ms, run)
        vi.advanceTimersByTime(1_000_000)
        expect(run).not.toHaveBeenCalled()
        timer.cancel()
        expect(vi.getTimerCount()).toBe(0)
      } finally {
        vi.useRealTimers()
      }
    },
  )
})
