import { describe, expect, it } from 'vitest'
import { AsyncQueue } from './async-queue.ts'

async function take<Item>(queue: AsyncQueue<Item>, count: number): Promise<Item[]> {
  const taken: Item[] = []
  for await (const item of queue) {
    taken.push(item)
    if (taken.length === count) break
  }
  return taken
}

describe('a queue with one reader', () => {
  it('hands out in order what came before and after the reader', async () => {
    const queue = new AsyncQueue<number>()
    void queue.push(1)
    const reading = take(queue, 3)
    void queue.push(2)
    void queue.push(3)
    expect(await reading).toEqual([1, 2, 3])
  })

  it('hands out what is queued before it ends', async () => {
    const queue = new AsyncQueue<number>()
    void queue.push(1)
    queue.end()
    void queue.push(2)
    expect(await take(queue, 9)).toEqual([1])
  })

  it('gives its failure after what is queued', async () => {
    const queue = new AsyncQueue<number>()
    void queue.push(1)
    queue.end(new Error('broken'))
    const reader = queue[Symbol.asyncIterator]()
    expect(await reader.next()).toEqual({ value: 1, done: false })
    await expect(reader.next()).rejects.toThrow('broken')
  })

  it('wakes a reader that waits when it ends', async () => {
    const queue = new AsyncQueue<number>()
    const step = queue[Symbol.asyncIterator]().next()
    queue.end()
    expect(await step).toEqual({ value: undefined, done: true })
  })

  it('says full at its limit, takes the item all the same, and has room again when half is read', async () => {
    const queue = new AsyncQueue<number>({ limit: 4 })
    expect([1, 2, 3].map((item) => queue.push(item))).toEqual([undefined, undefined, undefined])
    const full = queue.push(4)
    expect(full).toBeInstanceOf(Promise)
    let room = false
    void full?.then(() => {
      room = true
    })
    const reader = queue[Symbol.asyncIterator]()
    await reader.next()
    expect(room).toBe(false)
    await reader.next()
    await full
    expect([await reader.next(), await reader.next()].map((step) => step.value)).toEqual([3, 4])
  })

  it('frees a pusher that waits when the reader leaves', async () => {
    const queue = new AsyncQueue<number>({ limit: 1 })
    const full = queue.push(1)
    await queue.return()
    await full
    expect(queue.size).toBe(0)
  })

  it('refuses a second reader', () => {
    const queue = new AsyncQueue<number>()
    queue[Symbol.asyncIterator]()
    expect(() => queue[Symbol.asyncIterator]()).toThrow(/read once/)
  })
})

it('says when there is something to poll, and when there never will be', async () => {
  const queue = new AsyncQueue<number>()
  const waited = queue.ready()
  void queue.push(1)
  expect(await waited).toBe(true)
  expect([queue.ready(), queue.poll(), queue.poll()]).toEqual([true, 1, undefined])
  const last = queue.ready()
  queue.end()
  expect([await last, queue.ready()]).toEqual([false, false])
})

it('still hands out what was queued before it ended', () => {
  const queue = new AsyncQueue<number>()
  void queue.push(1)
  queue.end()
  expect([queue.ready(), queue.poll(), queue.ready()]).toEqual([true, 1, false])
})
