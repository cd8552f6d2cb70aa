import { describe, expect, it } from 'vitest'
import { notification } from '../../../test/support/fake-http.ts'
import { room, settled } from '../../../test/support/http-room.ts'
import { MemoryEventStore } from './event-store.ts'

describe('a stream', () => {
  it('begins with an id and nothing else, and says when to come again [HTTP-15]', async () => {
    const { call } = await room({ retryMs: 700 })
    const { reply, work } = await call(1)
    work.inbound.notify('said', {})
    const [first, second] = reply.events
    expect(first).toEqual({ id: expect.stringMatching(/-0$/), retry: 700, data: '' })
    expect(second?.id).toMatch(/-1$/)
  })

  it('begins with its first message where the revision does not prime', async () => {
    const { call } = await room({ traits: { primesStreams: false } })
    const { reply, work } = await call(1)
    work.inbound.notify('said', {})
    expect(reply.events.map(({ id, retry }) => [id?.endsWith('-1'), retry])).toEqual([
      [true, undefined],
    ])
  })

  it('has no ids where nothing can be taken up again', async () => {
    const { call } = await room({ traits: { resumable: false } })
    const { reply, work } = await call(1)
    work.inbound.notify('said', {})
    expect(reply.events).toEqual([{ data: JSON.stringify(notification('said', {})) }])
  })

  it('has ids that are unlike those of every other stream of its session [HTTP-25]', async () => {
    const { call, listen, talk } = await room()
    const calls = [await call(1), await call(2)]
    const alone = listen()
    for (const { work } of calls) work.inbound.notify('said', {})
    talk.peer.notify('said', {})
    const ids = [...calls.map(({ reply }) => reply), alone].flatMap(({ events }) =>
      events.map(({ id }) => id),
    )
    expect(ids).toHaveLength(6)
    expect(new Set(ids).size).toBe(6)
  })

  it('gets a comment when it was silent for a while [HTTP-80]', async () => {
    const { call, clock } = await room({ keepAliveMs: 15_000 })
    const { reply, work } = await call(1)
    work.inbound.notify('said', {})
    const before = reply.text
    await clock.advance(14_500)
    expect(reply.text).toBe(before)
    await clock.advance(1500)
    expect(reply.text).toBe(`${before}: keep-alive\n\n`)
  })

  it('that nobody reads is cut off at its limit, and the others go on', async () => {
    const { call, endpoint } = await room({ maxUnsentBytes: 100 })
    const slow = await call(1)
    const other = await call(2)
    slow.work.inbound.notify('said', { text: 'x'.repeat(1000) })
    expect(slow.reply.state).toBe('open')
    slow.reply.unsent = 101
    slow.work.inbound.notify('said', {})
    other.work.inbound.notify('said', {})
    expect([slow.reply.state, other.reply.state, endpoint.open]).toEqual(['cut', 'open', 1])
  })

  it('that nobody reads is cut off also when nothing is said on it', async () => {
    const { call, clock } = await room({ maxUnsentBytes: 100, keepAliveMs: 1000 })
    const { reply, work } = await call(1)
    work.inbound.notify('said', {})
    reply.unsent = 101
    await clock.advance(1100)
    expect(reply.state).toBe('cut')
  })
})

describe('a connection that breaks', () => {
  it('does not end the work [HTTP-18]', async () => {
    const { call } = await room()
    const { reply, work } = await call(1)
    reply.leave()
    await settled()
    expect(work.inbound.cancelled).toBe(false)
    work.answer()
    await settled()
    expect(reply.state).toBe('waiting')
  })

  it('loses nothing of a stream that was begun: what is missed is told to whoever takes it up [HTTP-26]', async () => {
    const { call, listen } = await room()
    const { reply, work } = await call(1)
    work.inbound.notify('said', { n: 1 })
    work.inbound.notify('said', { n: 2 })
    const seen = reply.events[1]?.id
    reply.leave()
    work.inbound.notify('said', { n: 3 })
    const again = listen(seen)
    await again.until(() => again.messages.length >= 2)
    expect([again.status, again.state]).toEqual([200, 'open'])
    work.answer()
    await again.whole()
    expect(again.messages).toEqual([
      notification('said', { n: 2 }),
      notification('said', { n: 3 }),
      { jsonrpc: '2.0', id: 1, result: { done: true } },
    ])
  })

  it('finds the answer in the store when the work ended meanwhile', async () => {
    const { call, listen } = await room()
    const { reply, work } = await call(1)
    work.inbound.notify('said', { n: 1 })
    const [primed] = reply.events
    reply.leave()
    work.answer()
    await settled()
    const again = listen(primed?.id)
    await again.whole()
    expect(again.messages.map(({ method, id }) => method ?? id)).toEqual(['said', 1])
    expect(again.events.map(({ id }) => id)).toEqual(
      [1, 2].map((seq) => primed?.id?.replace(/0$/, String(seq))),
    )
  })

  it('is ended when another takes its stream up, also when nobody noticed that it was broken', async () => {
    const { call, listen } = await room()
    const { reply, work } = await call(1)
    work.inbound.notify('said', { n: 1 })
    const again = listen(reply.events[1]?.id)
    await again.until(() => again.state === 'open')
    expect(reply.state).toBe('ended')
    work.inbound.notify('said', { n: 2 })
    expect([reply.messages.length, again.messages]).toEqual([1, [notification('said', { n: 2 })]])
  })

  it('fails the question that could be asked on it alone', async () => {
    const { call, talk } = await room()
    const { reply, work } = await call(1)
    reply.leave()
    const { result } = talk.peer.request('question', {}, { facts: work.inbound.facts })
    await expect(result).rejects.toMatchObject({ code: 'DP_TRANSPORT_CLOSED', sent: 'no' })
  })
})

describe('Last-Event-ID', () => {
  it.each([
    '1-99',
    '9-0',
    '1-1-1',
    'x',
    '',
    '-1',
    '1-',
    '1--1',
    '1-1e3',
    '__proto__-1',
    `1-${'9'.repeat(400)}`,
    '1-0 ',
  ])('%j, which names no event, is answered with 400 and crashes nothing', async (id) => {
    const { call, listen } = await room()
    const { work } = await call(1)
    work.inbound.notify('said', {})
    const reply = listen(id)
    await reply.whole()
    expect([reply.status, reply.text.includes('said')]).toEqual([400, false])
    work.inbound.notify('said', {})
  })

  it('of another session brings nothing of it [HTTP-27]', async () => {
    const mine = await room()
    const { reply, work } = await mine.call(1)
    work.inbound.notify('secret', {})
    const other = { 'mcp-session-id': await mine.open(), 'last-event-id': reply.events[0]?.id }
    const stolen = await mine.ask({ method: 'GET', headers: other })
    expect([stolen.status, stolen.text.includes('secret')]).toEqual([400, false])
  })

  it('brings its own stream and no other [HTTP-27]', async () => {
    const { call, listen } = await room()
    const calls = [await call(1), await call(2)]
    for (const { work } of calls) work.inbound.notify('said', { by: work.inbound.id })
    const [first] = calls
    first?.reply.leave()
    const again = listen(first?.reply.events[0]?.id)
    await again.until(() => again.messages.length > 0)
    expect(again.messages).toEqual([notification('said', { by: 1 })])
  })

  it('of what is not kept any more is answered with 400, in place of a gap', async () => {
    const { call, listen } = await room({ eventStore: new MemoryEventStore({ maxEvents: 2 }) })
    const { reply, work } = await call(1)
    for (let n = 0; n < 5; n += 1) work.inbound.notify('said', { n })
    const again = listen(reply.events[1]?.id)
    await again.whole()
    expect(again.status).toBe(400)
  })

  it('works with a store that takes its time, and misses nothing that is said meanwhile', async () => {
    const memory = new MemoryEventStore()
    const gates: (() => void)[] = []
    const { call, listen } = await room({
      eventStore: {
        append: (...event) => memory.append(...event),
        forget: (session) => memory.forget(session),
        async read(...place) {
          const events = memory.read(...place)
          await new Promise<void>((resolve) => void gates.push(resolve))
          return events
        },
      },
    })
    const { reply, work } = await call(1)
    work.inbound.notify('said', { n: 1 })
    reply.leave()
    const again = listen(reply.events[0]?.id)
    await settled()
    work.inbound.notify('said', { n: 2 })
    gates.shift()?.()
    await settled()
    work.answer()
    await settled()
    gates.shift()?.()
    await settled()
    gates.shift()?.()
    await again.whole()
    expect(again.events.map(({ id }) => id?.split('-')[1])).toEqual(['1', '2', '3'])
  })

  it('is answered with 500 when the store fails', async () => {
    const memory = new MemoryEventStore()
    const { call, listen } = await room({
      eventStore: {
        append: (...event) => memory.append(...event),
        forget: (session) => memory.forget(session),
        read: () => Promise.reject(new Error('the disk is full')),
      },
    })
    const { reply, work } = await call(1)
    work.inbound.notify('said', {})
    const again = listen(reply.events[0]?.id)
    await again.whole()
    expect([again.status, again.text.includes('disk')]).toEqual([500, false])
  })
})
