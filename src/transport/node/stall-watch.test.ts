import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { StallWatch } from './stall-watch.ts'

it('calls when nothing has moved for the time, counted from the last move', async () => {
  const clock = fakeClock()
  const stalls: number[] = []
  const watch = new StallWatch(clock, 1000, () => stalls.push(clock.now()))
  const start = clock.now()
  watch.moved()
  await clock.advance(900)
  watch.moved()
  await clock.advance(999)
  expect(stalls).toEqual([])
  await clock.advance(1)
  expect(stalls).toEqual([start + 1900])
  expect(clock.pending).toBe(0)
})

it('says nothing while nothing is under way, and watches again afterwards', async () => {
  const clock = fakeClock()
  let stalls = 0
  const watch = new StallWatch(clock, 1000, () => (stalls += 1))
  watch.moved()
  watch.rest()
  await clock.advance(5000)
  expect(stalls).toBe(0)
  watch.moved()
  await clock.advance(1000)
  expect(stalls).toBe(1)
})

it('leaves no timer when it is stopped', async () => {
  const clock = fakeClock()
  let stalls = 0
  const watch = new StallWatch(clock, 1000, () => (stalls += 1))
  watch.moved()
  watch.stop()
  watch.stop()
  expect(clock.pending).toBe(0)
  await clock.advance(5000)
  expect(stalls).toBe(0)
})
