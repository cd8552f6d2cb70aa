/** Results that a client keeps because their server allowed it: for how long, for whom, and until when. */
import { afterEach, describe, expect, it } from 'vitest'
import { TransportError } from '../../src/base/errors.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { ResponseCache } from '../../src/client/cache.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { LEGACY_REVISIONS } from '../../src/protocol/revision.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { playedServer, type Asked, type PlayedOptions } from '../support/played-server.ts'

const turn = (): Promise<void> => new Promise(setImmediate)
const MINUTE = 60_000
const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

const ALL = { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {} }

/** A modern server that counts what it is asked, and says how long each result may be kept. */
function counting(
  hints: JsonObject = { ttlMs: MINUTE, cacheScope: 'private' },
  answer: (asked: Asked) => unknown = () => false,
  options: PlayedOptions = {},
) {
  let calls = 0
  const server = playedServer(
    (asked) => {
      if (answer(asked) !== false) return true
      if (asked.method !== 'server/discover') calls += 1
      const hinted = { resultType: 'complete', ...hints }
      const { method, params } = asked
      switch (method) {
        case 'tools/list':
          return asked.result({
            ...hinted,
            tools: [{ name: `t${calls}`, inputSchema: { type: 'object' } }],
          })
        case 'prompts/list':
          return asked.result({ ...hinted, prompts: [{ name: `p${calls}` }] })
        case 'resources/list':
          return asked.result({ ...hinted, resources: [] })
        case 'resources/templates/list':
          return asked.result({ ...hinted, resourceTemplates: [] })
        case 'resources/read':
          return asked.result({
            ...hinted,
            contents: [{ uri: params['uri'] ?? null, text: `read ${calls}` }],
          })
        default:
          return false
      }
    },
    { revision: '2026-07-28', capabilities: ALL, ...options },
  )
  return server
}

async function meet(
  server: ReturnType<typeof counting>,
  options: ClientOptions = {},
): Promise<Client> {
  const client = await connect(server.transport, { era: 'modern', ...options })
  clients.push(client)
  return client
}

const textOf = async (client: Client, uri: string): Promise<unknown> => {
  const [first] = (await client.readResource(uri)).contents
  return first !== undefined && 'text' in first ? first.text : undefined
}

describe('a result that may be kept', () => {
  it('is not asked for again while it is fresh, and is afterwards [CACHE-03]', async () => {
    const clock = fakeClock()
    const server = counting()
    const client = await meet(server, { clock })
    await client.listTools()
    await client.listTools()
    expect(server.of('tools/list')).toHaveLength(1)
    await clock.advance(MINUTE - 1)
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['t1'])
    await clock.advance(1)
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['t2'])
  })

  it('is that of the same question: each list, each URI for itself [CACHE-02]', async () => {
    const server = counting()
    const client = await meet(server)
    for (let at = 0; at < 2; at += 1) {
      await client.listTools()
      await client.listPrompts()
      await client.listResources()
      await client.listResourceTemplates()
    }
    expect(await textOf(client, 'a:1')).toBe('read 5')
    expect(await textOf(client, 'a:2')).toBe('read 6')
    expect(await textOf(client, 'a:1')).toBe('read 5')
    expect(server.heard.filter(({ id }) => id !== undefined)).toHaveLength(7)
  })

  it('is asked for again by who wants it fresh, or who wants nothing kept [CACHE-10]', async () => {
    const server = counting()
    const client = await meet(server)
    await client.listTools()
    await client.listTools({ fresh: true })
    await client.readResource('a:1')
    await client.readResource('a:1', { fresh: true })
    expect([server.of('tools/list').length, server.of('resources/read').length]).toEqual([2, 2])
    const without = await meet(server, { cache: false })
    await without.listTools()
    await without.listTools()
    expect(server.of('tools/list')).toHaveLength(4)
  })

  it('is never asked for by the clock: time alone sends nothing [CACHE-07]', async () => {
    const clock = fakeClock()
    const server = counting({ ttlMs: 1000, cacheScope: 'public' })
    const client = await meet(server, { clock })
    await client.listTools()
    const before = server.heard.length
    await clock.advance(100 * MINUTE)
    expect([server.heard.length, clock.pending]).toEqual([before, 0])
  })

  it('is not what a call, or a request by name, gives', async () => {
    const server = counting(undefined, (asked) =>
      asked.method === 'tools/call'
        ? asked.result({ resultType: 'complete', content: [], ttlMs: MINUTE, cacheScope: 'public' })
        : false,
    )
    const client = await meet(server)
    for (let at = 0; at < 2; at += 1) {
      await client.callTool('t')
      await client.request('tools/list')
    }
    expect([server.of('tools/call').length, server.of('tools/list').length]).toEqual([2, 2])
  })

  it('is none where a question was answered on the way [MRTR-16]', async () => {
    let asks = 0
    const server = counting({ ttlMs: MINUTE, cacheScope: 'public' }, (asked) => {
      if (asked.method !== 'resources/read' || asked.params['requestState'] !== undefined)
        return false
      asks += 1
      return asked.result({ resultType: 'input_required', requestState: 's' })
    })
    const client = await meet(server)
    await client.readResource('a:1')
    await client.readResource('a:1')
    expect(asks).toBe(2)
    expect(server.of('resources/read')).toHaveLength(4)
  })

  it.each(LEGACY_REVISIONS)('is none at %s, whatever stands in it [CACHE-03]', async (revision) => {
    const server = counting({ ttlMs: MINUTE, cacheScope: 'public' }, undefined, { revision })
    const client = await connect(server.transport, { era: 'legacy' })
    clients.push(client)
    await client.listTools()
    await client.listTools()
    expect(server.of('tools/list')).toHaveLength(2)
  })
})

describe('a cache that clients share', () => {
  it('gives what is private to the same authorization, and to no other [CACHE-04]', async () => {
    const cache = new ResponseCache()
    const server = counting({ ttlMs: MINUTE, cacheScope: 'private' })
    const names = async (options: ClientOptions): Promise<readonly string[]> =>
      (await (await meet(server, { cache, ...options })).listTools()).map(({ name }) => name)
    expect(await names({ authorization: 'ada' })).toEqual(['t1'])
    expect(await names({ authorization: 'bob' })).toEqual(['t2'])
    expect(await names({ authorization: 'ada' })).toEqual(['t1'])
    expect(await names({})).toEqual(['t3'])
    expect(await names({})).toEqual(['t4'])
  })

  it('is another one for another token of the same client [CACHE-04]', async () => {
    const server = counting({ ttlMs: MINUTE, cacheScope: 'private' })
    let token = 'one'
    const client = await meet(server, { authorization: () => token })
    await client.listTools()
    token = 'two'
    await client.listTools()
    token = 'one'
    await client.listTools()
    expect(server.of('tools/list')).toHaveLength(2)
  })

  it('gives what is public to all, and nothing of one server to clients of another [CACHE-02, CACHE-04]', async () => {
    const cache = new ResponseCache()
    const hints = { ttlMs: MINUTE, cacheScope: 'public' }
    const server = counting(hints)
    const other = counting(hints, undefined, { name: 'other' })
    await (await meet(server, { cache, authorization: 'ada' })).listTools()
    await (await meet(server, { cache, authorization: 'bob' })).listTools()
    await (await meet(other, { cache, authorization: 'ada' })).listTools()
    expect([server.of('tools/list').length, other.of('tools/list').length]).toEqual([1, 1])
  })

  it('hands out copies: what one client does to a result is not what the next one gets', async () => {
    const cache = new ResponseCache()
    const server = counting({ ttlMs: MINUTE, cacheScope: 'public' })
    const one = await meet(server, { cache })
    for (let at = 0; at < 2; at += 1) {
      const [content] = (await one.readResource('a:1')).contents
      Object.assign(content ?? {}, { text: 'poison' })
    }
    expect(await textOf(await meet(server, { cache }), 'a:1')).toBe('read 1')
  })
})

describe('a change', () => {
  const tagged = (asked: Asked, method: string, params: JsonObject = {}): void =>
    asked.say(method, {
      ...params,
      _meta: { 'io.modelcontextprotocol/subscriptionId': asked.id },
    })

  it('on a listen stream makes what it touches old at once, before its listener hears of it [CACHE-06]', async () => {
    let stream: Asked | undefined
    const server = counting(undefined, (asked) =>
      asked.method === 'subscriptions/listen' ? (stream = asked) : false,
    )
    const client = await meet(server)
    const changes = client.changes({ tools: true, uris: ['a:1'] })
    await client.listTools()
    await client.listPrompts()
    await client.readResource('a:1')
    await client.readResource('a:2')
    if (stream === undefined) throw new Error('nobody listens')
    tagged(stream, 'notifications/tools/list_changed')
    tagged(stream, 'notifications/resources/updated', { uri: 'a:1' })
    await changes.next()
    await changes.next()
    await client.listTools()
    await client.listPrompts()
    await client.readResource('a:1')
    await client.readResource('a:2')
    const counts = ['tools/list', 'prompts/list', 'resources/read'].map(
      (method) => server.of(method).length,
    )
    expect(counts).toEqual([2, 1, 3])
  })

  it('that was told to everyone makes it old as well [CACHE-06]', async () => {
    const server = counting()
    const client = await meet(server)
    await client.listTools()
    server.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    await turn()
    await client.listTools()
    expect(server.of('tools/list')).toHaveLength(2)
  })

  it('that comes while a list is asked for keeps that list from being kept [CACHE-06]', async () => {
    const server = counting(undefined, (asked) => {
      if (asked.method !== 'tools/list' || server.of('tools/list').length > 1) return false
      server.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
      return false
    })
    const client = await meet(server)
    await client.listTools()
    await client.listTools()
    await client.listTools()
    expect(server.of('tools/list')).toHaveLength(2)
  })

  it('may have been missed while there was no link: then everything is old [SUB-13]', async () => {
    const server = counting()
    const client = await meet(server)
    await client.listTools()
    server.end(new TransportError('DP_TRANSPORT_EXIT', 'It died.'))
    await server.until('server/discover', 2)
    for (let at = 0; at < 20; at += 1) await turn()
    await client.listTools()
    expect(server.of('tools/list')).toHaveLength(2)
  })
})

describe('a list of which pages are kept', () => {
  /** Two pages; cursors are good only for the list that gave them. */
  function paged(ttl: readonly [number, number]) {
    let version = 1
    const server = counting(undefined, (asked) => {
      if (asked.method !== 'tools/list') return false
      const { cursor } = asked.params
      if (cursor !== undefined && cursor !== `v${version}`)
        return asked.error(-32602, 'Invalid cursor')
      const [first, second] = ttl
      return asked.result({
        resultType: 'complete',
        tools: [{ name: `v${version}-${cursor === undefined ? 1 : 2}`, inputSchema: {} }],
        ...(cursor === undefined ? { nextCursor: `v${version}` } : {}),
        ttlMs: cursor === undefined ? first : second,
        cacheScope: 'private',
      })
    })
    return Object.assign(server, { change: () => void (version += 1) })
  }
  const names = async (client: Client): Promise<readonly string[]> =>
    (await client.listTools()).map(({ name }) => name)

  it('asks for a page that is no longer fresh by its cursor [CACHE-09]', async () => {
    const clock = fakeClock()
    const server = paged([10 * MINUTE, MINUTE])
    const client = await meet(server, { clock })
    await names(client)
    await clock.advance(MINUTE)
    expect(await names(client)).toEqual(['v1-1', 'v1-2'])
    expect(server.of('tools/list').map(({ params }) => params['cursor'])).toEqual([
      undefined,
      'v1',
      'v1',
    ])
  })

  it('is begun anew when that cursor is good no longer [CACHE-09]', async () => {
    const clock = fakeClock()
    const server = paged([10 * MINUTE, MINUTE])
    const client = await meet(server, { clock })
    await names(client)
    await clock.advance(MINUTE)
    server.change()
    expect(await names(client)).toEqual(['v2-1', 'v2-2'])
    expect(await names(client)).toEqual(['v2-1', 'v2-2'])
    expect(server.of('tools/list')).toHaveLength(5)
  })

  it('is not begun anew for an error that has nothing to do with it', async () => {
    const server = counting(undefined, (asked) =>
      asked.method === 'tools/list' ? asked.error(-32602, 'No such thing') : false,
    )
    const client = await meet(server)
    await expect(client.listTools()).rejects.toMatchObject({ rpcCode: -32602 })
    expect(server.of('tools/list')).toHaveLength(1)
  })
})

describe('a server that cannot be reached', () => {
  async function outOfReach(options: ClientOptions) {
    const clock = fakeClock()
    let down = false
    const server = counting(undefined, (asked) =>
      down
        ? asked.fail(new TransportError('DP_TRANSPORT_CONNECT', 'Nobody there.', { sent: 'yes' }))
        : false,
    )
    const client = await meet(server, { clock, reconnect: false, ...options })
    await client.listTools()
    await clock.advance(2 * MINUTE)
    down = true
    return client
  }

  it('is stood in for by what is kept and old, if that is wished for [CACHE-10]', async () => {
    const client = await outOfReach({ serveStale: true })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['t1'])
    await expect(client.listPrompts()).rejects.toMatchObject({ code: 'DP_TRANSPORT_CONNECT' })
  })

  it('is an error otherwise [CACHE-10]', async () => {
    const client = await outOfReach({})
    await expect(client.listTools()).rejects.toMatchObject({ code: 'DP_TRANSPORT_CONNECT' })
  })
})
