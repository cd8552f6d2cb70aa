import { connect } from 'node:net'
import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { TransportError, UsageError } from '../../base/errors.ts'
import { defineTool } from '../../tools/define.ts'
import { RawHttp, rawReply, type RawReply } from '../../../test/support/http/raw-http.ts'
import { initialize, modern } from '../../../test/support/http/handled.ts'
import { TLS } from '../../../test/support/http/servers.ts'
import { connect as connectClient } from '../../client/connect.ts'
import { resultToText } from '../../tools/content.ts'
import { http } from '../../transport/node/http-client.ts'
import { bearerTokens } from '../bearer-tokens.ts'
import { Server } from '../server.ts'
import { serveHttp } from './serve-http.ts'
import type { ServedHttp, ServeHttpOptions } from './served-http.ts'

const open: ServedHttp[] = []
afterEach(async () => {
  for (const served of open.splice(0)) await served.close()
})

const echo = defineTool<{ text: string }>({
  name: 'echo',
  input: { type: 'object' },
  run: ({ text }) => text,
})
const wait = defineTool({
  name: 'wait',
  async run(_args, { signal }) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return 'given up'
  },
})

async function serve(options: ServeHttpOptions = {}): Promise<ServedHttp> {
  const served = await serveHttp(
    new Server({ name: 's', version: '1', tools: [echo, wait] }),
    options,
  )
  open.push(served)
  return served
}

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

function post(
  url: string,
  { json, headers }: { json: unknown; headers?: Record<string, string> },
  init: RequestInit = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify(json),
    ...init,
  })
}

describe('a server that listens', () => {
  it('is found under its address, on this machine alone [HTTP-04]', async () => {
    const { url, port } = await serve()
    expect(url).toBe(`http://127.0.0.1:${port}/mcp`)
    const reply = await post(
      url,
      modern(1, 'tools/call', { name: 'echo', arguments: { text: 'hi' } }),
    )
    expect(await reply.json()).toMatchObject({ result: { content: [{ text: 'hi' }] } })
  })

  it.each([
    ['localhost', 'localhost'],
    ['127.0.0.2', '127.0.0.2'],
  ])('listens on %s when it is told so', async (host, name) => {
    const { url, port } = await serve({ host, path: '/other' })
    expect(url).toBe(`http://${name}:${port}/other`)
    expect((await post(url, modern(1, 'tools/list'))).status).toBe(200)
  })

  it('serves one path', async () => {
    const { port } = await serve()
    expect((await post(`http://127.0.0.1:${port}/`, modern(1, 'tools/list'))).status).toBe(404)
  })

  it('says why it cannot listen, and what to do', async () => {
    const { port } = await serve()
    const second = serve({ port })
    await expect(second).rejects.toThrow(TransportError)
    await expect(second).rejects.toThrow(/EADDRINUSE.*another port/)
  })

  it('also serves the old transport when it is told to', async () => {
    const { port } = await serve({ legacySse: true })
    const raw = await RawHttp.open(port)
    raw.send(['GET /sse HTTP/1.1', `Host: localhost:${port}`, 'Accept: text/event-stream'])
    await raw.until(() => raw.text.includes('data: /messages?session='))
    expect(raw.text).toContain('event: endpoint')
    raw.close()
  })

  it.each(['evil.example', '127.0.0.1', 'localhost:1', ''])(
    'refuses the Host %j [HTTP-02]',
    async (host) => {
      const { port } = await serve()
      const reply = await rawReply(port, [
        'POST /mcp HTTP/1.1',
        `Host: ${host}`,
        'Content-Length: 0',
      ])
      expect(reply.status).toBe(403)
    },
  )

  it('ends a connection whose head is too long', async () => {
    const { port } = await serve()
    const reply = await rawReply(port, [
      'POST /mcp HTTP/1.1',
      `Host: localhost:${port}`,
      `X: ${'x'.repeat(17_000)}`,
    ])
    expect(reply.status).toBe(431)
  })
})

/** Sends the beginning of a request and no more; gives the reply when the connection has ended. */
async function slowly(port: number, lines: readonly string[]): Promise<RawReply> {
  const raw = await RawHttp.open(port)
  raw.socket.write(lines.join('\r\n'))
  await raw.until(() => raw.ended)
  return raw.reply()
}

describe('a client that takes its time', () => {
  it('with the head is told so, and its connection ends', async () => {
    const { port } = await serve({ headersMs: 150 })
    expect((await slowly(port, ['POST /mcp HTTP/1.1', 'X: y'])).status).toBe(408)
  })

  it('with the body is told so, and its connection ends', async () => {
    const { port } = await serve({ requestMs: 150 })
    const lines = ['Content-Type: application/json', 'Content-Length: 9', '', '{']
    const reply = await slowly(port, ['POST /mcp HTTP/1.1', `Host: localhost:${port}`, ...lines])
    expect(reply.status).toBe(408)
  })

  it('between its requests is not waited for', async () => {
    const { port } = await serve({ connectionIdleMs: 100 })
    const raw = await RawHttp.open(port)
    raw.send(['GET /mcp HTTP/1.1', `Host: localhost:${port}`])
    await raw.until(() => raw.ended)
    expect([raw.replies, raw.ended]).toEqual([1, true])
  })

  it('over a stream is waited for as long as it likes', async () => {
    const { url, port } = await serve({ headersMs: 100, requestMs: 100, connectionIdleMs: 100 })
    const { json, headers } = modern(1, 'subscriptions/listen', { notifications: {} })
    const stream = await post(url, { json, headers })
    const raw = await RawHttp.open(port)
    raw.send(['GET /mcp HTTP/1.1', `Host: localhost:${port}`])
    await raw.until(() => raw.ended)
    const reader = stream.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    await reader?.cancel()
  })
})

describe('many connections', () => {
  it('are refused when there are more than may be', async () => {
    const { port } = await serve({ maxConnections: 1 })
    const first = await RawHttp.open(port)
    const second = await RawHttp.open(port)
    await second.until(() => second.ended)
    first.send(['GET /mcp HTTP/1.1', `Host: localhost:${port}`])
    expect([second.text, (await first.reply()).status]).toEqual(['', 405])
    first.close()
  })
})

describe('with a certificate', () => {
  it('a server is found under https, and by the same names', async () => {
    const { url, port } = await serve({ tls: { cert: TLS.cert, key: TLS.key } })
    expect(url).toBe(`https://127.0.0.1:${port}/mcp`)
    const client = await connectClient(http(url, { tls: { ca: TLS.ca } }))
    expect(resultToText(await client.callTool('echo', { text: 'hi' }))).toBe('hi')
    await client.close()
  })
})

describe('other machines', () => {
  it.each<[string, ServeHttpOptions, RegExp]>([
    ['neither hosts nor callers', {}, /allowedHosts and authenticate are/],
    ['no callers', { allowedHosts: ['mcp.example.com'] }, /authenticate is/],
    ['no hosts', { authenticate: bearerTokens({}) }, /allowedHosts is/],
  ])('are not served when it says %s [HTTP-04, HTTP-05]', async (_, options, words) => {
    for (const host of ['0.0.0.0', '::', '192.168.1.2', '', 'example.com', '127.example.com']) {
      await expect(serve({ host, ...options })).rejects.toThrow(UsageError)
      await expect(serve({ host, ...options })).rejects.toThrow(words)
    }
  })

  it('are served when both are said', async () => {
    const token = 'a-token-of-24-characters'
    const { port, url } = await serve({
      host: '0.0.0.0',
      allowedHosts: ['mcp.example.com'],
      authenticate: bearerTokens({ [token]: 'alice' }),
    })
    expect(url).toBe(`http://mcp.example.com:${port}/mcp`)
    const { json, headers } = modern(1, 'tools/list')
    const body = JSON.stringify(json)
    const lines = (more: readonly string[]): readonly string[] => [
      'POST /mcp HTTP/1.1',
      `Host: mcp.example.com:${port}`,
      `Content-Length: ${body.length}`,
      ...Object.entries({ ...HEADERS, ...headers }).map(([name, value]) => `${name}: ${value}`),
      ...more,
    ]
    const stranger = await rawReply(port, lines([]), body)
    const known = await rawReply(port, lines([`Authorization: Bearer ${token}`]), body)
    expect([stranger.status, known.status]).toEqual([401, 200])
    expect(stranger.head).toMatch(/www-authenticate: Bearer/i)
  })

  it('are served to everybody when that is what somebody wants', async () => {
    const { port } = await serve({ host: '0.0.0.0', dangerouslyOpen: true })
    const reply = await rawReply(port, ['GET /mcp HTTP/1.1', 'Host: whatever'])
    expect(reply.status).toBe(405)
  })
})

describe('closing', () => {
  it('ends calls, streams and connections, and leaves nothing', async () => {
    const served = await serve()
    const session =
      (await post(served.url, { json: initialize('2025-11-25') })).headers.get('mcp-session-id') ??
      ''
    const stream = await fetch(served.url, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': session },
    })
    const call = post(served.url, modern(1, 'tools/call', { name: 'wait' }))
    const listen = await post(
      served.url,
      modern(2, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
    )
    const texts = [stream.text(), listen.text()]
    await served.close()
    await served.close()
    const [alone, heard] = await Promise.all(texts)
    expect(alone).toContain('id: 0-0')
    expect(heard).toContain('"id":2')
    expect((await call).status).toBe(503)
    expect(served.handler.sessions).toBe(0)
    const refused = await new Promise((resolve) =>
      connect(served.port, '127.0.0.1').on('error', resolve).on('connect', resolve),
    )
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('is what a scope does with it', async () => {
    let port = 0
    {
      await using served = await serveHttp(new Server({ name: 's', version: '1' }))
      port = served.port
    }
    const free = createServer()
    await new Promise<void>((resolve) => free.listen(port, '127.0.0.1', resolve))
    expect(free.listening).toBe(true)
    await new Promise((resolve) => free.close(resolve))
  })
})
