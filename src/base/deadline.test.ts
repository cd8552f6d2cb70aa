import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { DeadlineQueue, type Deadline } from './deadline.ts'

function deadline(dueAt: number, expired: number[], name: number): Deadline {
  return { dueAt, expire: () => void expired.push(name) }
}

describe('deadlines behind one timer', () => {
  it('expires each when it is due, with one timer for all', async () => {
    const clock = fakeClock(0)
    const queue = new DeadlineQueue(clock)
    const expired: number[] = []
    for (const [name, due] of [300, 100, 200].entries()) queue.add(deadline(due, expired, name))
    expect(clock.pending).toBe(1)
    await clock.advance(150)
    expect(expired).toEqual([1])
    await clock.advance(1000)
    expect(expired).toEqual([1, 2, 0])
    expect(clock.pending).toBe(0)
  })

  it('respects a deadline that was raised after it was added', async () => {
    const clock = fakeClock(0)
    const queue = new DeadlineQueue(clock)
    const expired: number[] = []
    const one = deadline(100, expired, 1)
    queue.add(one)
    one.dueAt = 500
    await clock.advance(400)
    expect(expired).toEqual([])
    await clock.advance(200)
    expect(expired).toEqual([1])
  })

  it('does not expire what was removed', async () => {
    const clock = fakeClock(0)
    const queue = new DeadlineQueue(clock)
    const expired: number[] = []
    const one = deadline(100, expired, 1)
    queue.add(one)
    queue.remove(one)
    await clock.advance(1000)
    expect(expired).toEqual([])
    expect(clock.pending).toBe(0)
  })

  it('holds no timer after clear', async () => {
    const clock = fakeClock(0)
    const queue = new DeadlineQueue(clock)
    queue.add(deadline(100, [], 1))
    queue.clear()
    expect([clock.pending, queue.size]).toEqual([0, 0])
  })

  it('takes a deadline that is added while others expire', async () => {
    const clock = fakeClock(0)
    const queue = new DeadlineQueue(clock)
    const expired: number[] = []
    queue.add({ dueAt: 10, expire: () => queue.add(deadline(50, expired, 2)) })
    await clock.advance(20)
    await clock.advance(100)
    expect(expired).toEqual([2])
  })
})
