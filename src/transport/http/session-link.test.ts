import { describe, expect, it } from 'vitest'
import { notification, request, stage } from '../../../test/support/fake-http.ts'
import { room, settled } from '../../../test/support/http-room.ts'

describe('an answer', () => {
  it('is JSON when it is the first thing to be said [HTTP-10]', async () => {
    const { call } = await room()
    const { reply, work } = await call(1)
    work.answer()
    await reply.whole()
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json'])
    expect(reply.json).toEqual({ jsonrpc: '2.0', id: 1, result: { done: true } })
  })

  it('ends the stream that something else has opened [HTTP-12, HTTP-13]', async () => {
    const { call } = await room()
    const { reply, work } = await call(1)
    work.inbound.notify('said', { n: 1 })
    expect([reply.status, reply.state, reply.headers['content-type']]).toEqual([
      200,
      'open',
      'text/event-stream',
    ])
    work.answer()
    await reply.whole()
    expect(reply.messages).toEqual([
      notification('said', { n: 1 }),
      { jsonrpc: '2.0', id: 1, result: { done: true } },
    ])
  })

  it('comes on a stream when it takes more than a second', async () => {
    const { call, clock } = await room()
    const { reply, work } = await call(1)
    await clock.advance(900)
    expect(reply.state).toBe('waiting')
    await clock.advance(1100)
    expect([reply.state, reply.messages.length]).toEqual(['open', 0])
    work.answer()
    await reply.whole()
    expect(reply.messages).toHaveLength(1)
  })

  it('carries the status that belongs to it', async () => {
    const { ask, session } = await room()
    const reply = await ask({ json: { jsonrpc: '2.0', id: 3 }, headers: session })
    expect([reply.status, reply.json['id']]).toEqual([400, 3])
  })

  it('goes to its own request, whatever the ids are [HTTP-24]', async () => {
    const { call } = await room()
    const one = await call(1)
    const text = await call('1')
    text.work.answer({ is: 'text' })
    one.work.answer({ is: 'number' })
    await Promise.all([one.reply.whole(), text.reply.whole()])
    expect([one.reply.json['result'], text.reply.json['result']]).toEqual([
      { is: 'number' },
      { is: 'text' },
    ])
  })

  it('to a second request with the id of one that runs is an error, on the second one alone', async () => {
    const { call, ask, session } = await room()
    const first = await call(1)
    const second = await ask({ json: request(1, 'wait'), headers: session })
    expect(second.json).toMatchObject({ id: 1, error: { code: -32600 } })
    expect(first.reply.state).toBe('waiting')
    first.work.answer()
    await first.reply.whole()
    expect(first.reply.json['result']).toEqual({ done: true })
  })

  it('does not come for a request that was cancelled, whose stream just ends [CANC-02]', async () => {
    const { call, ask, session } = await room()
    const { reply, work } = await call(1)
    const cancel = await ask({
      json: notification('notifications/cancelled', { requestId: 1 }),
      headers: session,
    })
    work.answer()
    await reply.whole()
    expect([cancel.status, reply.headers['content-type'], reply.messages]).toEqual([
      202,
      'text/event-stream',
      [],
    ])
  })
})

describe('the id of a session', () => {
  it('comes with the answer that opens it, and with no other [HTTP-28]', async () => {
    const { ask, open } = stage()
    const id = await open()
    expect(id).toMatch(/^[\w-]{32}$/)
    const reply = await ask({ json: request(1, 'echo'), headers: { 'mcp-session-id': id } })
    expect(reply.headers['mcp-session-id']).toBeUndefined()
  })

  it('is not given when the opening is refused, and nothing is left of it', async () => {
    const { ask, endpoint } = stage({ traits: { sessions: false } })
    const reply = await ask({ json: request(1, 'open') })
    expect([reply.headers['mcp-session-id'], endpoint.sessions]).toEqual([undefined, 0])
  })

  it('names nothing any more after DELETE [HTTP-31]', async () => {
    const { ask, session, talk, endpoint } = await room()
    expect((await ask({ method: 'DELETE', headers: session })).status).toBe(204)
    expect(talk.channel.closed).toBe(true)
    expect(endpoint.sessions).toBe(0)
    for (const method of ['POST', 'GET', 'DELETE'])
      expect((await ask({ method, json: request(1, 'echo'), headers: session })).status).toBe(404)
  })

  it('that is deleted ends what runs', async () => {
    const { ask, session, call } = await room()
    const { reply, work } = await call(1)
    await ask({ method: 'DELETE', headers: session })
    await settled()
    expect([reply.status, work.inbound.cancelled]).toEqual([404, true])
  })
})

describe('a notification or an answer of the client', () => {
  it('is taken with 202 and nothing else [HTTP-09]', async () => {
    const { ask, session, talk } = await room()
    const reply = await ask({ json: notification('said'), headers: session })
    expect([reply.status, reply.text, reply.headers]).toEqual([202, '', {}])
    expect(talk.heard.map(({ method }) => method)).toEqual(['said'])
  })

  it('settles the question that it answers', async () => {
    const { call, ask, session, talk } = await room()
    const { reply, work } = await call(1)
    const { id, result } = talk.peer.request('question', {}, { facts: work.inbound.facts })
    const { status } = await ask({
      json: { jsonrpc: '2.0', id, result: { yes: true } },
      headers: session,
    })
    expect([status, await result]).toEqual([202, { yes: true }])
    expect(reply.messages).toEqual([request(id, 'question', {})])
  })

  it('that is broken is refused, and its question fails', async () => {
    const { call, ask, session, talk } = await room()
    const { work } = await call(1)
    const { id, result } = talk.peer.request('question', {}, { facts: work.inbound.facts })
    const reply = await ask({ json: { jsonrpc: '2.0', id, result: 5 }, headers: session })
    expect(reply.status).toBe(400)
    await expect(result).rejects.toMatchObject({ code: 'DP_PROTOCOL_MESSAGE' })
  })
})

describe('a batch', () => {
  const batch = [request(1, 'echo'), notification('said'), request(2, 'echo')]

  it('is answered as one where the revision has them [HTTP-38]', async () => {
    const { ask, session, talk } = await room({ traits: { batches: true } })
    const reply = await ask({ json: batch, headers: session })
    expect(reply.status).toBe(200)
    expect(JSON.parse(reply.text)).toEqual([1, 2].map((id) => ({ jsonrpc: '2.0', id, result: {} })))
    expect(talk.heard).toHaveLength(1)
  })

  it('of notifications alone is taken with 202', async () => {
    const { ask, session } = await room({ traits: { batches: true } })
    expect((await ask({ json: [notification('said')], headers: session })).status).toBe(202)
  })

  it('has one status, whatever is wrong with a part of it', async () => {
    const { ask, session } = await room({ traits: { batches: true } })
    const reply = await ask({ json: [request(1, 'echo'), 5], headers: session })
    expect([reply.status, JSON.parse(reply.text).length]).toEqual([200, 2])
  })

  it.each([
    ['elsewhere', batch],
    ['when it is empty', []],
  ])('is refused with 400 %s', async (where, json) => {
    const { ask, session } = await room({ traits: { batches: where !== 'elsewhere' } })
    expect((await ask({ json, headers: session })).status).toBe(400)
  })
})

describe('one session', () => {
  it('answers so many requests at once and no more', async () => {
    const { call, ask, session } = await room({ maxSessionStreams: 2 })
    await call(1)
    await call(2)
    const third = await ask({ json: request(3, 'wait'), headers: session })
    expect([third.status, third.json['id'], third.headers['retry-after']]).toEqual([429, 3, '1'])
  })

  it('is one connection on the wire, with an exchange for each request', async () => {
    const { ask, session, wire } = await room()
    await ask({ json: request(1, 'echo'), headers: session })
    await ask({ json: request(2, 'echo'), headers: session })
    expect(new Set(wire.map(({ connection }) => connection)).size).toBe(1)
    const exchanges = wire.flatMap((event) =>
      event.type === 'message' ? [event.facts?.exchange] : [],
    )
    expect(exchanges).toEqual(['1', '1', '2', '2', '3', '3'])
    expect(JSON.stringify(wire)).not.toContain(session['mcp-session-id'])
  })
})
