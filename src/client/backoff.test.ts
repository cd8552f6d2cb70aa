import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { pause, pauseMs } from './backoff.ts'

const highest = (): Uint8Array => new Uint8Array([255, 255])
const lowest = (): Uint8Array => new Uint8Array([0, 0])

describe('the pause before another try', () => {
  it('is none at first, then doubles from a quarter of a second to half a minute, at most', () => {
    expect([0, 1, 2, 3, 8, 9, 100].map((tries) => pauseMs(tries, highest))).toEqual([
      0, 250, 500, 1000, 30_000, 30_000, 30_000,
    ])
  })

  it('is anything from nothing to that, so that many do not come back at once', () => {
    expect([1, 5, 100].map((tries) => pauseMs(tries, lowest))).toEqual([0, 0, 0])
    expect(pauseMs(1, () => new Uint8Array([128, 0]))).toBe(125)
  })

  it('ends early when it is not wanted any more, and leaves no timer', async () => {
    const clock = fakeClock()
    const controller = new AbortController()
    const ended = pause(clock, 10_000, controller.signal)
    expect(clock.pending).toBe(1)
    controller.abort()
    await ended
    expect(clock.pending).toBe(0)
    await pause(clock, 10_000, controller.signal)
    await pause(clock, 0, new AbortController().signal)
  })
})
