import { describe, expect, it } from 'vitest'
import { isJsonObject } from '../../base/json.ts'
import {
  FakeReply,
  fakeRequest,
  notification,
  request,
  stage,
  type RequestParts,
} from '../../../test/support/fake-http.ts'

const ALONE = { 'mcp-protocol-version': 'alone' }

function codeIn(reply: FakeReply): unknown {
  const { error } = reply.json
  return isJsonObject(error) ? error['code'] : undefined
}

describe('a request that is refused before anybody reads its message', () => {
  const body: RequestParts = { json: request(1, 'echo'), headers: ALONE }
  it.each<[string, RequestParts, number]>([
    ['for another Host', { ...body, headers: { host: 'evil.example' } }, 403],
    ['for another Origin', { ...body, headers: { origin: 'https://evil.example' } }, 403],
    ['for a target that is no path', { ...body, target: 'http://evil/' }, 400],
    ['for its method', { ...body, method: 'PUT' }, 405],
    ['for its method', { ...body, method: 'HEAD' }, 405],
    ['for its method', { ...body, method: 'post' }, 405],
    ['for asking as a page does and being none', { method: 'OPTIONS' }, 405],
    ['for the type of its body', { ...body, headers: { 'content-type': 'text/plain' } }, 415],
    [
      'for the type of its body',
      { ...body, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
    ],
    [
      'for the type of its body',
      { ...body, headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      415,
    ],
    [
      'for the type of its body',
      { ...body, headers: { 'content-type': 'text/plain; application/json' } },
      415,
    ],
    ['for a body without a type', { ...body, headers: { 'content-type': undefined } }, 415],
    ['for a packed body', { ...body, headers: { 'content-encoding': 'gzip' } }, 415],
    ['for what it accepts', { ...body, headers: { accept: 'text/html' } }, 406],
    ['for accepting no stream', { ...body, headers: { accept: 'application/json' } }, 406],
    ['for accepting no JSON', { ...body, headers: { accept: 'text/event-stream' } }, 406],
    ['for its path', { ...body, target: '/other' }, 404],
    ['for its path', { ...body, target: '/mcp/' }, 404],
    ['for its path', { ...body, target: '//mcp' }, 404],
    ['for its size', { headers: ALONE, body: { kind: 'too-large' } }, 413],
    ['for coming too slowly', { headers: ALONE, body: { kind: 'too-late' } }, 408],
    ['for being no UTF-8', { headers: ALONE, body: { kind: 'not-utf8' } }, 400],
  ])('is refused %s', async (_, parts, status) => {
    const { ask, talks } = stage({ path: '/mcp' })
    const reply = await ask(parts)
    expect(reply.status).toBe(status)
    expect(reply.headers['content-type']).toBe('application/json')
    expect(reply.json).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } })
    expect('id' in reply.json).toBe(false)
    expect(talks).toEqual([])
  })

  it('is told which methods there are [HTTP-21]', async () => {
    const { ask } = stage()
    expect((await ask({ method: 'PUT' })).headers['allow']).toBe('POST, GET, DELETE')
    expect((await ask({ method: 'GET' })).status).toBe(405)
    expect((await ask({ method: 'DELETE' })).status).toBe(405)
  })
})

describe('a message that passes', () => {
  it.each([
    ['a charset', { 'content-type': 'application/json; charset=utf-8' }],
    ['capitals', { 'content-type': 'Application/JSON' }],
    ['weights', { accept: 'text/event-stream;q=0.9 , application/json;q=1.0' }],
    ['a wish for anything', { accept: '*/*' }],
    ['no wish at all', { accept: undefined }],
    ['a body that is packed in nothing', { 'content-encoding': 'identity' }],
  ])('may come with %s', async (_, headers) => {
    const { ask } = stage()
    expect(
      (await ask({ json: request(1, 'echo'), headers: { ...ALONE, ...headers } })).status,
    ).toBe(200)
  })

  it('may come on any path when none was named, with any query', async () => {
    const parts = { json: request(1, 'echo'), headers: ALONE }
    expect((await stage().ask({ ...parts, target: '/anything' })).status).toBe(200)
    expect((await stage({ path: '/mcp' }).ask({ ...parts, target: '/mcp?x=/y' })).status).toBe(200)
  })
})

describe('a body that is no message', () => {
  it.each([
    ['broken JSON', '{"jsonrpc":"2.0","id":1,', -32700],
    ['nothing', '', -32700],
    ['null', 'null', -32600],
    ['a number', '5', -32600],
    ['nested too deep', '['.repeat(200) + ']'.repeat(200), -32600],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
  ])('is answered with 400 and no id when it is %s', async (_, text, code) => {
    const reply = await stage().ask({ body: { kind: 'text', text } })
    expect([reply.status, codeIn(reply), 'id' in reply.json]).toEqual([400, code, false])
  })

  it('is answered with 400 and its id when that can be read', async () => {
    const reply = await stage().ask({ json: { jsonrpc: '2.0', id: 3 } })
    expect([reply.status, codeIn(reply), reply.json['id']]).toEqual([400, -32600, 3])
  })

  it.each([
    ['a batch', [request(1, 'a')]],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'm' } }],
    ['a broken answer', { jsonrpc: '2.0', id: 1, result: 5 }],
  ])('and %s that is to stand for itself are refused [HTTP-51]', async (_, json) => {
    const { ask, talks } = stage()
    expect((await ask({ json, headers: ALONE })).status).toBe(400)
    expect(talks).toEqual([])
  })
})

describe('a message that belongs to a session', () => {
  it('is refused with 400 when it names none, with its id [HTTP-30]', async () => {
    const reply = await stage().ask({ json: request(7, 'ping') })
    expect([reply.status, reply.json['id']]).toEqual([400, 7])
  })

  it.each(['POST', 'GET', 'DELETE'])(
    'is refused with 404 by %s when there is no such session [HTTP-31]',
    async (method) => {
      const headers = { 'mcp-session-id': 'no-such-session' }
      expect((await stage().ask({ method, json: request(1, 'ping'), headers })).status).toBe(404)
    },
  )

  it.each(['POST', 'GET', 'DELETE'])(
    'is refused with 400 by %s in a version that is not spoken [HTTP-37]',
    async (method) => {
      const { ask, open } = stage()
      const headers = { 'mcp-session-id': await open(), 'mcp-protocol-version': 'unknown' }
      expect((await ask({ method, json: request(1, 'ping'), headers })).status).toBe(400)
    },
  )

  it('finds only POST where there are no sessions, whatever it names [VERS-20]', async () => {
    const { ask } = stage({ sessions: false })
    const reply = await ask({
      method: 'GET',
      headers: { 'mcp-session-id': 'x', 'last-event-id': 'y' },
    })
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'POST'])
  })
})

describe('whoever asks', () => {
  const parts: RequestParts = { json: request(1, 'echo'), headers: ALONE }

  it('is told to say who that is [HTTP-05]', async () => {
    const { ask, talks } = stage({ authenticate: () => undefined })
    const reply = await ask(parts)
    expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(talks).toEqual([])
  })

  it('is told in the words of the server', async () => {
    const challenge = 'Bearer resource_metadata="https://example.com/x"'
    const { ask } = stage({ authenticate: () => Promise.resolve(undefined), challenge })
    expect((await ask(parts)).headers['www-authenticate']).toBe(challenge)
  })

  it.each<[string, () => never | Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
  ])('is not let in when looking at the credentials %s', async (_, authenticate) => {
    const { ask, talks } = stage({ authenticate })
    const reply = await ask(parts)
    expect([reply.status, reply.text.includes('secret'), talks.length]).toEqual([500, false, 0])
  })

  it('is looked at after the Origin and before anything else [HTTP-88]', async () => {
    let looked = 0
    const authenticate = () => {
      looked += 1
      return undefined
    }
    const { ask } = stage({ authenticate, path: '/mcp' })
    const origin = await ask({ ...parts, headers: { origin: 'https://evil.example' } })
    expect([origin.status, looked]).toEqual([403, 0])
    const rest: RequestParts[] = [
      { method: 'PUT' },
      { target: '/x' },
      { headers: { accept: 'x/y' } },
      { method: 'GET' },
    ]
    const replies = await Promise.all(rest.map((one) => ask(one)))
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  })

  it('is known to the tools, and to the wire without any credential', async () => {
    const auth = { principal: 'alice', scopes: ['read'] }
    const { ask, wire } = stage({
      authenticate: (asked) =>
        asked.header('authorization') === 'Bearer s3cret' ? auth : undefined,
      onRequest: (_, { facts }) => ({ principal: facts?.auth?.principal ?? '' }),
    })
    const headers = {
      ...ALONE,
      authorization: 'Bearer s3cret',
      cookie: 's3cret',
      'mcp-session-id': 's3cret',
    }
    const reply = await ask({ ...parts, headers })
    expect(reply.json['result']).toEqual({ principal: 'alice' })
    expect(JSON.stringify(wire)).toContain('alice')
    expect(JSON.stringify(wire)).not.toContain('s3cret')
  })
})

describe('a page that was named', () => {
  const origin = 'https://app.example.com'
  const options = { allowedOrigins: [origin], authenticate: () => undefined }

  it('may ask whether it may ask, without credentials', async () => {
    const headers = { origin, 'access-control-request-method': 'POST' }
    const reply = await stage(options).ask({ method: 'OPTIONS', headers })
    expect(reply.status).toBe(204)
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': origin })
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined()
  })

  it('may read refusals as well', async () => {
    const reply = await stage(options).ask({ headers: { origin } })
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([401, origin])
  })

  it('is no other page', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const reply = await stage(options).ask({ method: 'OPTIONS', headers })
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([403, undefined])
  })
})

describe('the wire of a request', () => {
  it('has a connection of its own for each that stands for itself, with the headers that repeat it', async () => {
    const { ask, wire } = stage()
    const headers = { ...ALONE, 'mcp-method': 'echo', 'mcp-param-a': 'b', 'x-other': 'c' }
    await ask({ json: request(1, 'echo'), headers })
    await ask({ json: request(1, 'echo'), headers })
    const texts = wire.filter(({ type }) => type === 'message')
    expect(new Set(texts.map(({ connection }) => connection)).size).toBe(2)
    expect(texts[0]).toMatchObject({
      facts: {
        headers: { 'mcp-protocol-version': 'alone', 'mcp-method': 'echo', 'mcp-param-a': 'b' },
      },
    })
    expect(JSON.stringify(texts)).not.toContain('x-other')
  })
})

describe('an endpoint', () => {
  it('refuses more than may be open at once, and goes on when one is over', async () => {
    let answer = (): void => {}
    const { ask, send, endpoint } = stage({
      maxOpen: 1,
      onRequest: (method) =>
        method === 'wait' ? new Promise((resolve) => (answer = () => resolve({}))) : {},
    })
    const first = send({ json: request(1, 'wait'), headers: ALONE })
    await new Promise(setImmediate)
    const second = await ask({ json: request(2, 'echo'), headers: ALONE })
    expect([second.status, second.headers['retry-after'], second.json['id']]).toEqual([503, '1', 2])
    answer()
    await first.whole()
    expect(endpoint.open).toBe(0)
    expect((await ask({ json: request(3, 'echo'), headers: ALONE })).status).toBe(200)
  })

  it('that is closed has nothing left, and refuses what comes', async () => {
    const { endpoint, ask, send, open, clock } = stage({ onRequest: () => new Promise(() => {}) })
    const session = { 'mcp-session-id': await open() }
    const waiting = send({ json: request(1, 'wait'), headers: session })
    const alone = send({ json: request(1, 'wait'), headers: ALONE })
    const listening = send({ method: 'GET', headers: session })
    await new Promise(setImmediate)
    await endpoint.close()
    await endpoint.close()
    expect([waiting.status, alone.status, listening.state]).toEqual([404, 503, 'ended'])
    await clock.advance(60_000)
    expect([clock.pending, endpoint.open, endpoint.sessions]).toEqual([0, 0, 0])
    expect((await ask({ json: request(1, 'echo'), headers: ALONE })).status).toBe(503)
  })

  it('takes a notification without a session', async () => {
    const { ask, talks } = stage()
    const reply = await ask({ json: notification('said'), headers: ALONE })
    await new Promise(setImmediate)
    expect([reply.status, reply.text]).toEqual([202, ''])
    expect(talks[0]?.heard.map(({ method }) => method)).toEqual(['said'])
    expect(talks[0]?.channel.closed).toBe(true)
  })

  it('never throws, whatever a link does', () => {
    const { endpoint } = stage()
    const reply = new FakeReply()
    const broken = {
      ...fakeRequest({ json: request(1, 'x') }),
      header: (name: string) => (name === 'host' ? 'localhost:3000' : undefined),
    }
    expect(() => endpoint.handle(broken, reply)).not.toThrow()
    expect(reply.status).toBe(415)
  })
})
