/**
 * The server against a client that turns every member of its messages into something else. Each request with an
 * id gets exactly one answer, a result or an error with an integer code; the server goes on serving.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'
import { Server } from '../../src/server/server.ts'
import { defineTool } from '../../src/tools/define.ts'
import { nestedText, ODD_VALUES, rawEnd, turn, turned, type RawEnd } from '../support/hostile.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const KEY = 'io.modelcontextprotocol/'
const ENVELOPE = {
  [`${KEY}protocolVersion`]: '2026-07-28',
  [`${KEY}clientCapabilities`]: { elicitation: {} },
  [`${KEY}clientInfo`]: { name: 'n', version: '1', icons: [] },
  [`${KEY}logLevel`]: 'error',
  progressToken: 7,
}

const echo = defineTool<{ text?: string }>({
  name: 'echo',
  input: { type: 'object', properties: { text: { type: 'string' } } },
  run: ({ text }) => text ?? '',
})
const wait = defineTool({
  name: 'wait',
  run: (_, { signal }) =>
    new Promise<string>((resolve) => {
      signal.addEventListener('abort', () => resolve('given up'), { once: true })
    }),
})

/** A server on a wire of ours; with a version its session is open already. */
async function serving(version?: string): Promise<RawEnd> {
  const end = rawEnd()
  const server = new Server({ name: 's', version: '1', tools: [echo, wait], logging: true })
  servers.push(server)
  void server.accept(end.transport)
  await turn()
  if (version !== undefined) {
    const params = {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'n', version: '1' },
    }
    void end.say({ jsonrpc: '2.0', id: 'init', method: 'initialize', params })
    void end.say({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await end.find(({ id }) => id === 'init')
  }
  return end
}

/** Whatever is said meanwhile, a ping is answered. */
async function isServing(end: RawEnd): Promise<boolean> {
  const id = `alive ${end.heard.length}`
  void end.say({ jsonrpc: '2.0', id, method: 'ping' })
  return isJsonObject((await end.find((message) => message['id'] === id))['result'])
}

function objectsIn(heard: readonly JsonValue[]): readonly JsonObject[] {
  return heard.flat().filter(isJsonObject)
}

function isAnswer({ result, error }: JsonObject): boolean {
  return isJsonObject(result) !== (isJsonObject(error) && Number.isInteger(error['code']))
}

/** Requests of every kind with all their members, each to be spoiled in turn. */
const requests: readonly JsonObject[] = [
  {
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: { roots: {}, sampling: {} },
      clientInfo: { name: 'n', version: '1', title: 't' },
    },
  },
  { method: 'ping', params: { _meta: {} } },
  { method: 'tools/list', params: { cursor: 'c', _meta: {} } },
  {
    method: 'tools/call',
    params: {
      name: 'echo',
      arguments: { text: 't' },
      _meta: { progressToken: 1 },
      task: {},
      inputResponses: {},
      requestState: 's',
    },
  },
  { method: 'logging/setLevel', params: { level: 'info' } },
  { method: 'completion/complete', params: { ref: {}, argument: {} } },
  { method: 'resources/read', params: { uri: 'u' } },
  { method: 'server/discover', params: { _meta: ENVELOPE } },
  { method: 'tools/list', params: { cursor: 'c', _meta: ENVELOPE } },
  {
    method: 'tools/call',
    params: {
      name: 'echo',
      arguments: { text: 't' },
      inputResponses: {},
      requestState: 's',
      _meta: ENVELOPE,
    },
  },
  { method: 'prompts/get', params: { name: 'n', arguments: {}, _meta: ENVELOPE } },
]

/** Paths of all members, to a depth. */
function pathsOf(value: JsonObject, levels: number): string[][] {
  return Object.entries(value).flatMap(([name, member]) => [
    [name],
    ...(levels > 1 && isJsonObject(member)
      ? pathsOf(member, levels - 1).map((path) => [name, ...path])
      : []),
  ])
}

describe.each([undefined, '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a server whose session is of %s',
  (version) => {
    it.each(requests)('answers each $method once, whatever its members are', async (request) => {
      const end = await serving(version)
      const paths = [['jsonrpc'], ...pathsOf(request, 4)]
      const before = end.heard.length
      let asked = 0
      for (const path of paths) {
        for (const value of ODD_VALUES) {
          // A notification is answered by nobody, and a request whose method is nothing is none.
          asked += 1
          void end.say(
            turned({ jsonrpc: '2.0', id: asked, ...structuredClone(request) }, path, value),
          )
        }
        await turn()
      }
      const answersTo = (heard: readonly JsonValue[]): readonly JsonObject[] =>
        objectsIn(heard).filter(({ method }) => method === undefined)
      // A call may be answered later than a ping that came after it.
      await vi.waitFor(
        () => expect(answersTo(end.heard.slice(before)).length).toBeGreaterThanOrEqual(asked),
        { timeout: 30_000, interval: 1 },
      )
      expect(await isServing(end)).toBe(true)
      const answers = answersTo(end.heard.slice(before, -1))
      const ids = answers.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids).toHaveLength(asked)
      expect(answers.filter((answer) => !isAnswer(answer))).toEqual([])
    })

    it('answers a request with an odd id under that id, or as one whose id is unreadable [RPC-03, RPC-06]', async () => {
      const end = await serving(version)
      const before = end.heard.length
      const usable: JsonValue[] = [
        '',
        '0',
        0,
        -1,
        'null',
        '__proto__',
        2 ** 53 - 1,
        'x'.repeat(1 << 18),
      ]
      const unusable = ['null', '1.5', '9007199254740993', '1e308', 'true', '[]', '{}', '[1]']
      for (const id of usable) void end.say({ jsonrpc: '2.0', id, method: 'ping' })
      for (const id of unusable) void end.say(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)
      expect(await isServing(end)).toBe(true)
      const answers = objectsIn(end.heard.slice(before, -1))
      expect(answers.slice(0, usable.length)).toEqual(
        usable.map((id) => ({ jsonrpc: '2.0', id, result: {} })),
      )
      const refusals = answers.slice(usable.length)
      expect(refusals).toHaveLength(unusable.length)
      expect(refusals.filter(({ id }) => id !== null && id !== undefined)).toEqual([])
    })

    it('says nothing to notifications, whatever their members are [RPC-10]', async () => {
      const end = await serving(version)
      const before = end.heard.length
      const notices: JsonObject[] = [
        { method: 'notifications/cancelled', params: { requestId: 1, reason: 'r' } },
        { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
        { method: 'notifications/initialized', params: {} },
        { method: 'notifications/roots/list_changed', params: {} },
        { method: 'no/such', params: {} },
      ]
      for (const notice of notices) {
        for (const path of pathsOf(notice, 2)) {
          if (path[0] === 'method') continue
          for (const value of ODD_VALUES)
            void end.say(turned({ jsonrpc: '2.0', ...structuredClone(notice) }, path, value))
        }
      }
      expect(await isServing(end)).toBe(true)
      // What is no message at all may be refused, without an id.
      const said = objectsIn(end.heard.slice(before, -1))
      expect(said.filter(({ id }) => id !== null && id !== undefined)).toEqual([])
      expect(said.filter(({ error }) => !isJsonObject(error))).toEqual([])
    })
  },
)

describe('a server', () => {
  it('refuses the id of a running request, and takes it again when that has ended [RPC-04]', async () => {
    const end = await serving('2025-06-18')
    const call = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'wait' } }
    void end.say(call)
    await turn()
    void end.say({ jsonrpc: '2.0', id: 5, method: 'ping' })
    expect(await end.find(({ id }) => id === 5)).toMatchObject({ error: { code: -32600 } })
    void end.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
    await turn()
    void end.say({ jsonrpc: '2.0', id: 5, method: 'ping' })
    expect(await isServing(end)).toBe(true)
    expect(objectsIn(end.heard).filter(({ id }) => id === 5)).toHaveLength(2)
  })

  it('has no tool called as an object’s own machinery is [TOOL-15, ERR-20]', async () => {
    const end = await serving('2025-06-18')
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      void end.say({ jsonrpc: '2.0', id: name, method: 'tools/call', params: { name } })
      expect(await end.find(({ id }) => id === name)).toMatchObject({ error: { code: -32602 } })
      void end.say({ jsonrpc: '2.0', id: `m ${name}`, method: name, params: {} })
      expect(await end.find(({ id }) => id === `m ${name}`)).toMatchObject({
        error: { code: -32601 },
      })
    }
  })

  it('does not let arguments, metadata or capabilities reach a prototype', async () => {
    const end = await serving('2025-06-18')
    const spoiled = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
    void end.say(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${spoiled},"_meta":${spoiled},"__proto__":{"polluted":1}}}`,
    )
    void end.say(
      `{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{"_meta":{"${KEY}protocolVersion":"2026-07-28","${KEY}clientCapabilities":${spoiled},"${KEY}clientInfo":${spoiled},"__proto__":{"polluted":1}}}}`,
    )
    expect(await end.find(({ id }) => id === 2)).toHaveProperty('result')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it.each(['arrays', 'objects', 'mixed'] as const)(
    'refuses nested %s beyond 128 levels, and what is less is served',
    async (kind) => {
      const end = await serving('2025-06-18')
      const say = (id: number, depth: number): void =>
        // The message, its params, the arguments: three levels around the rest.
        void end.say(
          `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"deep":${nestedText(depth - 3, kind)}}}}`,
        )
      const before = end.heard.length
      for (const [at, depth] of [127, 128, 129, 10_000, 1_000_000].entries()) say(at, depth)
      for (const fits of [0, 1]) await end.find(({ id }) => id === fits)
      expect(await isServing(end)).toBe(true)
      await turn()
      const said = objectsIn(end.heard.slice(before))
      expect(said.filter(({ result }) => isJsonObject(result) && 'content' in result)).toHaveLength(
        2,
      )
      expect(said.filter(({ error }) => isJsonObject(error))).toHaveLength(3)
    },
  )

  it('answers a batch with a batch where the revision has them, and only what is owed [RPC-11, STDIO-16]', async () => {
    const end = await serving('2025-03-26')
    const before = end.heard.length
    void end.say([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/no-such' },
      { jsonrpc: '2.0', id: 2, method: 'no/such' },
      5,
      { jsonrpc: '2.0', id: 99, result: {} },
    ])
    void end.say([{ jsonrpc: '2.0', method: 'notifications/no-such' }])
    expect(await isServing(end)).toBe(true)
    const batches = end.heard.slice(before).filter((one) => Array.isArray(one))
    expect(batches).toHaveLength(1)
    expect(batches[0]).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32601 }) }),
      expect.objectContaining({ error: expect.objectContaining({ code: -32600 }) }),
    ])
  })

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])(
    'answers a batch with one refusal where %s has none [RPC-14]',
    async (version) => {
      const end = await serving(version)
      const before = end.heard.length
      void end.say([{ jsonrpc: '2.0', id: 1, method: 'ping' }])
      expect(await isServing(end)).toBe(true)
      expect(end.heard.slice(before, -1)).toEqual([
        expect.objectContaining({ error: expect.objectContaining({ code: -32600 }) }),
      ])
    },
  )

  it('refuses batches without an end or without a member [RPC-11]', async () => {
    const end = await serving('2025-03-26')
    const before = end.heard.length
    void end.say([])
    void end.say(Array.from({ length: 5000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })))
    expect(await isServing(end)).toBe(true)
    const said = objectsIn(end.heard.slice(before, -1))
    expect(said).toHaveLength(2)
    expect(said.every(({ error }) => isJsonObject(error) && error['code'] === -32600)).toBe(true)
  })

  it('reads members by their exact names, not by names that look alike', async () => {
    const end = await serving('2025-06-18')
    const call = (id: number, members: string): void =>
      void end.say(`{"jsonrpc":"2.0","id":${id},${members}}`)
    call(1, '"Method":"ping"')
    call(2, '"method":"tools/call","Params":{"name":"echo"}')
    call(3, '"method":"tools/call","param\u017f":{"name":"echo"}')
    call(4, '"method":"tools/call","params":{"Name":"echo","NAME":"echo"}')
    call(5, '"method":"tools/call","params":{"name":"echo\\u0000"}')
    call(6, '"method":"tools/call","params":{"name":"ECHO"}')
    call(7, '"method":"Tools/Call","params":{"name":"echo"}')
    expect(await isServing(end)).toBe(true)
    const answers = await Promise.all(
      Array.from({ length: 7 }, (_, at) => end.find(({ id }) => id === at + 1)),
    )
    const codes = answers.map(({ error }) => Reflect.get(Object(error), 'code') as unknown)
    expect(codes).toEqual([-32600, -32602, -32602, -32602, -32602, -32602, -32601])
  })

  it('opens 64 listen streams on a link and refuses the next, until one has ended [SUB-03, SUB-08]', async () => {
    const end = await serving()
    const listen = (id: number): JsonObject => ({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: ENVELOPE },
    })
    for (let id = 1; id <= 65; id += 1) void end.say(listen(id))
    expect(await end.find(({ id }) => id === 65)).toHaveProperty('error')
    const opened = (): number =>
      objectsIn(end.heard).filter(
        ({ method }) => method === 'notifications/subscriptions/acknowledged',
      ).length
    expect(opened()).toBe(64)
    void end.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    void end.say(listen(66))
    expect(await isServing(end)).toBe(true)
    expect(opened()).toBe(65)
  })

  it.each(['after:', 'after:%', 'after:%65cho', 'after:nobody', 'echo', '', 5, true, [], {}])(
    'refuses the cursor %j, which it never gave out [PAGE-06]',
    async (cursor) => {
      const end = await serving('2025-06-18')
      void end.say({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } })
      expect(await end.find(({ id }) => id === 1)).toMatchObject({ error: { code: -32602 } })
    },
  )
})
