/** Many clients of one server over HTTP: what belongs to one reaches no other, whatever ids they use. */
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { bearerTokens } from '../../src/server/bearer-tokens.ts'
import type { HttpServerOptions } from '../../src/server/http.ts'
import { Server } from '../../src/server/server.ts'
import { defineTool } from '../../src/tools/define.ts'
import { notification, request, type FakeReply } from '../support/fake-http.ts'
import { handled, modern, type Handled } from '../support/http/handled.ts'
import { dice } from '../support/seeded.ts'

const SEED = 20_261_202
const CLIENTS = 60
const CALLS = 40

/** Says its words again after a while: as progress, then as the answer. */
const echo = defineTool<{ nonce: string; turns: number }>({
  name: 'echo',
  input: { type: 'object' },
  async run({ nonce, turns }, context) {
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
    context.progress({ progress: 1, message: nonce })
    return `${nonce} for ${context.auth?.principal ?? 'nobody'}`
  },
})
const grow = defineTool({
  name: 'grow',
  run() {
    servers[0]?.tools.add(defineTool({ name: `extra-${servers[0].tools.size}`, run: () => 'x' }))
    return 'grown'
  },
})

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

function behind(options: HttpServerOptions = {}): Handled {
  const server = new Server({ name: 's', version: '1', tools: [echo, grow] })
  servers.push(server)
  return handled(server, options)
}

const TOKENS = { 'token-of-alice-123': 'alice', 'token-of-bob-456789': 'bob' }
const ALICE = { authorization: 'Bearer token-of-alice-123' }
const BOB = { authorization: 'Bearer token-of-bob-456789' }

function textOf(message: JsonObject | undefined): string | undefined {
  const result = message?.['result'] as JsonObject | undefined // shape of the tool above
  const [block] = (result?.['content'] ?? []) as readonly JsonObject[]
  return typeof block?.['text'] === 'string' ? block['text'] : undefined
}

describe('clients that all use the same ids', () => {
  it(`get ${CLIENTS * CALLS} answers and their progress, none of them misrouted`, async () => {
    const { ask, session } = behind({ authenticate: bearerTokens(TOKENS), maxOpen: 10_000 })
    const chance = dice(SEED)
    const misrouted: string[] = []
    const check = (reply: FakeReply, expected: string, id: number): void => {
      const messages =
        reply.headers['content-type'] === 'application/json' ? [reply.json] : reply.messages
      const answer = messages.at(-1)
      const heard = messages.slice(0, -1).map(({ params }) => JSON.stringify(params))
      const nonce = expected.split(' ')[0] ?? ''
      if (
        textOf(answer) !== expected ||
        answer?.['id'] !== id ||
        !heard.every((one) => one.includes(nonce))
      )
        misrouted.push(`${expected}: ${reply.text}`)
    }
    const client = async (
      name: string,
      who: Record<string, string>,
      isModern: boolean,
    ): Promise<void> => {
      const principal = who === ALICE ? 'alice' : 'bob'
      const headers = isModern ? who : await session('2025-11-25', who)
      const calls = Array.from({ length: CALLS }, async (_, id) => {
        const nonce = `${name}.${id}`
        const args = { nonce, turns: chance.between(0, 5) }
        const params = { name: 'echo', arguments: args, _meta: { progressToken: 'same' } }
        const parts = isModern
          ? modern(id, 'tools/call', params)
          : { json: request(id, 'tools/call', params), headers: {} }
        const reply = await ask({ ...parts, headers: { ...parts.headers, ...headers } })
        check(reply, `${nonce} for ${principal}`, id)
      })
      await Promise.all(calls)
    }
    await Promise.all(
      Array.from({ length: CLIENTS }, (_, at) =>
        client(`c${at}`, at % 2 === 0 ? ALICE : BOB, at % 3 === 0),
      ),
    )
    expect(misrouted).toEqual([])
  })

  it('cancel their own requests alone', async () => {
    const { ask, send, session } = behind()
    const [mine, other] = [await session(), await session()]
    const params = { name: 'echo', arguments: { nonce: 'n', turns: 20 } }
    const replies = [mine, other].map((headers) =>
      send({ json: request(1, 'tools/call', params), headers }),
    )
    await ask({ json: notification('notifications/cancelled', { requestId: 1 }), headers: mine })
    await Promise.all(replies.map((reply) => reply.whole()))
    expect(replies.map(({ headers }) => headers['content-type'])).toEqual([
      'text/event-stream',
      'application/json',
    ])
  })
})

describe('a session of one caller', () => {
  it.each(['POST', 'GET', 'DELETE'])(
    'is not there for another by %s, and goes on',
    async (method) => {
      const { ask, session } = behind({ authenticate: bearerTokens(TOKENS) })
      const headers = await session('2025-11-25', ALICE)
      const stolen = await ask({
        method,
        json: request(1, 'ping'),
        headers: { ...headers, ...BOB },
      })
      const unknown = await ask({
        method,
        json: request(1, 'ping'),
        headers: { ...BOB, 'mcp-session-id': 'x'.repeat(32) },
      })
      expect([stolen.status, stolen.text]).toEqual([404, unknown.text])
      expect((await ask({ json: request(1, 'ping'), headers })).status).toBe(200)
    },
  )

  it('has streams that are not there for another, with any event id', async () => {
    const { ask, session } = behind({ authenticate: bearerTokens(TOKENS) })
    const [alice, bob] = [await session('2025-11-25', ALICE), await session('2025-11-25', BOB)]
    const params = {
      name: 'echo',
      arguments: { nonce: 'secret', turns: 0 },
      _meta: { progressToken: 1 },
    }
    const reply = await ask({ json: request(1, 'tools/call', params), headers: alice })
    const ids = reply.events.map(({ id }) => id)
    expect(ids).toHaveLength(3)
    for (const id of ids) {
      for (const headers of [{ ...alice, ...BOB }, bob]) {
        const stolen = await ask({ method: 'GET', headers: { ...headers, 'last-event-id': id } })
        expect([(stolen.status ?? 0) >= 400, stolen.text.includes('secret')]).toEqual([true, false])
      }
    }
    const again = await ask({ method: 'GET', headers: { ...alice, 'last-event-id': ids[0] } })
    expect(again.text).toContain('secret')
  })
})

describe('a change', () => {
  it('reaches each session once, on one stream of it, and no session that is not ready [HTTP-24]', async () => {
    const { ask, send, session } = behind()
    const sessions = await Promise.all(Array.from({ length: 5 }, () => session()))
    const streams = sessions.map((headers) => send({ method: 'GET', headers }))
    const [first = {}] = sessions
    const call = await ask({ json: request(1, 'tools/call', { name: 'grow' }), headers: first })
    await Promise.all(streams.map((stream) => stream.until(() => stream.messages.length > 0)))
    await new Promise(setImmediate)
    expect(streams.map(({ messages }) => messages.map(({ method }) => method))).toEqual(
      sessions.map(() => ['notifications/tools/list_changed']),
    )
    expect(call.headers['content-type']).toBe('application/json')
  })

  it('reaches those listen streams that asked for it, each with its own id', async () => {
    const { ask, send } = behind()
    const listen = (id: number, wish: JsonObject): FakeReply =>
      send(modern(id, 'subscriptions/listen', { notifications: wish }))
    const streams = [
      listen(1, { toolsListChanged: true }),
      listen(1, { toolsListChanged: true }),
      listen(1, {}),
    ]
    await Promise.all(streams.map((stream) => stream.until(() => stream.messages.length > 0)))
    await ask(modern(1, 'tools/call', { name: 'grow' }))
    await new Promise(setImmediate)
    expect(streams.map(({ messages }) => messages.length)).toEqual([2, 2, 1])
  })
})
