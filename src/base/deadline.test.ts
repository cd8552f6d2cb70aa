import { describe, expect, it } from 'vitest'
import { fakeClock, type FakeClock } from '../../test/support/fake-clock.ts'
import { DeadlineQueue, type Deadline } from './deadline.ts'

interface Stage {
  readonly clock: FakeClock
  readonly queue: DeadlineQueue
  readonly deadlines: Set<Deadline & { dueAt: number }>
  readonly expired: string[]
  readonly add: (name: string, dueAt: number) => Deadline & { dueAt: number }
}

function stage(): Stage {
  const clock = fakeClock(0)
  const deadlines = new Set<Deadline & { dueAt: number }>()
  const expired: string[] = []
  const queue = new DeadlineQueue(clock, () => deadlines)
  return {
    clock,
    queue,
    deadlines,
    expired,
    add(name, dueAt) {
      const deadline = {
        dueAt,
        expire: () => {
          expired.push(name)
          deadlines.delete(deadline)
        },
      }
      deadlines.add(deadline)
      queue.watch(dueAt)
      return deadline
    },
  }
}

describe('deadlines behind one timer', () => {
  it('expires each when it is due, with one timer for all', async () => {
    const { clock, add, expired } = stage()
    add('c', 300)
    add('a', 100)
    add('b', 200)
    expect(clock.pending).toBe(1)
    await clock.advance(150)
    expect(expired).toEqual(['a'])
    await clock.advance(1000)
    expect(expired).toEqual(['a', 'b', 'c'])
    expect(clock.pending).toBe(0)
  })

  it('respects a deadline that was raised after it was added', async () => {
    const { clock, add, expired } = stage()
    const one = add('one', 100)
    one.dueAt = 500
    await clock.advance(400)
    expect(expired).toEqual([])
    await clock.advance(200)
    expect(expired).toEqual(['one'])
  })

  it('does not expire what has gone, and then sleeps', async () => {
    const { clock, add, deadlines, expired } = stage()
    add('one', 100)
    deadlines.clear()
    await clock.advance(1000)
    expect(expired).toEqual([])
    expect(clock.pending).toBe(0)
  })

  it('arms nothing for a deadline that never comes', () => {
    const { clock, add } = stage()
    add('never', Number.POSITIVE_INFINITY)
    expect(clock.pending).toBe(0)
  })

  it('holds no timer after stop', () => {
    const { clock, add, queue } = stage()
    add('one', 100)
    queue.stop()
    expect(clock.pending).toBe(0)
  })

  it('takes a deadline that is added while another expires', async () => {
    const { clock, add, deadlines, expired, queue } = stage()
    const first = {
      dueAt: 10,
      expire: () => {
        deadlines.delete(first)
        add('second', 50)
      },
    }
    deadlines.add(first)
    queue.watch(10)
    await clock.advance(20)
    await clock.advance(100)
    expect(expired).toEqual(['second'])
  })
})
