import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { Budget, LatestPace } from './pace.ts'
import { Rates } from './rates.ts'

const PACE = { burst: 3, perSecond: 10 } as const

describe('a budget', () => {
  it('gives its burst at once, then so many a second, and never saves up more than the burst', async () => {
    const clock = fakeClock()
    const budget = new Budget(clock, PACE)
    const taken = (): number => {
      let count = 0
      while (budget.take()) count += 1
      return count
    }
    expect(taken()).toBe(3)
    expect(budget.waitMs).toBeCloseTo(100)
    await clock.advance(100)
    expect(taken()).toBe(1)
    await clock.advance(250)
    expect(taken()).toBe(2)
    await clock.advance(60_000)
    expect(taken()).toBe(3)
  })
})

describe('the latest of many', () => {
  it('is sent at once within the budget, then as soon as there is some again, the newest alone', async () => {
    const clock = fakeClock()
    const sent: number[] = []
    const pace = new LatestPace<number>(clock, PACE, (value) => void sent.push(value))
    for (let value = 1; value <= 10; value += 1) pace.offer(value)
    expect(sent).toEqual([1, 2, 3])
    await clock.advance(99)
    expect(sent).toEqual([1, 2, 3])
    await clock.advance(2)
    expect(sent).toEqual([1, 2, 3, 10])
    expect(clock.pending).toBe(0)
    pace.offer(11)
    pace.offer(12)
    await clock.advance(1000)
    expect(sent).toEqual([1, 2, 3, 10, 12])
  })

  it('is sent on a flush, and leaves no timer behind', async () => {
    const clock = fakeClock()
    const sent: number[] = []
    const pace = new LatestPace<number>(clock, PACE, (value) => void sent.push(value))
    for (let value = 1; value <= 5; value += 1) pace.offer(value)
    expect(clock.pending).toBe(1)
    pace.flush()
    expect(sent).toEqual([1, 2, 3, 5])
    expect(clock.pending).toBe(0)
    pace.flush()
    await clock.advance(1000)
    expect(sent).toEqual([1, 2, 3, 5])
  })
})

describe('rates', () => {
  it('are counted by principal over all links, and by link where there is none', () => {
    const rates = new Rates(fakeClock(), { burst: 2, perSecond: 1 })
    const [one, two] = [{}, {}]
    expect([rates.take(one, 'ann'), rates.take(two, 'ann'), rates.take(one, 'ann')]).toEqual([
      true,
      true,
      false,
    ])
    expect([
      rates.take(one, 'bob'),
      rates.take(one, undefined),
      rates.take(one, undefined),
    ]).toEqual([true, true, true])
    expect([rates.take(one, undefined), rates.take(two, undefined)]).toEqual([false, true])
  })

  it('remember so many principals, and forget whoever was quiet for longest', () => {
    const rates = new Rates(fakeClock(), { burst: 1, perSecond: 1 })
    for (let count = 0; count < 10_000; count += 1) rates.take({}, `p${count}`)
    expect(rates.take({}, 'p0')).toBe(false)
    rates.take({}, 'one more')
    expect(rates.take({}, 'p1')).toBe(true)
    expect(rates.take({}, 'p0')).toBe(false)
  })
})
