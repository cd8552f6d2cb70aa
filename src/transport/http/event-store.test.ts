import { describe, expect, it } from 'vitest'
import { MemoryEventStore, type EventStoreLimits } from './event-store.ts'

/** A store with so many events `e1`, `e2`, … on a stream. */
function filled(count: number, limits: EventStoreLimits = {}, stream = 's'): MemoryEventStore {
  const store = new MemoryEventStore(limits)
  add(store, count, stream)
  return store
}

function add(store: MemoryEventStore, count: number, stream: string, last = false): void {
  for (let seq = 1; seq <= count; seq += 1)
    store.append('session', stream, { seq, text: `${stream}${seq}`, last: last && seq === count })
}

function texts(
  store: MemoryEventStore,
  after: number,
  stream = 's',
): readonly string[] | undefined {
  return store.read('session', stream, after)?.map(({ text }) => text)
}

describe('a store of events', () => {
  it('gives what came behind an event, oldest first', () => {
    expect(texts(filled(4), 2)).toEqual(['s3', 's4'])
    expect(texts(filled(4), 0)).toEqual(['s1', 's2', 's3', 's4'])
    expect(texts(filled(4), 4)).toEqual([])
  })

  it('gives nothing of another stream or another session [HTTP-27]', () => {
    const store = filled(2)
    add(store, 2, 'other')
    expect(texts(store, 0)).toEqual(['s1', 's2'])
    expect(store.read('another', 's', 0)).toBeUndefined()
    expect(store.read('session', 'third', 0)).toBeUndefined()
  })

  it.each([5, 1e15, -1])('knows no event %i of a stream of four', (after) => {
    expect(texts(filled(4), after)).toBeUndefined()
  })

  it('says so when some of what is asked for is gone, in place of a gap', () => {
    const store = filled(5, { maxEvents: 3 })
    expect(texts(store, 1)).toBeUndefined()
    expect(texts(store, 2)).toEqual(['s3', 's4', 's5'])
  })

  it('forgets a session with all its streams', () => {
    const store = filled(2)
    add(store, 2, 'other')
    store.forget('session')
    expect([texts(store, 0), texts(store, 0, 'other'), store.size]).toEqual([
      undefined,
      undefined,
      0,
    ])
  })
})

describe('the bounds of a store', () => {
  it('hold the characters of one stream, the newest event whatever its size', () => {
    const store = new MemoryEventStore({ maxCharacters: 10 })
    for (const [at, text] of ['12345', '12345', '123456789012'].entries())
      store.append('a', 's', { seq: at + 1, text, last: false })
    expect(store.read('a', 's', 2)?.length).toBe(1)
    expect(store.read('a', 's', 1)).toBeUndefined()
    expect(store.size).toBe(12)
  })

  it('hold the characters of all, the stream that was silent longest going first', () => {
    const store = new MemoryEventStore({ maxTotal: 10 })
    const say = (stream: string, seq: number): void =>
      store.append('a', stream, { seq, text: '1234', last: false })
    say('old', 1)
    say('young', 1)
    say('old', 2)
    expect(store.read('a', 'young', 0)).toBeUndefined()
    expect(store.read('a', 'old', 0)?.length).toBe(2)
    expect(store.size).toBe(8)
  })

  it('hold the ended streams of a session, and spare those that go on', () => {
    const store = filled(1, { maxEnded: 2 }, 'live')
    for (const stream of ['a', 'b', 'c']) add(store, 1, stream, true)
    expect(['live', 'a', 'b', 'c'].filter((one) => texts(store, 0, one) !== undefined)).toEqual([
      'live',
      'b',
      'c',
    ])
  })

  it('are a thousand events of a stream, unless it is told otherwise', () => {
    const store = filled(1100)
    expect(texts(store, 99)).toBeUndefined()
    expect(texts(store, 100)?.length).toBe(1000)
  })
})
