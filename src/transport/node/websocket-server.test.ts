import { createServer, request, type Server as HttpServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import {
  frame,
  rawClient,
  statusOf,
  type RawClientWishes,
} from '../../../test/support/sockets/raw-websocket.ts'
import { recordingPort, type RecordingPort } from '../../../test/support/stdio/port.ts'
import { AuthError } from '../../base/errors.ts'
import { createLogger } from '../../base/log.ts'
import type { Transport } from '../../jsonrpc/link.ts'
import type { WebSocketServer, WebSocketServerOptions } from './websocket-options.ts'
import { serveWebSocket } from './websocket-server.ts'
import { webSocket } from './websocket.ts'

let open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.toReversed()) await one.close()
  open = []
})

const KNOWN = { authorization: 'Bearer good' }
const authenticate: NonNullable<WebSocketServerOptions['authenticate']> = (request) =>
  request.header('authorization') === 'Bearer good'
    ? { principal: 'me', scopes: ['all'] }
    : undefined

describe('the upgrade to a WebSocket', () => {
  const refusals: readonly (readonly [string, number, RawClientWishes])[] = [
    ['from a page of another site', 403, { headers: { Origin: 'https://evil.example' } }],
    ['from a page that hides its site', 403, { headers: { Origin: 'null' } }],
    ['from a page with a name like ours', 403, { headers: { Origin: 'http://localhost.evil' } }],
    [
      'from two origins',
      403,
      { headers: { Origin: ['http://localhost', 'https://evil.example'] } },
    ],
    ['under another name', 403, { headers: { Host: 'evil.example' } }],
    ['under a name that begins like ours', 403, { headers: { Host: '127.0.0.1.evil.example' } }],
    ['under no name', 403, { headers: { Host: undefined } }],
    ['under two names', 403, { headers: { Host: ['127.0.0.1', 'evil.example'] } }],
    ['through us to somewhere else', 400, { target: 'http://evil.example/mcp' }],
    ['to another path', 404, { target: '/other' }],
    ['without a subprotocol', 400, { headers: { 'Sec-WebSocket-Protocol': undefined } }],
    ['with another subprotocol', 400, { headers: { 'Sec-WebSocket-Protocol': 'chat, mcp2' } }],
    ['with an old version', 426, { headers: { 'Sec-WebSocket-Version': '8' } }],
    ['with a wrong key', 400, { headers: { 'Sec-WebSocket-Key': 'abc' } }],
    ['by POST', 405, { method: 'POST' }],
    ['to something else', 400, { headers: { Upgrade: 'h2c' } }],
    ['with a token in the address', 400, { target: '/mcp?access_token=good', headers: KNOWN }],
    ['with a token in the address under a name of its own', 400, { target: '/mcp?x=1&Token=good' }],
    ['without saying who asks', 401, {}],
    ['with a wrong token', 401, { headers: { authorization: 'Bearer bad' } }],
  ]

  it.each(refusals)('is refused %s, with %i, before any message', async (_, status, wishes) => {
    const { server, ports } = await served({ authenticate })
    const far = await rawClient(server.url, wishes)
    far.socket.write(frame('{"jsonrpc":"2.0","id":1,"method":"ping"}', { masked: true }))
    expect(statusOf(far)).toBe(status)
    await gone(far.socket)
    expect(ports).toEqual([])
  })

  it('is agreed to for who may come in, and says how on the wire', async () => {
    const { server, facts } = await served({ authenticate })
    const port = recordingPort()
    const link = await webSocket(server.url, { headers: KNOWN }).open(port)
    open.push(link)
    link.write({ text: '1' })
    expect(await port.next()).toBe('1')
    expect(facts).toEqual([{ auth: { principal: 'me', scopes: ['all'] } }])
  })

  it('asks for a token with a challenge, and passes on that of the one who checks', async () => {
    const { server } = await served({ authenticate })
    expect((await rawClient(server.url)).head).toMatch(/^www-authenticate: Bearer$/im)
    const challenge = 'Bearer error="insufficient_scope", scope="all"'
    const refusing = await served({
      authenticate: () => {
        throw new AuthError('not you', { status: 403, challenge })
      },
    })
    const far = await rawClient(refusing.server.url)
    expect(statusOf(far)).toBe(403)
    expect(far.head).toContain(`WWW-Authenticate: ${challenge}`)
  })

  it('never lets a challenge write headers of its own', async () => {
    const { server } = await served({
      authenticate: () => {
        throw new AuthError('not you', { challenge: 'Bearer\r\nSet-Cookie: a=b' })
      },
    })
    expect((await rawClient(server.url)).head).not.toContain('Set-Cookie')
  })

  it('is refused with 500 when it cannot be told who asks, and the server goes on', async () => {
    const lines: string[] = []
    const logger = createLogger(({ message }) => lines.push(message))
    const { server } = await served({
      logger,
      authenticate: (request) => {
        if (request.header('authorization') === undefined) throw new Error('the keys are gone')
        return { principal: 'me' }
      },
    })
    expect(statusOf(await rawClient(server.url))).toBe(500)
    expect(statusOf(await rawClient(server.url, { headers: KNOWN }))).toBe(101)
    expect(lines).toEqual(['a client could not be identified'])
  })

  it('waits 30 s at most for the one who checks', async () => {
    const clock = fakeClock()
    let asked = (): void => {}
    const checking = new Promise<void>((resolve) => (asked = resolve))
    const { server } = await served({
      clock,
      authenticate: () => {
        asked()
        return new Promise(() => {})
      },
    })
    const far = rawClient(server.url)
    await checking
    await clock.advance(30_000)
    expect(statusOf(await far)).toBe(503)
    expect(clock.pending).toBe(0)
  })

  it('may be asked for by pages that were named', async () => {
    const { server } = await served({ allowedOrigins: ['https://app.example'] })
    const headers = { Origin: 'https://app.example' }
    expect(statusOf(await rawClient(server.url, { headers }))).toBe(101)
  })

  it('may be asked for under names that were given', async () => {
    const { server } = await served({ allowedHosts: ['mcp.example'] })
    expect(statusOf(await rawClient(server.url, { headers: { Host: 'mcp.example' } }))).toBe(101)
    expect(statusOf(await rawClient(server.url))).toBe(403)
  })

  it('is refused with 503 when all places are taken, until one is free', async () => {
    const { server } = await served({ maxConnections: 1 })
    const first = await rawClient(server.url)
    expect(statusOf(first)).toBe(101)
    expect(statusOf(await rawClient(server.url))).toBe(503)
    first.socket.destroy()
    await expect
      .poll(async () => statusOf(await rawClient(server.url)), { interval: 5, timeout: 5000 })
      .toBe(101)
  })
})

describe('what a client may send', () => {
  it.each([
    ['an unmasked frame', frame('1'), 1002],
    ['a binary frame', frame('1', { op: 2, masked: true }), 1003],
    ['a length of 2^63', frame('', { length: 2n ** 63n, masked: true }), 1009],
    ['a ping of 126 bytes', frame('x'.repeat(126), { op: 9, masked: true }), 1002],
  ])('is not %s', async (_, bytes, code) => {
    const { server, ports } = await served()
    const far = await rawClient(server.url)
    far.socket.write(bytes)
    expect((await far.frame(8)).readUInt16BE()).toBe(code)
    expect(await ports[0]?.ended).toBeInstanceOf(Error)
    expect(ports[0]?.texts).toEqual([])
  })

  it('is a million fragments of one byte to no effect but its end', async () => {
    const { server, ports } = await served()
    const far = await rawClient(server.url)
    const first = frame('x', { last: false, masked: true })
    const more = frame('x', { op: 0, last: false, masked: true })
    const thousand = Buffer.concat(Array<Buffer>(1000).fill(more))
    const before = process.memoryUsage().heapUsed
    far.socket.write(first)
    for (let sent = 0; sent < 1000 && !far.socket.destroyed; sent += 1) {
      if (!far.socket.write(thousand)) await drainedOrGone(far.socket)
    }
    expect(await ports[0]?.ended).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024)
  })

  it('ends its session when it leaves in order, without a reason', async () => {
    const { server, ports } = await served()
    const link = await webSocket(server.url).open(recordingPort())
    await link.close()
    expect(await ports[0]?.ended).toBeUndefined()
    expect(ports[0]?.notes).toEqual([{ kind: 'close-frame', data: { code: 1000 } }])
  })
})

describe('a WebSocket server', () => {
  it('answers what is no upgrade by saying what it speaks', async () => {
    const { server } = await served()
    const status = await new Promise((resolve) => {
      request(server.url.replace('ws:', 'http:'), ({ statusCode }) => resolve(statusCode)).end()
    })
    expect(status).toBe(426)
  })

  it('closes every link and listens no more when close() has settled', async () => {
    const { server } = await served()
    const port = recordingPort()
    const link = await webSocket(server.url).open(port)
    open.push(link)
    // Somebody who asks for nothing holds nothing up.
    const idle = connect(Number(new URL(server.url).port), '127.0.0.1')
    await new Promise((resolve) => idle.once('connect', resolve))
    await Promise.all([server.close(), server.close()])
    expect(await port.ended).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    await expect(webSocket(server.url).open(recordingPort())).rejects.toMatchObject({
      code: 'DP_TRANSPORT_CONNECT',
    })
    idle.destroy()
  })

  it('turns away who waits for an answer of the one who checks when it closes', async () => {
    let asked = (): void => {}
    const checking = new Promise<void>((resolve) => (asked = resolve))
    const { server } = await served({
      authenticate: () => {
        asked()
        return new Promise(() => {})
      },
    })
    const far = rawClient(server.url)
    await checking
    await server.close()
    expect(statusOf(await far)).toBe(503)
  })

  it('says that a port is taken', async () => {
    const { server } = await served()
    const port = Number(new URL(server.url).port)
    await expect(serveWebSocket(() => Promise.resolve(), { port })).rejects.toMatchObject({
      code: 'DP_TRANSPORT_CONNECT',
      message: expect.stringContaining(`127.0.0.1:${port}`),
    })
  })

  it('shares a server of somebody else, and leaves it and other paths alone', async () => {
    const http = await listeningHttp()
    const { server } = await served({ server: http, path: '/ws' })
    expect(new URL(server.url).pathname).toBe('/ws')
    expect(statusOf(await rawClient(server.url, { target: '/other' }))).toBe(404)
    http.on('upgrade', ({ url }, socket) => {
      if (url === '/other') socket.end('HTTP/1.1 418 Mine\r\n\r\n')
    })
    expect(statusOf(await rawClient(server.url, { target: '/other' }))).toBe(418)
    expect(statusOf(await rawClient(server.url))).toBe(101)
    await server.close()
    expect(http.listening).toBe(true)
  })

  it('is not opened to other machines without names and without a look at who asks', async () => {
    const accept = (): Promise<void> => Promise.resolve()
    for (const options of [{}, { authenticate }, { allowedHosts: ['mcp.example'] }]) {
      await expect(serveWebSocket(accept, { host: '0.0.0.0', ...options })).rejects.toMatchObject({
        code: 'DP_USAGE',
        message: expect.stringContaining('Set allowedHosts and authenticate'),
      })
    }
    await served({ host: '0.0.0.0', allowedHosts: ['mcp.example'], authenticate })
  })

  it('refuses a path that could never match', async () => {
    for (const path of ['mcp', '/mcp?x=1']) {
      await expect(serveWebSocket(() => Promise.resolve(), { path })).rejects.toMatchObject({
        code: 'DP_USAGE',
      })
    }
  })
})

/** A server that gives every text back. */
async function served(options: WebSocketServerOptions = {}): Promise<{
  readonly server: WebSocketServer
  readonly ports: RecordingPort[]
  readonly facts: unknown[]
}> {
  const ports: RecordingPort[] = []
  const facts: unknown[] = []
  const accept = async (transport: Transport): Promise<void> => {
    const port = recordingPort({ onText: (text) => void link.write({ text }) })
    const link = await transport.open({
      ...port,
      text(text, fact) {
        facts.push(fact)
        return port.text(text, fact)
      },
    })
    ports.push(port)
    await port.ended
    await link.close()
  }
  const server = await serveWebSocket(accept, { closeMs: 200, ...options })
  open.push(server)
  return { server, ports, facts }
}

async function listeningHttp(): Promise<HttpServer> {
  const http = createServer((_, response) => response.end('mine'))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  open.push({
    close: () => {
      http.closeAllConnections()
      http.close()
    },
  })
  return http
}

function gone(socket: Socket): Promise<unknown> {
  return socket.destroyed
    ? Promise.resolve()
    : new Promise((resolve) => socket.once('close', resolve))
}

function drainedOrGone(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once('drain', resolve)
    socket.once('close', resolve)
  })
}
