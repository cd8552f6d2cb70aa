/** Lists, notices and questions without an end, over HTTP: they stop at a limit, and calls to others go on meanwhile. */
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { http } from '../../src/transport/node/http-client.ts'
import { place } from '../support/attacked.ts'
import { request } from '../support/fake-http.ts'
import { liveBytes } from '../support/heap.ts'
import {
  sendJson,
  smallServer,
  startEvents,
  type Misbehaviour,
} from '../support/http/small-server.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

async function joined(misbehave: Misbehaviour, options: ClientOptions = {}): Promise<Client> {
  const server = await smallServer(misbehave)
  open.push(server)
  const client = await connect(http(server.url), { era: 'legacy', ...options })
  open.push(client)
  return client
}

const toolsOf = (count: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_, at) => ({ name: `t${at}`, inputSchema: { type: 'object' } }))

describe('a list', () => {
  it('without end stops at a thousand pages, one in a circle at its second turn (A30)', async () => {
    let asked = 0
    let circle = false
    const client = await joined(({ message }, response) => {
      if (message?.['method'] !== 'tools/list') return false
      asked += 1
      const nextCursor = circle ? 'again' : `page ${asked}`
      sendJson(response, { jsonrpc: '2.0', id: message['id'], result: { tools: [], nextCursor } })
      return true
    })
    await expect(client.listTools()).rejects.toMatchObject({ code: 'DP_PROTOCOL_PAGES' })
    expect(asked).toBe(1000)
    circle = true
    asked = 0
    expect(await client.listTools()).toEqual([])
    expect(asked).toBe(2)
  })

  it('of a hundred thousand tools is refused unless it was asked for (A30)', async () => {
    const client = await joined(({ message }, response) => {
      if (message?.['method'] !== 'tools/list') return false
      sendJson(response, { jsonrpc: '2.0', id: message['id'], result: { tools: toolsOf(100_000) } })
      return true
    })
    await expect(client.listTools()).rejects.toMatchObject({ code: 'DP_PROTOCOL_PAGES' })
    expect(await client.callTool('t1')).toHaveProperty('content')
  })
})

/** Writes events as fast as they are taken, `count` of them, a turn of the loop for each hundred. */
async function storm(
  response: ServerResponse,
  count: number,
  event: (at: number) => JsonObject,
): Promise<void> {
  for (let at = 0; at < count && !response.destroyed; at += 1) {
    const full = !response.write(`data: ${JSON.stringify(event(at))}\n\n`)
    if (full || at % 100 === 0) await new Promise(setImmediate)
  }
}

describe('a flood', () => {
  it.each([
    ['progress', { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }],
    ['changes', { method: 'notifications/tools/list_changed' }],
    ['log messages', { method: 'notifications/message', params: { level: 'error', data: 'x' } }],
    ['what nobody knows', { method: 'notifications/x', params: { a: [] } }],
  ])(
    'of %s leaves nothing in memory, and another server is called meanwhile (A30)',
    async (_, notice) => {
      const other = await place()
      await other.ask('tools/list')
      const flood = { over: false }
      const client = await joined(({ message }, response, usual) => {
        if (message?.['method'] !== 'tools/call') return false
        startEvents(response)
        void storm(response, 20_000, () => ({ jsonrpc: '2.0', ...notice })).then(() => {
          flood.over = true
          response.end(`data: ${JSON.stringify(usual)}\n\n`)
        })
        return true
      })
      const before = liveBytes()
      const call = client.callTool('flood')
      let meanwhile = 0
      while (!flood.over) {
        expect((await other.ask('tools/call', { name: 'echo' })).said).toBe(' for nobody')
        if (!flood.over) meanwhile += 1
      }
      expect(await call).toHaveProperty('content')
      const now = liveBytes()
      expect(meanwhile).toBeGreaterThan(3)
      expect(now.heap - before.heap + now.buffers - before.buffers).toBeLessThan(8 * 1024 * 1024)
    },
  )

  it('of questions is answered in bounds: what is too many at once is refused (A30)', async () => {
    let running = 0
    let most = 0
    const sampling = (_: unknown, { signal }: { readonly signal: AbortSignal }): Promise<never> =>
      new Promise((_resolve, reject) => {
        running += 1
        most = Math.max(most, running)
        signal.addEventListener('abort', () => reject(new Error('given up')), { once: true })
      })
    const refusals: unknown[] = []
    const client = await joined(
      ({ message }, response, usual) => {
        if (Object(message?.['error']).code !== undefined) refusals.push(message?.['id'])
        if (message?.['method'] !== 'tools/call') return false
        startEvents(response)
        const params = { messages: [], maxTokens: 1 }
        void storm(response, 1500, (at) =>
          request(`q${at}`, 'sampling/createMessage', params),
        ).then(() => response.end(`data: ${JSON.stringify(usual)}\n\n`))
        return true
      },
      { answers: { sampling } },
    )
    expect(await client.callTool('flood')).toHaveProperty('content')
    await expect.poll(() => refusals.length).toBe(1500 - 1024)
    expect(most).toBe(1024)
  })

  it('of rounds ends after ten, and a server’s own after as many questions as a request may ask (A30)', async () => {
    const QUESTION = {
      method: 'elicitation/create',
      params: { message: 'm', requestedSchema: { type: 'object', properties: {} } },
    }
    let rounds = 0
    const server = await smallServer(({ message }, response) => {
      const { id, method } = message ?? {}
      const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
      if (method === 'tools/call') rounds += 1
      const result: JsonObject =
        method === 'server/discover'
          ? { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
          : {
              resultType: 'input_required',
              inputRequests: { q: QUESTION },
              requestState: `${rounds}`,
            }
      sendJson(response, { jsonrpc: '2.0', id, result })
      return true
    })
    open.push(server)
    const elicitation = () => Promise.resolve({ action: 'decline' as const })
    const client = await connect(http(server.url), { era: 'modern', answers: { elicitation } })
    open.push(client)
    await expect(client.callTool('x')).rejects.toMatchObject({ code: 'DP_PROTOCOL_ROUNDS' })
    expect(rounds).toBe(11)
  })

  it('of calls within one session, or of sessions, is refused at its limit, and others are served (A30)', async () => {
    const at = await place({ maxSessions: 50, maxSessionStreams: 20, maxOpen: 100 })
    const one = await at.session()
    const wait = request(1, 'tools/call', { name: 'echo', arguments: { turns: 300 } })
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, id) => at.post({ ...wait, id }, one)),
    )
    expect(all.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 429]))
    for (let turn = 0; turn < 200; turn += 1) await at.session()
    expect(at.served.handler.sessions).toBeLessThanOrEqual(50)
    expect((await at.ask('tools/call', { name: 'echo' })).status).toBe(200)
  })
})
