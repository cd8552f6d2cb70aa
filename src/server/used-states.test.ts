import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { ElicitationIds } from './elicitation-ids.ts'
import { usedStatesInMemory } from './used-states.ts'

describe('states that were used', () => {
  it('are known until their end, and no longer [MRTR-11]', async () => {
    const clock = fakeClock(0)
    const states = usedStatesInMemory(clock)
    expect([states.use('a', 100), states.use('a', 100), states.use('b', 200)]).toEqual([
      true,
      false,
      true,
    ])
    await clock.advance(150)
    expect([states.use('b', 200), states.use('a', 300)]).toEqual([false, true])
  })

  it('are remembered up to a limit, the newest ones', () => {
    const states = usedStatesInMemory(fakeClock(0), 3)
    for (const id of ['a', 'b', 'c', 'd']) void states.use(id, 1000)
    expect(['b', 'c', 'd'].map((id) => states.use(id, 1000))).toEqual([false, false, false])
    expect(states.use('a', 1000)).toBe(true)
  })
})

describe('visits that were asked for', () => {
  it('end once each, and the newest thousand of them [ELIC-16]', () => {
    const ids = new ElicitationIds()
    expect(ids.take('a')).toBe(false)
    for (let count = 0; count <= 1024; count += 1) ids.add(`v${count}`)
    expect([ids.take('v0'), ids.take('v1'), ids.take('v1'), ids.take('v1024')]).toEqual([
      false,
      true,
      false,
      true,
    ])
  })
})
