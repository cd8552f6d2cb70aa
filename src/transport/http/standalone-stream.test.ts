import { describe, expect, it } from 'vitest'
import { notification } from '../../../test/support/fake-http.ts'
import { room, settled } from '../../../test/support/http-room.ts'

describe('a request that ends its own stream', () => {
  it('is asked for its answer later [HTTP-16]', async () => {
    const { call, listen } = await room()
    const { reply, work } = await call(1)
    expect(work.inbound.pauseStream(250)).toBe(true)
    expect([reply.state, reply.messages]).toEqual(['ended', []])
    expect(reply.events.map(({ retry }) => retry)).toEqual([1000, 250])
    work.answer()
    await settled()
    const again = listen(reply.events[0]?.id)
    await again.whole()
    expect(again.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { done: true } }])
  })

  it('goes on with a client that comes again before the answer', async () => {
    const { call, listen } = await room()
    const { reply, work } = await call(1)
    work.inbound.pauseStream(250)
    const again = listen(reply.events[0]?.id)
    await again.until(() => again.state === 'open')
    work.inbound.notify('said', {})
    work.answer()
    await again.whole()
    expect(again.messages).toHaveLength(2)
  })

  it.each(['primesStreams', 'resumable'] as const)(
    'goes on as before where the revision lacks %s [HTTP-14]',
    async (trait) => {
      const { call } = await room({ traits: { [trait]: false } })
      const { reply, work } = await call(1)
      expect(work.inbound.pauseStream(250)).toBe(false)
      expect(reply.state).toBe('waiting')
      work.answer()
      await reply.whole()
      expect(reply.json['id']).toBe(1)
    },
  )

  it('cannot do so after its answer', async () => {
    const { call } = await room()
    const { reply, work } = await call(1)
    work.answer()
    await reply.whole()
    expect(work.inbound.pauseStream(250)).toBe(false)
  })
})

describe('the stream of what belongs to no request', () => {
  it('gets it, and no answers [HTTP-20, HTTP-22]', async () => {
    const { call, listen, talk } = await room()
    const alone = listen()
    expect([alone.status, alone.state]).toEqual([200, 'open'])
    const { reply, work } = await call(1)
    talk.peer.notify('changed', {})
    work.answer()
    await reply.whole()
    expect(alone.messages).toEqual([notification('changed', {})])
  })

  it('is refused to a second connection while the first lives', async () => {
    const { listen, talk } = await room()
    const first = listen()
    const second = listen()
    await second.whole()
    talk.peer.notify('changed', {})
    expect([second.status, first.messages.length]).toEqual([409, 1])
    first.leave()
    expect(listen().state).toBe('open')
  })

  it('is open to GET with the right Accept only', async () => {
    const { ask, session } = await room()
    const headers = { ...session, accept: 'application/json' }
    expect((await ask({ method: 'GET', headers })).status).toBe(406)
  })

  it('is not there where the revision has none [HTTP-21]', async () => {
    const { listen } = await room({ traits: { standaloneStream: false } })
    const reply = listen()
    await reply.whole()
    expect(reply.status).toBe(405)
  })

  it('gets what was said before it was opened, at most a hundred messages of it', async () => {
    const { listen, talk, wire } = await room()
    for (let n = 0; n < 105; n += 1) talk.peer.notify('changed', { n })
    const alone = listen()
    expect(alone.messages.map(({ params }) => params)).toEqual(
      Array.from({ length: 100 }, (_, at) => ({ n: at + 5 })),
    )
    expect(
      wire.filter((event) => event.type === 'note' && event.note.kind === 'undelivered'),
    ).toHaveLength(5)
  })

  it('fails the question that it has no room for, at once', async () => {
    const { talk } = await room()
    const { result } = talk.peer.request('question', {})
    for (let n = 0; n < 100; n += 1) talk.peer.notify('changed', {})
    await expect(result).rejects.toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
  })

  it('does not ask what was given up before anybody came', async () => {
    const { listen, talk } = await room()
    const exchange = talk.peer.request('question', {})
    exchange.cancel('changed my mind')
    await expect(exchange.result).rejects.toMatchObject({ code: 'DP_CANCELLED' })
    expect(listen().messages).toEqual([])
  })

  it('is taken up where it was left, with what came while nobody was there', async () => {
    const { listen, talk } = await room()
    const first = listen()
    talk.peer.notify('changed', { n: 1 })
    talk.peer.notify('changed', { n: 2 })
    const seen = first.events[1]?.id
    first.leave()
    talk.peer.notify('changed', { n: 3 })
    const again = listen(seen)
    await again.until(() => again.messages.length >= 2)
    expect(again.messages.map(({ params }) => params)).toEqual([{ n: 2 }, { n: 3 }])
    talk.peer.notify('changed', { n: 4 })
    expect(again.messages).toHaveLength(3)
  })
})
