/** Members of an object's own machinery as names, and odd values in every field: nothing is polluted, nothing crashes. */
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'
import { envelope, place, TASKS, type Heard, type Place } from '../support/attacked.ts'
import { bundleFile } from '../support/bundle.ts'
import { request } from '../support/fake-http.ts'
import { ODD_VALUES, turned } from '../support/hostile.ts'
import { initialize, modern, MODERN } from '../support/http/handled.ts'
import { endServers, startServer, type ServerProcess } from '../support/server-process.ts'

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']

/** What pollution would leave behind. */
function isClean(): boolean {
  const fresh: Record<string, unknown> = {}
  return fresh['polluted'] === undefined && Object.keys(Object.prototype).length === 0
}

/** An object that has this key itself, as `JSON.parse` makes it. */
const having = (key: string, value: JsonValue): JsonObject =>
  JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`) as JsonObject // an object by its text

const POISON: JsonObject = { polluted: 'yes', constructor: { prototype: { polluted: 'yes' } } }

afterEach(() => {
  expect(isClean()).toBe(true)
})

describe.each(NAMES)('the name %s', (name) => {
  it('is no tool, prompt, resource or completion that nobody defined (A25)', async () => {
    const at = await place()
    const asked: readonly (readonly [string, JsonObject, number])[] = [
      ['tools/call', { name, arguments: {} }, -32_602],
      ['prompts/get', { name, arguments: {} }, -32_602],
      ['resources/read', { uri: `x:${name}` }, -32_602],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name }, argument: { name, value: 'v' } },
        -32_602,
      ],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'review' }, argument: { name, value: 'v' } },
        -32_602,
      ],
      [
        'completion/complete',
        {
          ref: { type: 'ref/resource', uri: 'file:///root/{+path}' },
          argument: { name, value: 'v' },
        },
        -32_602,
      ],
      [name, {}, -32_601],
      ['tasks/get', { taskId: name }, -32_602],
    ]
    for (const [method, params, code] of asked) {
      const heard = await at.ask(method, { ...params, _meta: envelope(TASKS) })
      expect([method, heard.error['code']]).toEqual([method, code])
    }
  })

  it('stays a plain member in arguments, metadata, capabilities, extensions and headers (A25)', async () => {
    const at = await place()
    const poison = having(name, POISON)
    const meta = { ...envelope(), ...poison }
    const capable = envelope({ ...poison, extensions: having(name, POISON), experimental: poison })
    const calls: readonly JsonObject[] = [
      { name: 'echo', arguments: { text: 'x', ...poison } },
      { name: 'echo', arguments: poison },
      { name: 'echo', arguments: { text: 'x' }, _meta: meta },
      { name: 'echo', arguments: { text: 'x' }, _meta: capable },
      { name: 'echo', arguments: { text: 'x' }, inputResponses: poison },
      { name: 'echo', arguments: { text: 'x' }, ...poison },
    ]
    for (const params of calls) {
      const { status, answer } = await at.ask('tools/call', params, { [`mcp-param-${name}`]: 'x' })
      expect([200, 400]).toContain(status)
      expect(isJsonObject(answer['result']) || isJsonObject(answer['error'])).toBe(true)
    }
    const prompt = await at.ask('prompts/get', { name: 'review', arguments: having(name, 'x') })
    expect(prompt.status).toBeLessThan(500)
    const opened = await at.post(
      request(1, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: { ...poison, elicitation: poison },
        clientInfo: { name: 'c', version: '1', ...poison },
      }),
    )
    expect(opened.status).toBe(200)
    expect((await at.ask('tools/call', { name: 'echo', arguments: { text: 'x' } })).said).toBe(
      'x for nobody',
    )
  })

  it('as the value of a template’s variable is a text (A25)', async () => {
    const at = await place()
    const heard = await at.ask('resources/read', { uri: `row://${name}/${name}` })
    expect(JSON.parse(String(heard.said))).toEqual({ table: name, id: name })
  })
})

/** Every request with all of its members, in the words of either era. */
const REQUESTS: readonly JsonObject[] = [
  initialize('2025-11-25', { elicitation: {}, sampling: {} }),
  request(1, 'ping', { _meta: {} }),
  request(1, 'tools/list', { cursor: 'c', _meta: {} }),
  request(1, 'tools/call', {
    name: 'echo',
    arguments: { text: 't', turns: 1 },
    task: { ttl: 1 },
    _meta: { progressToken: 1 },
  }),
  request(1, 'resources/read', { uri: 'file:///root/a', _meta: {} }),
  request(1, 'resources/subscribe', { uri: 'note://open' }),
  request(1, 'prompts/get', { name: 'review', arguments: { text: 't' } }),
  request(1, 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'review' },
    argument: { name: 'text', value: 'v' },
    context: { arguments: { text: 'x' } },
  }),
  request(1, 'logging/setLevel', { level: 'info' }),
  request(1, 'tasks/get', { taskId: 'x' }),
  request(1, 'tasks/list', { cursor: 'x' }),
]
const MODERN_REQUESTS: readonly JsonObject[] = [
  [
    'tools/call',
    {
      name: 'who',
      arguments: { what: 'x' },
      requestState: 's',
      inputResponses: { who: { action: 'accept', content: {} } },
    },
  ],
  ['tools/list', { cursor: 'c' }],
  ['resources/read', { uri: 'file:///root/a' }],
  ['prompts/get', { name: 'review', arguments: { text: 't' } }],
  [
    'completion/complete',
    {
      ref: { type: 'ref/resource', uri: 'file:///root/{+path}' },
      argument: { name: 'path', value: 'v' },
      context: { arguments: {} },
    },
  ],
  ['tasks/update', { taskId: 'x', inputResponses: { go: { action: 'accept' } } }],
  ['server/discover', {}],
].map(
  ([method, params]) =>
    modern(1, method as string, {
      ...(params as JsonObject),
      _meta: { ...envelope({ elicitation: { form: {} }, ...TASKS }), progressToken: 1 },
    }).json, // pairs as they stand above
)

/** The paths of all members, from the top. */
function pathsIn(value: JsonValue | undefined, path: readonly string[] = []): readonly string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => [
    [...path, name],
    ...pathsIn(one, [...path, name]),
  ])
}

function* spoiled(message: JsonObject): Generator<JsonObject> {
  for (const path of pathsIn(message))
    for (const odd of ODD_VALUES)
      yield turned(message, path, typeof odd === 'string' ? odd.slice(0, 5000) : odd)
}

const DEFINED = new Set([-32_700, -32_600, -32_601, -32_602, -32_603, -32_020, -32_021, -32_022])

function judge({ status, answer }: Heard, message: JsonObject): string | undefined {
  const { result, error } = answer
  const code = isJsonObject(error) ? error['code'] : undefined
  const good =
    status === 202 || isJsonObject(result) || (typeof code === 'number' && DEFINED.has(code))
  return good && status < 500
    ? undefined
    : `${JSON.stringify(message).slice(0, 300)} -> ${status} ${JSON.stringify(answer)}`
}

describe('an odd value in any field', () => {
  it.each(['session', 'alone'] as const)(
    'is answered by a defined error or as if it were fine, over HTTP: %s (A31)',
    async (shape) => {
      const at = await place({ maxSessions: 20_000 })
      const headers = shape === 'session' ? await at.session() : {}
      const bad: string[] = []
      let asked = 0
      const send = async (message: JsonObject): Promise<void> => {
        const method = typeof message['method'] === 'string' ? message['method'] : ''
        const named = Object(message['params'])
        const mirrored = {
          'mcp-protocol-version': MODERN,
          'mcp-method': 'x',
          ...modernHeaders(method, named),
        }
        const found = judge(
          await at.post(message, shape === 'session' ? headers : mirrored),
          message,
        )
        asked += 1
        if (found !== undefined) bad.push(found)
      }
      for (const whole of shape === 'session' ? REQUESTS : MODERN_REQUESTS) {
        const all = [...spoiled(whole)]
        for (let from = 0; from < all.length; from += 32)
          await Promise.all(all.slice(from, from + 32).map(send))
      }
      console.log(`${shape}: ${asked} odd messages`)
      expect(bad).toEqual([])
      expect((await alive(at)).said).toBe('x for nobody')
    },
  )

  it('does not end a server on standard input and output, in either era (A31)', async () => {
    const server = startServer(await bundleFile('test/support/attacked-server-main.ts'))
    server.send(initialize('2025-11-25', { elicitation: {} }))
    await server.answer('init')
    server.send(request('ready', 'ping'))
    let sent = 0
    for (const whole of [...REQUESTS.slice(1), ...MODERN_REQUESTS]) {
      for (const message of spoiled(whole)) {
        const line = JSON.stringify(message)
        if (line.includes('subscriptions/listen')) continue
        sent += 1
        server.send(line)
      }
      await heard(server, `after ${sent}`)
    }
    for (const id of [
      '0',
      '""',
      '"0"',
      '9007199254740993',
      'null',
      '1.5',
      '-1',
      '[]',
      '{}',
      'true',
    ])
      server.send(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)
    server.send(
      '{"jsonrpc":"2.0","id":99,"result":{}}',
      '{"jsonrpc":"2.0","id":99,"result":{},"error":{}}',
      '[]',
      '[[]]',
      'null',
      '7',
    )
    await heard(server, 'last')
    for (const id of [0, '', '0', -1]) expect(await server.answer(id)).toHaveProperty('result')
    const wrong = server
      .answers()
      .filter(({ error }) => isJsonObject(error) && !DEFINED.has(Number(error['code'])))
    console.log(`standard input: ${sent} odd messages`)
    expect(wrong).toEqual([])
    expect(server.stderr()).not.toMatch(/uncaught|unhandled|at .*\.js:\d+/i)
  })
})

afterAll(endServers)

/** Everything sent so far was read: this ping is answered. */
async function heard(server: ServerProcess, id: string): Promise<void> {
  server.send(request(id, 'ping'))
  expect(await server.answer(id)).toHaveProperty('result')
}

function alive(at: Place): Promise<Heard> {
  return at.ask('tools/call', { name: 'echo', arguments: { text: 'x' } })
}

function modernHeaders(method: string, params: Record<string, unknown>): Record<string, string> {
  const named = ['name', 'uri', 'taskId']
    .map((member) => params[member])
    .find((one) => typeof one === 'string')
  const ascii = (text: string): boolean => /^[\x21-\x7e]{1,500}$/.test(text)
  return {
    ...(ascii(method) ? { 'mcp-method': method } : {}),
    ...(typeof named === 'string' && ascii(named) ? { 'mcp-name': named } : {}),
  }
}
