/**
 * The client over HTTP against servers that do one thing otherwise than one would expect, as servers in the world do.
 */
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { resultToText } from '../../src/tools/content.ts'
import { http, type NodeHttpOptions } from '../../src/transport/node/http-client.ts'
import { serveHttp } from '../support/http/servers.ts'
import {
  callIn,
  sendJson,
  smallServer,
  startEvents,
  type Misbehaviour,
  type SmallServer,
} from '../support/http/small-server.ts'
import { failureOf } from '../support/odd-peer.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function start(misbehave?: Misbehaviour): Promise<SmallServer> {
  const server = await smallServer(misbehave)
  closing.push(() => server.close())
  return server
}

async function join(
  url: string,
  options: ClientOptions = {},
  way: NodeHttpOptions = {},
): Promise<Client> {
  const client = await connect(http(url, way), { era: 'legacy', ...options })
  closing.push(() => client.close())
  return client
}

const echo = async (client: Client, args = {}): Promise<unknown> =>
  JSON.parse(resultToText(await client.callTool('echo', args)))

describe('a server that has POST only', () => {
  it('is done with: no stream and no end of a session are no errors', async () => {
    const server = await start(({ verb, message }, response, usual) => {
      if (verb === 'POST' && message?.['method'] === 'initialize') {
        sendJson(response, usual, 200, { 'mcp-session-id': 's' })
        return true
      }
      if (verb === 'POST') return false
      response.writeHead(verb === 'GET' ? 404 : 501, { 'content-type': 'text/html' })
      response.end('<html>Cannot do that')
      return true
    })
    const client = await join(`${server.url}/mcp`)
    expect(await echo(client, { a: 1 })).toEqual({ a: 1 })
    await client.close()
    expect(server.seen.filter(({ verb }) => verb !== 'POST').map(({ verb }) => verb)).toEqual([
      'GET',
      'DELETE',
    ])
  })
})

describe('a server of the old transport', () => {
  async function oldServer(): Promise<SmallServer> {
    let stream: ServerResponse | undefined
    return start(({ verb, path }, response, usual) => {
      if (verb === 'GET' && path === '/base/sse') {
        stream = startEvents(response)
        stream.write(': hello\r\n\r\nevent: endpoint\r\ndata: post?session=7&x=a%20b\r\n\r\n')
      } else if (verb === 'POST' && path === '/base/post?session=7&x=a%20b') {
        response.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted')
        if (usual !== undefined) stream?.write(`data: ${JSON.stringify(usual)}\r\n\r\n`)
      } else response.writeHead(path === '/base/sse' ? 405 : 404).end()
      return true
    })
  }

  it('is found behind the address that it refuses to be posted to, in either way of asking [VERS-17]', async () => {
    for (const era of ['auto', 'legacy'] as const) {
      const server = await oldServer()
      const client = await join(`${server.url}/base/sse`, { era })
      expect(await echo(client, { over: 'the stream' })).toEqual({ over: 'the stream' })
      expect(client.server.era).toBe('legacy')
    }
  })

  it('is not looked for when the modern era alone is wished for', async () => {
    const server = await oldServer()
    const error = await failureOf(join(`${server.url}/base/sse`, { era: 'modern' }))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_VERSION' })
    expect(server.seen.map(({ verb }) => verb)).toEqual(['POST'])
  })
})

describe('a server of the modern era', () => {
  const asked: { method: unknown; headers: Record<string, unknown> }[] = []
  const modern: Misbehaviour = ({ verb, headers, message }, response) => {
    const params = Object(message?.['params'])
    const id = message?.['id']
    asked.push({ method: message?.['method'], headers })
    const { 'io.modelcontextprotocol/protocolVersion': version } = Object(params._meta)
    const fits =
      headers['mcp-protocol-version'] === version && headers['mcp-method'] === message?.['method']
    const refuse = (code: number, text: string, status: number): true => {
      sendJson(response, { jsonrpc: '2.0', id, error: { code, message: text } }, status)
      return true
    }
    if (verb !== 'POST') return false
    if (version === undefined || !fits) return refuse(-32_020, 'Header mismatch', 400)
    const results: ReadonlyMap<unknown, object> = new Map([
      ['server/discover', { supportedVersions: [version], capabilities: { tools: {} } }],
      ['tools/call', { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }],
    ])
    const result = results.get(message?.['method'])
    if (result === undefined) return refuse(-32_601, 'Method not found', 404)
    sendJson(response, { jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } })
    return true
  }

  it('is spoken to without a session and without a stream, each request by itself [VERS-24]', async () => {
    asked.length = 0
    const server = await start(modern)
    const client = await join(`${server.url}/mcp`, { era: 'auto' })
    expect(client.server.era).toBe('modern')
    expect(await echo(client, { a: 'b' })).toEqual({ a: 'b' })
    await client.close()
    expect(asked.map(({ method }) => method)).toEqual(['server/discover', 'tools/call'])
    expect(asked[1]?.headers).toMatchObject({ 'mcp-name': 'echo' })
    for (const { headers } of asked) expect(headers).not.toHaveProperty('mcp-session-id')
  })

  it('is read also when it refuses: a 404 may be an answer [ERR-14]', async () => {
    const server = await start(modern)
    const client = await join(`${server.url}/mcp`, { era: 'auto' })
    const error = await failureOf(client.request('completion/complete', {}))
    expect(error).toMatchObject({ family: expect.stringMatching(/rpc|capability/) })
    expect(await failureOf(client.listTools())).toMatchObject({ rpcCode: -32_601 })
  })

  it('that speaks no revision of ours says so once, and is not asked for a handshake [VERS-15]', async () => {
    const server = await start(({ message }, response) => {
      const data = { supported: ['2099-01-01'], requested: '2026-07-28' }
      const error = { code: -32_022, message: 'Unsupported protocol version', data }
      sendJson(response, { jsonrpc: '2.0', id: message?.['id'], error }, 400)
      return true
    })
    const error = await failureOf(join(`${server.url}/mcp`, { era: 'auto' }))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_VERSION' })
    expect(server.of('initialize')).toEqual([])
  })
})

describe('a server that accepts notifications in its own way', () => {
  it.each([
    ['null as JSON', 200, 'application/json', 'null'],
    ['nothing at all', 204, undefined, ''],
    ['a word', 202, 'text/plain', 'Accepted'],
    ['an empty page', 200, undefined, ''],
  ])('with %s is understood', async (_, status, type, body) => {
    const server = await start(({ message }, response, usual) => {
      if (message === undefined) return false
      if (usual === undefined) {
        response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body)
      } else {
        response.writeHead(200, { 'content-type': 'Application/JSON; charset=UTF-8' })
        response.end(JSON.stringify(usual))
      }
      return true
    })
    const client = await join(`${server.url}/mcp`)
    expect(await echo(client, { n: 1 })).toEqual({ n: 1 })
  })
})

describe('a server that sends its clients on', () => {
  it('within its own house is followed, with all that the request had', async () => {
    const server = await start(({ path }, response) => {
      if (path === '/mcp/') return false
      response.writeHead(308, { location: '/mcp/' }).end()
      return true
    })
    const headers = { authorization: 'Bearer demo' }
    const client = await join(`${server.url}/mcp`, {}, { headers })
    expect(await echo(client, { a: 1 })).toEqual({ a: 1 })
    const arrived = server.seen.filter(({ path }) => path === '/mcp/')
    expect(arrived.map(({ headers }) => headers.authorization)).toEqual(
      arrived.map(() => 'Bearer demo'),
    )
    expect(server.of('tools/call').map(({ verb }) => verb)).toEqual(['POST', 'POST'])
  })

  it('to another house is not followed: nothing arrives there, and the error names it', async () => {
    const other = await start()
    const server = await start((_, response) => {
      response.writeHead(307, { location: `${other.url}/mcp` }).end()
      return true
    })
    for (const era of ['legacy', 'auto'] as const) {
      const headers = { authorization: 'Bearer demo' }
      const error = await failureOf(join(`${server.url}/mcp`, { era }, { headers }))
      expect(error).toMatchObject({
        code: 'DP_TRANSPORT_ORIGIN',
        message: expect.stringContaining(`${other.url}/mcp`),
      })
    }
    expect(other.seen).toEqual([])
    expect(server.seen.filter(({ verb }) => verb === 'POST')).toHaveLength(2)
  })
})

describe('a server that closes the stream of a call', () => {
  it('after an event with an id gives the answer when it is asked to go on [HTTP-17, HTTP-26]', async () => {
    let waiting: unknown
    let closedAt = 0
    let waited = 0
    const server = await start((seen, response, usual) => {
      if (seen.verb === 'GET' && seen.headers['last-event-id'] === 'ev-1') {
        waited = performance.now() - closedAt
        startEvents(response).end(`id: ev-2\ndata: ${JSON.stringify(waiting)}\n\n`)
        return true
      }
      if (callIn(seen).name !== 'echo') return false
      waiting = usual
      startEvents(response).end('id: ev-1\nretry: 100\ndata:\n\n')
      closedAt = performance.now()
      return true
    })
    const client = await join(`${server.url}/mcp`, { revisions: ['2025-11-25'] })
    expect(await echo(client, { patience: true })).toEqual({ patience: true })
    expect(server.of('tools/call')).toHaveLength(1)
    // Both clocks may be off by a bit; much less than the time that was named it must not be.
    expect(waited).toBeGreaterThan(80)
  })

  it('without an id fails the call at once, and the next goes through', async () => {
    const server = await start((seen, response) => {
      const { name } = callIn(seen)
      if (name === 'cut') startEvents(response).end(': working\n\n')
      else if (name === 'half') {
        startEvents(response).write('data: {"jsonrpc":"2.0","id":', () => response.destroy())
      } else return false
      return true
    })
    const client = await join(`${server.url}/mcp`)
    for (const name of ['cut', 'half']) {
      const error = await failureOf(client.callTool(name))
      expect(error).toMatchObject({ code: 'DP_TRANSPORT_CLOSED', sent: 'yes' })
    }
    expect(await echo(client)).toEqual({})
  })
})

describe('a server that forgets the session', () => {
  it('gets a new one begun, and the request that met this once more [HTTP-32]', async () => {
    let live = 0
    let forget = false
    const server = await start((seen, response, usual) => {
      const given = seen.headers['mcp-session-id']
      if (seen.verb !== 'POST') return false
      if (seen.message?.['method'] === 'initialize') {
        live += 1
        sendJson(response, usual, 200, { 'mcp-session-id': `session-${live}` })
        return true
      }
      if (forget && given === 'session-1') {
        const error = { code: -32_001, message: 'Session not found' }
        sendJson(response, { jsonrpc: '2.0', id: null, error }, 404)
        return true
      }
      return false
    })
    const client = await join(`${server.url}/mcp`)
    expect(await echo(client, { n: 1 })).toEqual({ n: 1 })
    forget = true
    expect(await Promise.all([echo(client, { n: 2 }), echo(client, { n: 3 })])).toEqual([
      { n: 2 },
      { n: 3 },
    ])
    const begun = server.of('initialize').map(({ headers }) => headers['mcp-session-id'])
    expect(begun).toEqual([undefined, undefined])
    expect(server.of('notifications/initialized')).toHaveLength(2)
  })
})

describe('a server whose answers are event streams', () => {
  const marks: Readonly<Record<string, (json: string) => string>> = {
    'with every line end': (json) => `: a\r\nevent: message\rdata: ${json}\r\n\n`,
    'without blanks': (json) => `event:message\ndata:${json}\n\n`,
    'with data in many lines': (json) =>
      `${JSON.stringify(JSON.parse(json), undefined, 2).replaceAll(/^/gm, 'data: ')}\n\n`,
    'with all fields there are': (json) =>
      `retry: 5000\nid: 7\nx-field: y\nevent: message\n: inside\ndata: ${json}\n\n`,
    'with a mark in front': (json) => `\uFEFFdata: ${json}\n\n`,
    'after other events': (json) => `event: ping\ndata: not json\n\ndata:\n\ndata: ${json}\n\n`,
    'after other messages': (json) =>
      `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\n\n` +
      `data: {"jsonrpc":"2.0","id":"s1","method":"ping"}\n\ndata: ${json}\n\n`,
  }

  it.each(Object.entries(marks))('%s is understood [HTTP-39]', async (_, write) => {
    const server = await start((_seen, response, usual) => {
      if (usual === undefined) return false
      startEvents(response).end(write(JSON.stringify(usual)))
      return true
    })
    const client = await join(`${server.url}/mcp`)
    expect(await echo(client, { text: 'ü✓' })).toEqual({ text: 'ü✓' })
  })

  it('byte by byte is understood', async () => {
    const server = await start((seen, response, usual) => {
      if (callIn(seen).name !== 'echo') return false
      startEvents(response)
      const bytes = [...Buffer.from(`event: message\r\ndata: ${JSON.stringify(usual)}\r\n\r\n`)]
      const next = (): void => {
        const byte = bytes.shift()
        if (byte === undefined) return void response.end()
        response.write(Buffer.of(byte), () => setImmediate(next))
      }
      next()
      return true
    })
    const client = await join(`${server.url}/mcp`)
    expect(await echo(client, { text: 'ü✓' })).toEqual({ text: 'ü✓' })
  })
})

describe('a server that wants to know who asks', () => {
  it('is told of as such: no other way is tried, and the challenge is kept [VERS-23]', async () => {
    const challenge = 'Bearer realm="demo", error="invalid_token", scope="tools:read"'
    const server = await start((_, response) => {
      sendJson(response, { error: 'unauthorized' }, 401, { 'www-authenticate': challenge })
      return true
    })
    const error = await failureOf(join(`${server.url}/mcp`, { era: 'auto' }))
    expect(error).toMatchObject({ code: 'DP_AUTH_REQUIRED', status: 401, challenge })
    expect(server.seen.map(({ message }) => message?.['method'])).toEqual(['server/discover'])
  })
})

describe('a server that is in trouble', () => {
  it('and breaks off at the first question may still take a handshake', async () => {
    const server = await start(({ message }, response) => {
      if (message?.['method'] !== 'server/discover') return false
      response.destroy()
      return true
    })
    const client = await join(`${server.url}/mcp`, { era: 'auto' })
    expect(client.server.era).toBe('legacy')
  })

  it('and is not there is looked for once', async () => {
    const server = await serveHttp(() => {})
    await server.close()
    const error = await failureOf(join(`${server.url}/mcp`, { era: 'auto' }))
    expect(error).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: 'no' })
  })

  it('and says so is not taken for one of the old transport', async () => {
    const server = await start((_, response) => {
      response.writeHead(503, { 'retry-after': '3' }).end()
      return true
    })
    const error = await failureOf(join(`${server.url}/mcp`))
    expect(error).toMatchObject({ code: 'DP_TRANSPORT_HTTP', status: 503, retryAfterMs: 3000 })
    expect(server.seen.every(({ verb }) => verb === 'POST')).toBe(true)
  })

  it('leaves no connection behind when the client is closed, whatever was under way', async () => {
    const server = await start((seen, response) => {
      if (callIn(seen).name !== 'wait') return false
      startEvents(response).write(': working\n\n')
      return true
    })
    const client = await join(`${server.url}/mcp`)
    const waiting = failureOf(client.callTool('wait'))
    await expect.poll(() => server.of('tools/call').length).toBe(1)
    await client.close()
    expect(await waiting).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    await server.quiet()
  })
})
