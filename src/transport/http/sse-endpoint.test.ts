import { describe, expect, it } from 'vitest'
import {
  notification,
  request,
  stage,
  type FakeReply,
  type Stage,
  type StageOptions,
} from '../../../test/support/fake-http.ts'

const GET = { method: 'GET', target: '/sse', headers: { accept: 'text/event-stream' } }
const settled = (): Promise<void> => new Promise(setImmediate)

interface Old extends Stage {
  readonly stream: FakeReply
  /** Where the client was told to POST. */
  readonly target: string
}

function old(options: StageOptions = {}): Old {
  const set = stage({ legacySse: true, path: '/mcp', ...options })
  const stream = set.send(GET)
  return { ...set, stream, target: stream.events[0]?.data ?? '' }
}

describe('the old HTTP+SSE transport', () => {
  it('is not there unless it was asked for', async () => {
    const { ask } = stage({ path: '/mcp' })
    expect((await ask(GET)).status).toBe(404)
    expect((await ask({ target: '/messages', json: request(1, 'echo') })).status).toBe(404)
  })

  it('tells first where to POST, on an address that nobody can guess [HSSE-01, HSSE-02]', () => {
    const { stream, target } = old()
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream'])
    expect(stream.events).toEqual([{ event: 'endpoint', data: target }])
    expect(target).toMatch(/^\/messages\?session=[\w-]{32}$/)
  })

  it('answers on the stream, and the POST with nothing [HSSE-04]', async () => {
    const { ask, stream, target, talks } = old()
    const reply = await ask({ target, json: request(1, 'echo'), headers: { accept: undefined } })
    await stream.until(() => stream.events.length > 1)
    expect([reply.status, reply.text]).toEqual([202, ''])
    expect(stream.events[1]).toEqual({
      data: JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }),
    })
    expect(talks[0]?.handshake).toBe(true)
  })

  it('carries what the server says of itself', async () => {
    const { stream, talks } = old()
    await settled()
    talks[0]?.peer.notify('changed', {})
    expect(stream.events[1]).toEqual({
      data: JSON.stringify(notification('changed', {})),
    })
  })

  it.each([
    ['another session', '/messages?session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['no session', '/messages'],
    ['a session of the other transport', undefined],
  ])('finds nothing for %s', async (_, target) => {
    const set = old()
    const other = target ?? `/messages?session=${await set.open()}`
    expect((await set.ask({ target: other, json: request(1, 'echo') })).status).toBe(404)
  })

  it('is no session of the newer transport', async () => {
    const { ask, target } = old()
    const headers = { 'mcp-session-id': target.split('=')[1] }
    for (const method of ['POST', 'GET', 'DELETE'])
      expect((await ask({ method, json: request(1, 'echo'), headers })).status).toBe(404)
  })

  it('ends with its stream', async () => {
    const { ask, stream, target, talks, endpoint } = old()
    stream.leave()
    await settled()
    expect([talks[0]?.channel.closed, endpoint.sessions, endpoint.open]).toEqual([true, 0, 0])
    expect((await ask({ target, json: request(1, 'echo') })).status).toBe(404)
  })

  it('ends when nobody reads the stream', async () => {
    const { stream, talks, endpoint } = old({ maxUnsentBytes: 100 })
    await settled()
    stream.unsent = 101
    talks[0]?.peer.notify('changed', {})
    await settled()
    expect([stream.state, endpoint.sessions, talks[0]?.channel.closed]).toEqual(['cut', 0, true])
  })

  it('gets comments while it is silent, and lasts no longer than a session may', async () => {
    const { stream, clock, endpoint } = old({ sessionMaxMs: 60_000 })
    await clock.advance(16_000)
    expect(stream.text.endsWith(': keep-alive\n\n')).toBe(true)
    await clock.advance(60_000)
    expect([stream.state, endpoint.sessions]).toEqual(['ended', 0])
  })

  it('answers other methods with those that there are', async () => {
    const { ask } = old()
    const get = await ask({ target: '/messages', method: 'GET' })
    const post = await ask({ target: '/sse', json: request(1, 'initialize') })
    expect([get.status, get.headers['allow'], post.status, post.headers['allow']]).toEqual([
      405,
      'POST',
      405,
      'GET',
    ])
  })

  it('says at once what is no message', async () => {
    const { ask, stream, target } = old()
    const reply = await ask({ target, body: { kind: 'text', text: '{' } })
    await settled()
    expect([reply.status, stream.events.length]).toEqual([400, 1])
  })

  it.each([
    ['for another Origin', { origin: 'https://evil.example' }, 403],
    ['for another Host', { host: 'evil.example' }, 403],
    ['across sites', { 'sec-fetch-site': 'cross-site' }, 403],
    ['for what it accepts', { accept: 'application/json' }, 406],
  ])('opens nothing %s [HSSE-05]', async (_, headers, status) => {
    const { ask, endpoint } = stage({ legacySse: true })
    expect([(await ask({ ...GET, headers })).status, endpoint.sessions]).toEqual([status, 0])
  })

  it('is there only for whoever opened it', async () => {
    const authenticate: StageOptions['authenticate'] = (asked) => {
      const principal = asked.header('authorization')
      return principal === undefined ? undefined : { principal }
    }
    const set = stage({ legacySse: { path: '/old', messagesPath: '/old/say' }, authenticate })
    const stream = set.send({ ...GET, target: '/old', headers: { authorization: 'alice' } })
    const target = stream.events[0]?.data ?? ''
    expect(target.startsWith('/old/say?session=')).toBe(true)
    const say = (authorization: string | undefined) =>
      set.ask({ target, json: request(1, 'echo'), headers: { authorization } })
    expect((await say('bob')).status).toBe(404)
    expect((await say(undefined)).status).toBe(401)
    expect((await say('alice')).status).toBe(202)
  })

  it('opens no more than there may be', async () => {
    const { ask, endpoint } = old({ maxSessions: 1 })
    expect([(await ask(GET)).status, endpoint.sessions]).toEqual([503, 1])
  })

  it('stands beside the newer transport, which goes on [HSSE-06]', async () => {
    const { ask, open, target } = old()
    const headers = { 'mcp-session-id': await open() }
    expect((await ask({ json: request(1, 'echo'), headers })).status).toBe(200)
    expect((await ask({ target, json: request(1, 'echo') })).status).toBe(202)
  })

  it('keeps its address from the wire', async () => {
    const { ask, target, wire } = old()
    await ask({ target, json: request(1, 'echo') })
    await settled()
    expect(wire.length).toBeGreaterThan(2)
    expect(JSON.stringify(wire)).not.toContain(target.split('=')[1])
  })
})
