import { describe, expect, it } from 'vitest'
import { fakeClock, type FakeClock } from '../../test/support/fake-clock.ts'
import { turn } from '../../test/support/recovery.ts'
import { Refresher } from './changes.ts'

interface Scene {
  readonly clock: FakeClock
  readonly refresher: Refresher
  /** When readings began, from the start of the test. */
  readonly at: number[]
  /** Ends the reading that is under way. */
  readonly finish: (done: boolean) => void
}

function scene(reading: 'quick' | 'failing' | 'slow' = 'quick'): Scene {
  const clock = fakeClock(0)
  const at: number[] = []
  let end: ((done: boolean) => void) | undefined
  const refresher = new Refresher({
    clock,
    refresh: () => {
      at.push(clock.now())
      return reading === 'slow'
        ? new Promise((resolve) => (end = resolve))
        : Promise.resolve(reading === 'quick')
    },
  })
  return { clock, refresher, at, finish: (done) => end?.(done) }
}

describe('reading a list again', () => {
  it('waits whether more follows, and then happens once', async () => {
    const { clock, refresher, at } = scene()
    refresher.poke()
    await clock.advance(200)
    refresher.poke()
    await clock.advance(249)
    expect(at).toEqual([])
    await clock.advance(1)
    await clock.advance(60_000)
    expect(at).toEqual([450])
    expect(clock.pending).toBe(0)
  })

  it('is not put off for ever by words that do not end', async () => {
    const { clock, refresher, at } = scene()
    for (let time = 0; time < 10_000; time += 100) {
      refresher.poke()
      await clock.advance(100)
    }
    expect(at.length).toBeGreaterThanOrEqual(4)
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2000)
    expect(at[0]).toBe(2000)
  })

  it('happens at most every two seconds', async () => {
    const { clock, refresher, at } = scene()
    refresher.poke()
    await clock.advance(300)
    refresher.poke()
    await clock.advance(10_000)
    expect(at).toEqual([250, 2250])
  })

  it('never happens twice at the same time, and follows what was said meanwhile', async () => {
    const { clock, refresher, at, finish } = scene('slow')
    refresher.poke()
    await clock.advance(250)
    refresher.poke()
    await clock.advance(9000)
    expect(at).toEqual([250])
    finish(true)
    await turn()
    await clock.advance(0)
    expect(at).toEqual([250, 9250])
    finish(true)
    await turn()
    await clock.advance(60_000)
    expect(at).toHaveLength(2)
  })

  it('is tried again after a failure, later each time and at most half a minute', async () => {
    const { clock, refresher, at } = scene('failing')
    refresher.poke()
    await clock.advance(120_000)
    const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0))
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    refresher.stop()
    expect(clock.pending).toBe(0)
  })

  it('ends when it is stopped, whatever is under way', async () => {
    const { clock, refresher, at, finish } = scene('slow')
    refresher.poke()
    await clock.advance(250)
    refresher.stop()
    finish(false)
    refresher.poke()
    await clock.advance(60_000)
    expect(at).toEqual([250])
    expect(clock.pending).toBe(0)
  })
})
