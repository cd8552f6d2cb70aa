import { describe, expect, it } from 'vitest'
import type { InboundRequest } from '../../jsonrpc/inbound-request.ts'
import {
  notification,
  request,
  stage,
  type FakeReply,
  type Stage,
  type StageOptions,
} from '../../../test/support/fake-http.ts'

const ALONE = { 'mcp-protocol-version': 'alone' }
const settled = (): Promise<void> => new Promise(setImmediate)

interface Running extends Stage {
  readonly reply: FakeReply
  readonly inbound: InboundRequest
  readonly answer: () => void
}

/** A request that stands for itself and is being worked on. */
async function running(options: StageOptions = {}): Promise<Running> {
  let inbound: InboundRequest | undefined
  let answer = (): void => {}
  const set = stage({
    ...options,
    onRequest: (_, asked) => {
      inbound = asked
      return new Promise((resolve) => (answer = () => resolve({ done: true })))
    },
  })
  const reply = set.send({ json: request(1, 'wait'), headers: ALONE })
  await settled()
  if (inbound === undefined) throw new Error('The request has not arrived.')
  return { ...set, reply, inbound, answer: () => answer() }
}

describe('a request that stands for itself', () => {
  it('is answered with JSON, and nothing is left of it', async () => {
    const { ask, talks, endpoint, clock } = stage({ onRequest: () => ({ done: true }) })
    const reply = await ask({ json: request('a', 'echo'), headers: ALONE })
    await settled()
    expect([reply.status, reply.json]).toEqual([
      200,
      { jsonrpc: '2.0', id: 'a', result: { done: true } },
    ])
    expect(talks.map(({ channel, handshake }) => [channel.closed, handshake])).toEqual([
      [true, false],
    ])
    await clock.advance(1000)
    expect([endpoint.open, endpoint.sessions, clock.pending]).toEqual([0, 0, 0])
  })

  it('names no session, whatever it was sent with [VERS-20]', async () => {
    const reply = await stage().ask({
      json: request(1, 'echo'),
      headers: { ...ALONE, 'mcp-session-id': 'x', 'last-event-id': '1-1' },
    })
    expect([reply.status, reply.headers['mcp-session-id']]).toEqual([200, undefined])
  })

  it('is answered on a stream once something was said for it [HTTP-77, HTTP-79]', async () => {
    const { reply, inbound, answer } = await running()
    inbound.notify('said', {})
    expect([reply.state, reply.headers]).toEqual([
      'open',
      {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    ])
    answer()
    await reply.whole()
    expect(reply.events).toEqual(
      [notification('said', {}), { jsonrpc: '2.0', id: 1, result: { done: true } }].map(
        (message) => ({ data: JSON.stringify(message) }),
      ),
    )
  })

  it('is answered on a stream when it takes more than a second', async () => {
    const { reply, answer, clock } = await running()
    await clock.advance(2000)
    expect([reply.state, reply.text]).toEqual(['open', ''])
    answer()
    await reply.whole()
    expect(reply.messages).toHaveLength(1)
  })

  it('gets a comment when its stream was silent for a while [HTTP-80]', async () => {
    const { reply, inbound, clock } = await running()
    inbound.notify('said', {})
    const before = reply.text
    await clock.advance(16_000)
    expect(reply.text).toBe(`${before}: keep-alive\n\n`)
  })

  it('is cancelled by a connection that ends before its answer, and nothing more is sent [HTTP-81]', async () => {
    const { reply, inbound, answer, endpoint, talks } = await running()
    inbound.notify('said', {})
    const before = reply.text
    const { signal } = inbound
    reply.leave()
    await settled()
    expect([signal.aborted, inbound.cancelled, endpoint.open, talks[0]?.channel.closed]).toEqual([
      true,
      true,
      0,
      true,
    ])
    inbound.notify('said', {})
    answer()
    await settled()
    expect(reply.text).toBe(before)
  })

  it('is cancelled also when nothing was said yet', async () => {
    const { reply, inbound } = await running()
    reply.leave()
    await settled()
    expect(inbound.cancelled).toBe(true)
  })

  it('is cancelled when nobody reads its stream', async () => {
    const { reply, inbound } = await running({ maxUnsentBytes: 100 })
    inbound.notify('said', {})
    reply.unsent = 101
    inbound.notify('said', {})
    await settled()
    expect([reply.state, inbound.cancelled]).toEqual(['cut', true])
  })

  it('is cancelled when nobody reads its comments', async () => {
    const { reply, inbound, clock } = await running({ maxUnsentBytes: 100, keepAliveMs: 1000 })
    inbound.notify('said', {})
    reply.unsent = 101
    await clock.advance(2000)
    expect([reply.state, inbound.cancelled]).toEqual(['cut', true])
  })

  it('is never asked anything back [HTTP-78]', async () => {
    const { reply, talks } = await running()
    const asked = talks[0]?.peer.request('question', {}).result
    await expect(asked).rejects.toMatchObject({ code: 'DP_TRANSPORT_CLOSED', sent: 'no' })
    expect(reply.state).toBe('waiting')
  })

  it('cannot end its stream early: nothing could be taken up again [HTTP-50]', async () => {
    const { reply, inbound } = await running()
    expect(inbound.pauseStream(100)).toBe(false)
    expect(reply.state).toBe('waiting')
  })

  it('never meets another with its id', async () => {
    const answers: (() => void)[] = []
    const { send } = stage({
      onRequest: (_, { facts }) =>
        new Promise((resolve) =>
          answers.push(() => resolve({ for: facts?.headers?.['mcp-name'] ?? '' })),
        ),
    })
    const replies = ['a', 'b', 'c'].map((name) =>
      send({ json: request(1, 'wait'), headers: { ...ALONE, 'mcp-name': name } }),
    )
    await settled()
    for (const answer of answers.toReversed()) answer()
    await Promise.all(replies.map((reply) => reply.whole()))
    expect(replies.map(({ json }) => json['result'])).toEqual(
      ['a', 'b', 'c'].map((name) => ({ for: name })),
    )
  })
})
