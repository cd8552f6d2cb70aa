/** Who may come in at all: pages that rebind names, pages of other sites, requests that can be read in two ways. Real sockets. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { WebSocketServerOptions } from '../../src/transport/node/websocket-options.ts'
import { serveWebSocket } from '../../src/transport/node/websocket-server.ts'
import { attacked, place, type Place } from '../support/attacked.ts'
import { initialize, modern } from '../support/http/handled.ts'
import { rawReply } from '../support/http/raw-http.ts'
import { ALICE, JSON_BOTH, TWO } from '../support/principals.ts'
import { frame, rawClient, statusOf } from '../support/sockets/raw-websocket.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

const CALL = modern(1, 'tools/call', { name: 'echo', arguments: { text: 'x' } })
const BODY = JSON.stringify(CALL.json)

/** The lines of a good request of one kind, to be spoiled. */
function linesOf(kind: string, { host, more = [] }: { host?: string; more?: readonly string[] }) {
  const [method = '', target = ''] = kind.split(' ')
  const own = Object.entries({ ...JSON_BOTH, ...CALL.headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return [
    `${method} ${target} HTTP/1.1`,
    ...(host === undefined ? [] : [`Host: ${host}`]),
    ...(method === 'POST' ? [...own, `Content-Length: ${BODY.length}`] : [`Accept: ${BOTH}`]),
    ...more,
  ]
}
const BOTH = 'application/json, text/event-stream'

const KINDS = [
  'POST /mcp',
  'GET /mcp',
  'DELETE /mcp',
  'OPTIONS /mcp',
  'GET /sse',
  'POST /messages?sessionId=x',
  'GET /nothing',
]

async function statusFor(
  at: Place,
  kind: string,
  parts: { host?: string; more?: readonly string[] },
): Promise<number> {
  const body = kind.startsWith('POST') ? BODY : ''
  return (await rawReply(at.port, linesOf(kind, parts), body)).status
}

const wrongHosts = (port: number): readonly (string | undefined)[] => [
  'evil.example',
  `evil.example:${port}`,
  `127.0.0.1.evil.example:${port}`,
  `localhost.evil:${port}`,
  `[::1].evil:${port}`,
  `localhost:${port}@evil.example`,
  'localhost:1',
  '',
  undefined,
]

describe('a page that has its name lead to this machine', () => {
  it.each(KINDS)('is refused at %s by its Host, before anything runs (A08)', async (kind) => {
    const at = await place({ legacySse: true })
    for (const host of wrongHosts(at.port)) {
      const status = await statusFor(at, kind, host === undefined ? {} : { host })
      expect([400, 403], `${kind} with Host ${String(host)}`).toContain(status)
    }
    const twice = { host: `127.0.0.1:${at.port}`, more: ['Host: evil.example'] }
    expect([400, 403]).toContain(await statusFor(at, kind, twice))
    const [method = '', target = ''] = kind.split(' ')
    const whole = `${method} http://evil.example${target}`
    expect(await statusFor(at, whole, { host: `127.0.0.1:${at.port}` })).toBe(400)
    expect(at.ran).toEqual([])
    expect(at.served.handler.sessions).toBe(0)
  })

  it.each(['localhost', '127.0.0.1', '[::1]'])(
    'is not confused with %s itself (A08)',
    async (name) => {
      const at = await place()
      expect(await statusFor(at, 'POST /mcp', { host: `${name}:${at.port}` })).toBe(200)
      expect(at.ran).toEqual(['echo'])
    },
  )
})

describe('a page of another site', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; application/json',
    'text/plain, application/json',
    'application/jsonp',
    'application/json+x',
    undefined,
  ])('cannot send what needs no permission: %s is refused with 415 (A09)', async (type) => {
    const at = await place()
    const lines = linesOf('POST /mcp', { host: `localhost:${at.port}` }).filter(
      (line) => !line.startsWith('content-type'),
    )
    const typed = type === undefined ? lines : [...lines, `Content-Type: ${type}`]
    expect((await rawReply(at.port, typed, BODY)).status).toBe(415)
    expect(at.ran).toEqual([])
  })

  it('is refused by its Origin, and never told that it may read (A09)', async () => {
    const at = await place({ allowedOrigins: ['https://app.example'] })
    const host = `localhost:${at.port}`
    const origins = [
      ['Origin: https://evil.example'],
      ['Origin: null'],
      ['Origin: http://localhost.evil'],
      ['Origin: http://localhost:1'],
      ['Origin: https://app.example.evil'],
      ['Origin: https://APP.example'],
      [`Origin: http://${host}`, 'Origin: https://evil.example'],
      ['Origin: https://app.example', 'Origin: https://evil.example'],
      ['Sec-Fetch-Site: cross-site'],
      ['Sec-Fetch-Site: same-site'],
    ]
    for (const more of origins) {
      for (const kind of KINDS) {
        const body = kind.startsWith('POST') ? BODY : ''
        const { status, head } = await rawReply(at.port, linesOf(kind, { host, more }), body)
        expect(status, `${kind} with ${more.join()}`).toBe(403)
        expect(head.toLowerCase()).not.toContain('access-control')
      }
    }
    expect(at.ran).toEqual([])
  })

  it('that was named is told its own name, never any or with credentials (A09)', async () => {
    const at = await place({ allowedOrigins: ['https://app.example'] })
    const more = ['Origin: https://app.example']
    const lines = linesOf('POST /mcp', { host: `localhost:${at.port}`, more })
    const { status, head } = await rawReply(at.port, lines, BODY)
    expect(status).toBe(200)
    expect(head).toMatch(/^access-control-allow-origin: https:\/\/app\.example$/im)
    expect(head.toLowerCase()).not.toContain('allow-credentials')
  })
})

/** A door of WebSocket, and how many were let in. */
async function door(
  options: WebSocketServerOptions = {},
): Promise<{ url: string; port: number; inside: () => number }> {
  let inside = 0
  const { server } = attacked()
  const made = await serveWebSocket((transport) => {
    inside += 1
    return server.accept(transport)
  }, options)
  open.push(made)
  return { url: made.url, port: Number(new URL(made.url).port), inside: () => inside }
}

describe('an upgrade to WebSocket', () => {
  it('of a page of another site, or under another name, is refused before a word is read (A08, A10)', async () => {
    const { url, port, inside } = await door()
    const wishes = [
      ...wrongHosts(port).map((Host) => ({ headers: { Host } })),
      { headers: { Host: [`127.0.0.1:${port}`, 'evil.example'] } },
      { target: 'http://evil.example/mcp' },
      ...[
        'https://evil.example',
        'null',
        'http://localhost.evil',
        `http://localhost:${port}.evil`,
      ].map((Origin) => ({ headers: { Origin } })),
      { headers: { Origin: [`http://localhost:${port}`, 'https://evil.example'] } },
      { headers: { 'Sec-Fetch-Site': 'cross-site' } },
    ]
    for (const wish of wishes) {
      const far = await rawClient(url, wish)
      expect([400, 403], JSON.stringify(wish)).toContain(statusOf(far))
      far.socket.destroy()
    }
    expect(inside()).toBe(0)
  })

  it('without a token, with one in the address, or for another subprotocol is refused by HTTP (A10)', async () => {
    const { url, inside } = await door({ authenticate: TWO })
    const token = ALICE.authorization.slice('Bearer '.length)
    const wishes = [
      [401, {}],
      [401, { headers: { authorization: 'Bearer token-of-alice-012345678' } }],
      [400, { target: `/mcp?access_token=${token}` }],
      [400, { target: `/mcp?token=${token}`, headers: ALICE }],
      [400, { headers: { ...ALICE, 'Sec-WebSocket-Protocol': 'chat' } }],
      [400, { headers: { ...ALICE, 'Sec-WebSocket-Protocol': undefined } }],
      [401, { headers: { 'Sec-WebSocket-Protocol': `mcp, ${token}` } }],
    ] as const
    for (const [status, wish] of wishes) {
      const far = await rawClient(url, wish)
      expect(statusOf(far), JSON.stringify(wish)).toBe(status)
      far.socket.write(frame(JSON.stringify(initialize('2025-06-18')), { masked: true }))
      far.socket.destroy()
    }
    expect(inside()).toBe(0)
    const good = await rawClient(url, { headers: ALICE })
    expect(statusOf(good)).toBe(101)
    good.socket.destroy()
  })
})

describe('a request that two readers would cut differently', () => {
  const SMUGGLED = 'POST /mcp HTTP/1.1\r\nHost: evil\r\nContent-Length: 0\r\n\r\n'
  const length = `Content-Length: ${BODY.length}`
  const WAYS: readonly (readonly [string, readonly string[], string])[] = [
    [
      'a length and chunks',
      ['Content-Length: 4', 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${SMUGGLED}`,
    ],
    [
      'chunks and a length',
      ['Transfer-Encoding: chunked', 'Content-Length: 4'],
      `0\r\n\r\n${SMUGGLED}`,
    ],
    ['two lengths', [length, 'Content-Length: 5'], BODY],
    ['two lengths in one', [`Content-Length: ${BODY.length}, 5`], BODY],
    ['a length with a sign', [`Content-Length: +${BODY.length}`], BODY],
    ['a folded header', ['X-A: b', ' c', length], BODY],
    ['an unknown coding', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${SMUGGLED}`],
    ['a coding after chunks', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${SMUGGLED}`],
    ['a blank before the colon', [`Content-Length : ${BODY.length}`], BODY],
    [
      'a chunk whose size is no number',
      ['Transfer-Encoding: chunked'],
      `0x5\r\n12345\r\n0\r\n\r\n${SMUGGLED}`,
    ],
    [
      'a chunk without its end',
      ['Transfer-Encoding: chunked'],
      `5\r\n1234567\r\n0\r\n\r\n${SMUGGLED}`,
    ],
    ['NUL in a header', ['X-A: a\0b', length], BODY],
    ['a header of more than 16 KiB', [`X-A: ${'x'.repeat(17_000)}`, length], BODY],
  ]

  it.each(WAYS)('by %s is refused, and no second one begins (A34)', async (_, more, body) => {
    const at = await place()
    const raw = await at.raw()
    const lines = linesOf('POST /mcp', { host: `127.0.0.1:${at.port}`, more }).filter(
      (line) => line !== length || more.includes(line),
    )
    raw.send(lines, body)
    await raw.until(() => raw.ended)
    expect(Number(/^HTTP\/1\.1 (\d+)/.exec(raw.text)?.[1])).toBeGreaterThanOrEqual(400)
    expect(raw.replies).toBe(1)
    expect(at.ran).toEqual([])
  })

  it('by bare line feeds runs once at most (A34)', async () => {
    const at = await place()
    const raw = await at.raw()
    const lines = linesOf('POST /mcp', {
      host: `127.0.0.1:${at.port}`,
      more: ['Connection: close'],
    })
    raw.socket.write(`${lines.join('\n')}\n\n${BODY}`)
    await raw.until(() => raw.ended)
    expect(raw.replies).toBe(1)
    expect(at.ran.length).toBeLessThanOrEqual(1)
  })

  it('is not made so on the way: what hides in a body behind a proxy stays in it (A34)', async () => {
    const at = await place()
    const seen: (string | undefined)[] = []
    const proxy = createServer((incoming, outgoing) => {
      seen.push(incoming.url)
      const headers = { ...incoming.headers, host: `127.0.0.1:${at.port}` }
      const onward = request(at.served.url, { method: 'POST', headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502)
        answer.pipe(outgoing)
      })
      incoming.pipe(onward)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    open.push({ close: () => (proxy.closeAllConnections(), proxy.close()) })
    const { port } = proxy.address() as AddressInfo // it listens on a port
    const inner = `${SMUGGLED}${BODY}`
    const more = ['Transfer-Encoding: chunked', 'Connection: close']
    const lines = linesOf('POST /mcp', { host: 'proxy', more }).filter(
      (line) => !line.startsWith('Content-Length'),
    )
    const chunk = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`
    expect((await rawReply(port, lines, chunk)).status).toBe(400)
    expect([seen, at.ran]).toEqual([['/mcp'], []])
  })
})
