/** What belongs to one caller reaches no other: answers, sessions, tasks, states, lists, streams, notices. Real sockets. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { ResponseCache } from '../../src/client/cache.ts'
import { connect } from '../../src/client/connect.ts'
import { resultToText } from '../../src/tools/content.ts'
import { defineTool } from '../../src/tools/define.ts'
import { http } from '../../src/transport/node/http-client.ts'
import { memoryPair } from '../../src/transport/memory.ts'
import { attacked, envelope, place, TASKS } from '../support/attacked.ts'
import { misrouted } from '../support/crossed-calls.ts'
import { notification, request } from '../support/fake-http.ts'
import { modern } from '../support/http/handled.ts'
import { ALICE, BOB, JSON_BOTH, TWO } from '../support/principals.ts'
import { readEvents } from '../support/read-events.ts'

const two = { authenticate: TWO } as const

describe('clients that all use the same ids', () => {
  it.each(['session', 'alone'] as const)(
    'get their own answers and progress, and nothing of others: %s (A15)',
    async (shape) => {
      const { served } = await place({ ...two, maxOpen: 10_000 })
      const wrong = await misrouted(served.url, { shape, clients: 20, calls: 20, seed: 20_261_210 })
      expect(wrong).toEqual([])
    },
  )

  it('are not mixed up by one transport that is served or opened twice (A15)', async () => {
    const { server } = attacked()
    const [near, far] = memoryPair()
    void server.accept(far)
    await expect(server.accept(far)).rejects.toHaveProperty('code')
    const client = await connect(near)
    await expect(connect(near)).rejects.toHaveProperty('code')
    expect(resultToText(await client.callTool('echo', { text: 'x' }))).toBe('x for nobody')
    await client.close()
  })
})

describe('two principals of one server', () => {
  it('reach upstream each with their own credential, whoever asks at the same time (A16)', async () => {
    const KEYS: Readonly<Record<string, string>> = { alice: 'key-a', bob: 'key-b' }
    const upstream: string[] = []
    const fetches = defineTool<{ nonce: string }>({
      name: 'fetch',
      input: { type: 'object', properties: { nonce: { type: 'string' } } },
      async run({ nonce }, { auth }) {
        await new Promise(setImmediate)
        upstream.push(`${nonce} ${KEYS[auth?.principal ?? '']}`)
        return nonce
      },
    })
    const at = await place(two, { tools: [fetches] })
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const [who, key] = index % 2 === 0 ? [ALICE, 'key-a'] : [BOB, 'key-b']
        const nonce = `${index}-${key}`
        return at.ask('tools/call', { name: 'fetch', arguments: { nonce } }, who)
      }),
    )
    expect(upstream).toHaveLength(100)
    for (const one of upstream) {
      const [nonce = '', key = ''] = one.split(' ')
      expect(nonce.endsWith(key)).toBe(true)
    }
  })

  it('see their own lists, in both shapes, also at once (A16)', async () => {
    const at = await place(two)
    const [alice, bob] = [await at.session(ALICE), await at.session(BOB)]
    const names = async (headers: Record<string, string>, isModern: boolean): Promise<unknown> => {
      const { result } = isModern
        ? await at.ask('tools/list', {}, headers)
        : await at.post(request(1, 'tools/list'), headers)
      return (result['tools'] as readonly JsonObject[]).map(({ name }) => name) // a list of tools
    }
    const all = await Promise.all(
      Array.from({ length: 20 }, async () => [
        await names(ALICE, true),
        await names(BOB, true),
        await names(alice, false),
        await names(bob, false),
      ]),
    )
    const own = ['echo', 'region', 'who', 'slow']
    const secret = ['echo', 'region', 'who', 'secret', 'slow']
    for (const one of all) expect(one).toEqual([secret, own, secret, own])
  })
})

describe('a session', () => {
  it('has an id of 192 bits that never comes twice, and stands in no address (A17)', async () => {
    const at = await place()
    const ids = new Set<string>()
    for (let turn = 0; turn < 300; turn += 1) {
      const headers = await at.session()
      ids.add(headers['mcp-session-id'] ?? '')
    }
    expect(ids.size).toBe(300)
    for (const id of ids) expect(id).toMatch(/^[\w-]{32}$/)
  })

  it('is as good as unknown to another principal, by every method (A17)', async () => {
    const at = await place(two)
    const alice = await at.session(ALICE)
    const stolen = { ...alice, ...BOB }
    const made = { ...BOB, 'mcp-session-id': 'A'.repeat(32) }
    const nobody = { 'mcp-session-id': alice['mcp-session-id'] ?? '' }
    for (const method of ['POST', 'GET', 'DELETE']) {
      const ask = async (headers: Record<string, string>): Promise<unknown> => {
        const body = method === 'POST' ? { body: JSON.stringify(request(1, 'ping')) } : {}
        const init = { method, headers: { ...JSON_BOTH, ...headers }, ...body }
        const response = await fetch(at.served.url, init)
        return [response.status, await response.text()]
      }
      const [status, text] = (await ask(stolen)) as [number, string]
      expect([status, text]).toEqual(await ask(made))
      expect(status).toBe(404)
      expect(((await ask(nobody)) as [number])[0]).toBe(401)
    }
    expect((await at.post(request(1, 'ping'), alice)).status).toBe(200)
  })

  it('has one stream: a second one is refused and takes nothing from the first, and after its end it is gone (A17)', async () => {
    const at = await place(two)
    const alice = await at.session(ALICE)
    const headers = { ...alice, accept: 'text/event-stream' }
    const first = await fetch(at.served.url, { headers })
    expect((await fetch(at.served.url, { headers })).status).toBe(409)
    at.server.tools.add(defineTool({ name: 'new', run: () => 'x' }))
    const reader = first.body?.getReader()
    let text = ''
    while (!text.includes('list_changed'))
      text += new TextDecoder().decode((await reader?.read())?.value)
    await fetch(at.served.url, { method: 'DELETE', headers: alice })
    for (let step = await reader?.read(); step?.done === false;) step = await reader?.read()
    expect((await at.post(request(1, 'ping'), alice)).status).toBe(404)
    expect((await fetch(at.served.url, { headers })).status).toBe(404)
  })
})

describe('a task', () => {
  const NEW = { name: 'slow', arguments: {} }
  const strange = '0'.repeat(32)

  it.each(['tasks/get', 'tasks/cancel', 'tasks/update'])(
    'of one principal does not exist for %s of another, as one that never was (A18)',
    async (method) => {
      const at = await place(two)
      const capable = { _meta: envelope({ elicitation: { form: {} }, ...TASKS }) }
      const { result } = await at.ask('tools/call', { ...NEW, ...capable }, ALICE)
      const taskId = JSON.stringify(result['taskId']).slice(1, -1)
      expect(taskId).toMatch(/^[0-9a-f]{32}$/)
      const params = { inputResponses: { go: { action: 'accept', content: { name: 'bob' } } } }
      const stolen = await at.ask(method, { taskId, ...params, ...capable }, BOB)
      const unknown = await at.ask(method, { taskId: strange, ...params, ...capable }, BOB)
      expect([stolen.status, stolen.error]).toEqual([unknown.status, unknown.error])
      expect(stolen.error['code']).toBe(-32_602)
      const own = await at.ask('tasks/get', { taskId, ...capable }, ALICE)
      expect(own.result['status']).toBe('input_required')
    },
  )

  it('of one principal does not exist for another in 2025-11-25, in no list and on no stream (A18)', async () => {
    const at = await place(two, { tasks: { list: true } })
    const [alice, bob] = [await at.session(ALICE), await at.session(BOB)]
    const made = await at.post(request(1, 'tools/call', { ...NEW, task: {} }), alice)
    const { taskId = '' } = made.result['task'] as JsonObject // shape of a task
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/result']) {
      const stolen = await at.post(request(1, method, { taskId }), bob)
      const unknown = await at.post(request(1, method, { taskId: strange }), bob)
      expect([stolen.status, stolen.error]).toEqual([unknown.status, unknown.error])
    }
    const cursor = await at.post(request(1, 'tasks/list', { cursor: taskId }), bob)
    expect(cursor.error['code']).toBe(-32_602)
    expect((await at.post(request(1, 'tasks/list'), bob)).result['tasks']).toEqual([])
    const own = await at.post(request(1, 'tasks/list'), alice)
    expect(own.result['tasks']).toMatchObject([{ taskId }])
  })

  it('of one nobody is in no list of another nobody (A18)', async () => {
    const at = await place()
    const [one, other] = [await at.session(), await at.session()]
    await at.post(request(1, 'tools/call', { ...NEW, task: {} }), one)
    const { error } = await at.post(request(1, 'tasks/list'), other)
    expect(error['code']).toBe(-32_601)
  })

  it('is told on the listen streams of its owner alone (A18, A22)', async () => {
    const at = await place(two)
    const capable = { _meta: envelope({ elicitation: { form: {} }, ...TASKS }) }
    const { result } = await at.ask('tools/call', { ...NEW, ...capable }, ALICE)
    const wish = { notifications: { taskIds: [result['taskId'] ?? ''] }, ...capable }
    const [alice, bob] = [
      await listening(at.served.url, wish, ALICE),
      await listening(at.served.url, wish, BOB),
    ]
    await at.ask('tasks/cancel', { taskId: result['taskId'] ?? '', ...capable }, ALICE)
    await alice.until((text) => text.includes('cancelled'))
    await at.ask('tools/list', {}, BOB)
    expect(bob.text()).not.toContain('cancelled')
    alice.end()
    bob.end()
  })
})

/** A listen stream that is read as it comes; settled when it has been acknowledged. */
async function listening(
  url: string,
  params: JsonObject,
  who: Record<string, string>,
): Promise<{
  text(): string
  until(holds: (text: string) => boolean): Promise<void>
  end(): void
}> {
  const { json, headers } = modern(1, 'subscriptions/listen', params)
  const stop = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...JSON_BOTH, ...headers, ...who },
    body: JSON.stringify(json),
    signal: stop.signal,
  })
  let text = ''
  let look = (): void => {}
  void (async () => {
    try {
      for await (const piece of response.body ?? []) {
        text += new TextDecoder().decode(piece)
        look()
      }
    } catch {
      // ended by the test
    }
  })()
  const until = (holds: (text: string) => boolean): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        if (holds(text)) resolve()
      }
      look()
    })
  await until((so) => so.includes('acknowledged') || so.includes('"result"'))
  return { text: () => text, until, end: () => stop.abort() }
}

describe('what a server allows to be kept', () => {
  it('is not given to another principal out of a cache that they share, poisoned or not (A20)', async () => {
    const at = await place(two, { ttlMs: 60_000 })
    const cache = new ResponseCache()
    const clientOf = (headers: Record<string, string>, authorization: string) =>
      connect(http(at.served.url, { headers }), { era: 'modern', cache, authorization })
    const alice = await clientOf(ALICE, 'alice')
    const bob = await clientOf(BOB, 'bob')
    const names = async (client: typeof alice): Promise<readonly string[]> =>
      (await client.listTools()).map(({ name }) => name)
    expect(await names(alice)).toContain('secret')
    expect(await names(bob)).not.toContain('secret')
    expect(await names(alice)).toContain('secret')
    await alice.close()
    await bob.close()
  })

  it('is private unless it is called public by that very word, and a day old at most (A20)', () => {
    let now = 0
    const clock = { now: () => now, wall: () => now, after: () => ({ cancel() {} }) }
    const DAY = 86_400_000
    for (const cacheScope of [undefined, 'Public', 'public ', true, ['public'], null, 'private']) {
      now = 0
      const cache = new ResponseCache({ clock })
      const key = { server: 's', revision: '2026-07-28', method: 'tools/list', params: undefined }
      const alice = { ...key, authorization: 'alice' }
      cache.keep(alice, { tools: [], ttlMs: 1e300, cacheScope }, 0) // whatever a server says
      expect(cache.find({ ...key, authorization: 'bob' }), String(cacheScope)).toBeUndefined()
      expect(cache.find(alice)?.fresh).toBe(true)
      now = DAY
      expect(cache.find(alice)?.fresh).toBe(false)
      for (const other of [
        { server: 't' },
        { method: 'prompts/list' },
        { params: { cursor: '2' } },
        { revision: 'x' },
      ])
        expect(cache.find({ ...alice, ...other })).toBeUndefined()
    }
  })
})

describe('an event id', () => {
  it('of one session or stream brings nothing of it to another, and a made up one is an error (A21)', async () => {
    const at = await place(two)
    const [alice, other, bob] = [
      await at.session(ALICE),
      await at.session(ALICE),
      await at.session(BOB),
    ]
    const params = { name: 'echo', arguments: { text: 'private' }, _meta: { progressToken: 1 } }
    const told = await fetch(at.served.url, {
      method: 'POST',
      headers: { ...JSON_BOTH, ...alice },
      body: JSON.stringify(request(1, 'tools/call', params)),
    })
    const ids = readEvents(await told.text()).map(({ id = '' }) => id)
    expect(ids.length).toBeGreaterThan(1)
    const resume = async (headers: Record<string, string>, id: string): Promise<string> => {
      const all = { ...headers, accept: 'text/event-stream', 'last-event-id': id }
      const response = await fetch(at.served.url, { headers: all })
      if (response.ok) return response.text()
      return `${response.status}`
    }
    for (const id of ids) {
      expect(await resume({ ...alice, ...BOB }, id)).toBe('404')
      for (const headers of [other, bob]) expect(await resume(headers, id)).toBe('400')
    }
    const [first = ''] = ids
    const [stream = ''] = first.split(/[^\w]/)
    for (const id of ['x', '', '-1', `${stream}-999999`, `${stream}.1e9`, `${first}9`, '__proto__'])
      expect(['400', '405'], id).toContain((await resume(alice, id)).slice(0, 3))
    expect(await resume(alice, first)).toContain('private')
  })
})

describe('a notice', () => {
  it('of a resource reaches those who watch it and may see it, each on one stream (A22)', async () => {
    const at = await place(two)
    const wish = { notifications: { resourceSubscriptions: ['note://secret', 'note://open'] } }
    const streams = [
      await listening(at.served.url, wish, ALICE),
      await listening(at.served.url, wish, BOB),
      await listening(at.served.url, { notifications: {} }, ALICE),
    ]
    at.server.resourceUpdated('note://secret')
    at.server.resourceUpdated('note://open')
    await Promise.all(
      streams.slice(0, 2).map((one) => one.until((t) => updatesIn(t).includes('note://open'))),
    )
    await at.ask('tools/list')
    expect(streams.map((one) => updatesIn(one.text()))).toEqual([
      ['note://secret', 'note://open'],
      ['note://open'],
      [],
    ])
    for (const one of streams) one.end()
  })

  it('of a session is on its own stream once, and not on those of its calls (A22)', async () => {
    const at = await place(two)
    const sessions = [await at.session(ALICE), await at.session(BOB)]
    const texts: string[] = []
    for (const headers of sessions) {
      await at.post(request(1, 'resources/subscribe', { uri: 'note://open' }), headers)
      const all = { ...headers, accept: 'text/event-stream' }
      void fetch(at.served.url, { headers: all }).then(async (response) =>
        texts.push(await response.text()),
      )
    }
    await at.post(request(2, 'resources/subscribe', { uri: 'note://secret' }), sessions[1])
    const opened = (): Promise<Response[]> =>
      Promise.all(
        sessions.map((headers) =>
          fetch(at.served.url, { headers: { ...headers, accept: 'text/event-stream' } }),
        ),
      )
    while ((await opened()).some(({ status }) => status !== 409)) await new Promise(setImmediate)
    at.server.resourceUpdated('note://open')
    at.server.resourceUpdated('note://secret')
    const call = await at.post(request(3, 'tools/call', { name: 'echo' }), sessions[0])
    for (const headers of sessions) await fetch(at.served.url, { method: 'DELETE', headers })
    await expect.poll(() => texts.length).toBe(2)
    expect(texts.map(updatesIn)).toEqual([['note://open'], ['note://open']])
    expect(call.text).not.toContain('updated')
    expect(await at.post(notification('notifications/x'))).toBeDefined()
  })
})

function updatesIn(text: string): readonly unknown[] {
  return readEvents(text)
    .filter(({ data }) => data !== '')
    .map(({ data }) => JSON.parse(data) as JsonObject) // every event with data is a message
    .filter(({ method }) => method === 'notifications/resources/updated')
    .map(({ params }) => Object(params).uri)
}
