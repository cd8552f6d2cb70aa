/** What a stranger may send over HTTP: bombs, odd values, broken heads. The server answers, lives, and forgets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import { serveHttp } from '../../src/server/node/serve-http.ts'
import type { ServedHttp } from '../../src/server/node/served-http.ts'
import { Server } from '../../src/server/server.ts'
import { defineTool } from '../../src/tools/define.ts'
import { FakeReply, fakeRequest, request } from '../support/fake-http.ts'
import { growthOf } from '../support/growth.ts'
import { handled, initialize, modern } from '../support/http/handled.ts'
import { RawHttp } from '../support/http/raw-http.ts'
import { dice } from '../support/seeded.ts'

const SEED = 20_261_203
const echo = defineTool<{ text: string }>({
  name: 'echo',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }) => text,
})
const server = new Server({ name: 's', version: '1', tools: [echo] })
const { ask, session, handler } = handled(server, { legacySse: true })

let served: ServedHttp
beforeAll(async () => {
  served = await serveHttp(server, { maxBodyBytes: 64 * 1024 })
})
afterAll(async () => {
  await served.close()
  await server.close()
})

const nested = (depth: number, open = '[', close = ']'): string =>
  open.repeat(depth) + close.repeat(depth)
const withArguments = (text: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${text}}}`

describe('depth', () => {
  it.each([
    [124, 200],
    [126, 400],
    [128, 400],
    [10_000, 400],
    [1_000_000, 400],
  ])('of %i arrays in the arguments is answered with %i', async (depth, status) => {
    const headers = await session()
    const text = withArguments(`{"text":${nested(depth)}}`)
    expect((await ask({ headers, body: { kind: 'text', text } })).status).toBe(status)
  })

  it('is found in linear time', () => {
    const growth = growthOf(
      (size) => {
        const reply = new FakeReply()
        handler.handle(
          fakeRequest({ body: { kind: 'text', text: nested(size, '{"a":[', ']}') } }),
          reply,
        )
        expect(reply.status).toBe(400)
      },
      20_000,
      200_000,
    )
    expect(growth).toBeLessThan(25)
  })
})

describe('a connection', () => {
  it('that says nothing takes nobody else’s place', async () => {
    const idle = await Promise.all(Array.from({ length: 50 }, () => RawHttp.open(served.port)))
    const { json, headers } = modern(1, 'tools/list')
    const init = {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(json),
    }
    expect((await fetch(served.url, init)).status).toBe(200)
    for (const raw of idle) raw.close()
  })

  it('that sends a head without end is ended', async () => {
    const raw = await RawHttp.open(served.port)
    raw.socket.write('POST /mcp HTTP/1.1\r\n')
    for (let n = 0; n < 200 && !raw.ended; n += 1) {
      raw.socket.write(`X-${n}: ${'x'.repeat(500)}\r\n`)
      await new Promise(setImmediate)
    }
    expect((await raw.reply()).status).toBe(431)
    raw.close()
  })

  it('that sends chunks without end is ended', async () => {
    const raw = await RawHttp.open(served.port)
    raw.send([
      'POST /mcp HTTP/1.1',
      `Host: localhost:${served.port}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ])
    for (let n = 0; n < 500 && !raw.ended; n += 1) {
      raw.socket.write(`400\r\n${' '.repeat(1024)}\r\n`)
      await new Promise(setImmediate)
    }
    expect((await raw.reply()).status).toBe(413)
    await raw.until(() => raw.ended)
    expect(raw.ended).toBe(true)
  })
})

const ODD: readonly JsonValue[] = [
  null,
  0,
  -1,
  1e308,
  2 ** 53,
  '',
  '0',
  '__proto__',
  'constructor',
  'x'.repeat(5000),
  [],
  {},
  true,
  false,
  [[]],
  { __proto__: null },
  { 'io.modelcontextprotocol/protocolVersion': 5 },
  '\u0000',
  '\ud800',
]

/** A message with some of its values put in the place of others, or taken away. */
function mutated(message: JsonObject, random: () => number): JsonObject {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item // never empty here
  const spoil = (value: JsonValue, depth: number): JsonValue => {
    if (random() < 0.08) return pick(ODD)
    if (typeof value !== 'object' || value === null || depth > 6) return value
    if (Array.isArray(value)) return value.map((one) => spoil(one, depth + 1))
    const entries = Object.entries(value).filter(() => random() > 0.05)
    return Object.fromEntries(
      entries.map(([key, one]) => [
        random() < 0.03 ? JSON.stringify(pick(ODD)) : key,
        spoil(one ?? null, depth + 1),
      ]),
    )
  }
  const spoiled = spoil(message, 0)
  return typeof spoiled === 'object' && spoiled !== null && !Array.isArray(spoiled)
    ? spoiled
    : { is: spoiled }
}

describe('odd values', () => {
  it(`in any place are answered, and break nothing (seed ${SEED})`, async () => {
    const chance = dice(SEED)
    const random = (): number => chance.next()
    const headers = await session()
    const messages: readonly JsonObject[] = [
      initialize('2025-06-18'),
      request(1, 'tools/call', {
        name: 'echo',
        arguments: { text: 'a' },
        _meta: { progressToken: 1 },
      }),
      request(2, 'tools/list', { cursor: 'x' }),
      { jsonrpc: '2.0', id: 1, result: { action: 'accept', content: {} } },
      { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'm' } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      modern(1, 'tools/call', { name: 'echo', arguments: { text: 'a' } }).json,
      modern(1, 'server/discover').json,
    ]
    const heads: readonly Record<string, string>[] = [
      {},
      headers,
      { ...headers, 'mcp-protocol-version': '2025-06-18' },
      modern(1, 'tools/call', { name: 'echo' }).headers,
      {
        'mcp-protocol-version': '\u00ff',
        'mcp-method': '=?base64?=',
        'mcp-name': '=?base64?/w==?=',
      },
    ]
    const seen = new Set<number>()
    for (let turn = 0; turn < 4000; turn += 1) {
      const message = mutated(messages[turn % messages.length] as JsonObject, random)
      const head = heads[Math.floor(random() * heads.length)] ?? {}
      const json = random() < 0.05 ? [message, message] : message
      const reply = await ask({ json, headers: head })
      seen.add(reply.status ?? 0)
    }
    expect([...seen].filter((status) => ![200, 202, 400, 404].includes(status))).toEqual([])
    expect((await ask({ json: request(9, 'ping'), headers })).status).toBe(200)
    expect(({} as Record<string, unknown>)['is']).toBeUndefined()
  })
})
