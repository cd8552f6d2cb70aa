import { describe, expect, it } from 'vitest'
import { TransportError } from '../base/errors.ts'
import { Lane, Pool, type Leave, type Ticket } from './lane.ts'

const NONE: Leave = () => undefined
const lane = (pool: Pool, concurrency: number = 2, queue: number = 3): Lane => {
  const made = new Lane({ server: 's', concurrency, queue, pool })
  made.open()
  return made
}

/** Remembers in which order places were given. */
function watch(ticket: Ticket, name: string, order: string[]): Promise<Leave> {
  return ticket.place.then((leave) => {
    order.push(name)
    return leave
  })
}

describe('a lane', () => {
  it('lets so many calls run at once and the others wait in their order', async () => {
    const one = lane(new Pool(100))
    const first = one.enter() ?? NONE
    expect(one.enter()).toBeDefined()
    expect(one.enter()).toBeUndefined()
    const order: string[] = []
    const places = ['a', 'b'].map((name) => watch(one.queue(), name, order))
    expect([one.running, one.waiting]).toEqual([2, 2])
    first()
    const leave = await places[0]
    expect(order).toEqual(['a'])
    leave?.()
    await places[1]
    expect(order).toEqual(['a', 'b'])
    expect([one.running, one.waiting]).toEqual([2, 0])
  })

  it('refuses a call that would wait behind too many, and says that it was not sent', () => {
    const one = lane(new Pool(100), 1, 2)
    one.enter()
    one.queue()
    one.queue()
    expect(() => one.queue()).toThrow(TransportError)
    expect(() => one.queue()).toThrow(
      expect.objectContaining({ code: 'DP_TRANSPORT_OVERLOADED', sent: 'no', server: 's' }),
    )
  })

  it('lets a call that waited before go ahead of the others, and past the limit', async () => {
    const one = lane(new Pool(100), 1, 1)
    const first = one.enter() ?? NONE
    const order: string[] = []
    void watch(one.queue(), 'late', order)
    const again = watch(one.queue(true), 'again', order)
    first()
    await again
    expect(order).toEqual(['again'])
  })

  it('takes a place back once, however often it is given back', () => {
    const pool = new Pool(100)
    const one = lane(pool)
    const leave = one.enter() ?? NONE
    leave()
    leave()
    expect([one.running, pool.used]).toEqual([0, 0])
  })

  it('lets nothing go while it is held, and all when it is open again', async () => {
    const one = lane(new Pool(100))
    one.hold()
    expect(one.enter()).toBeUndefined()
    const ticket = one.queue()
    expect(one.waiting).toBe(1)
    one.open()
    await ticket.place
    expect(one.running).toBe(1)
  })

  it('refuses all that wait when there is no hope, and not those that run', async () => {
    const one = lane(new Pool(100), 1)
    one.enter()
    const tickets = [one.queue(), one.queue()]
    one.refuse(() => new TransportError('DP_TRANSPORT_UNAVAILABLE', 'gone'))
    await Promise.all(
      tickets.map(({ place }) => expect(place).rejects.toMatchObject({ message: 'gone' })),
    )
    expect([one.running, one.waiting]).toEqual([1, 0])
  })

  it('forgets a call that was given up', async () => {
    const one = lane(new Pool(100), 1)
    const first = one.enter() ?? NONE
    const [gone, next] = [one.queue(), one.queue()]
    gone.abandon(new Error('enough'))
    await expect(gone.place).rejects.toThrow('enough')
    first()
    await next.place
    next.abandon(new Error('too late'))
    expect([one.running, one.waiting]).toEqual([1, 0])
  })

  it('follows new limits', async () => {
    const one = lane(new Pool(100), 1)
    one.enter()
    const ticket = one.queue()
    one.resize({ concurrency: 2, queue: 0 })
    await ticket.place
    expect(one.running).toBe(2)
    expect(() => one.queue()).toThrow('calls wait')
  })
})

describe('a pool of several lanes', () => {
  it('holds all lanes together to its limit, and takes turns', async () => {
    const pool = new Pool(2)
    const [one, other] = [lane(pool, 9), lane(pool, 9)]
    const first = one.enter() ?? NONE
    other.enter()
    const order: string[] = []
    const places = [
      watch(one.queue(), 'one', order),
      watch(one.queue(), 'one', order),
      watch(other.queue(), 'other', order),
    ]
    expect([pool.used, one.waiting, other.waiting]).toEqual([2, 2, 1])
    first()
    const next = await places[0]
    expect(pool.used).toBe(2)
    next?.()
    await Promise.all(places)
    expect(order).toEqual(['one', 'other', 'one'])
  })

  it('always lets one call of a lane run, however full it is', () => {
    const pool = new Pool(2)
    const greedy = lane(pool, 9)
    greedy.enter()
    greedy.enter()
    expect(greedy.enter()).toBeUndefined()
    const modest = lane(pool, 9)
    expect(modest.enter()).toBeDefined()
    expect(modest.enter()).toBeUndefined()
  })

  it('does not wait for a lane that is held', async () => {
    const pool = new Pool(2)
    const [one, other] = [lane(pool, 9), lane(pool, 9)]
    const first = one.enter() ?? NONE
    other.enter()
    void one.queue()
    const ticket = other.queue()
    one.hold()
    first()
    await ticket.place
    expect([one.waiting, other.running]).toEqual([1, 2])
  })

  it('serves who waits when its limit is raised', async () => {
    const pool = new Pool(1)
    const one = lane(pool, 9)
    one.enter()
    const ticket = one.queue()
    pool.resize(2)
    await ticket.place
    expect(pool.used).toBe(2)
  })
})
