/** Everything that the dialects write, for every method and revision, against the official schemas. */
import { describe, expect, it } from 'vitest'
import { JsonText, type JsonObject } from '../base/json.ts'
import { writeError, writeNotification, writeRequest, writeResult } from '../jsonrpc/message.ts'
import { schemaOracle, schemasPresent } from '../../test/support/schema-oracle.ts'
import type { ClientIdentity, Dialect, Outcome, ServerIdentity } from './dialect.ts'
import { DIALECTS } from './dialects/index.ts'
import { missingClientCapability, resourceNotFound, unsupportedVersion } from './errors.ts'
import { ASKING_METHODS } from './methods.ts'
import { REVISIONS } from './revision.ts'

const icons = [{ src: 'https://example.com/i.png', sizes: ['48x48'], theme: 'dark' as const }]
const client: ClientIdentity = {
  info: {
    name: 'c',
    version: '1',
    title: 'C',
    description: 'd',
    websiteUrl: 'https://example.com',
    icons,
  },
  capabilities: {
    experimental: { 'x/y': { deep: [1.5, null] } },
    roots: { listChanged: true },
    sampling: { tools: {}, context: {} },
    elicitation: { form: {}, url: {} },
    tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } },
    extensions: { 'com.example/e': { level: 0.5 } },
  },
}
const server: ServerIdentity = {
  info: { name: 's', version: '2', title: 'S', icons },
  capabilities: {
    experimental: { 'x/y': {} },
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    completions: {},
    logging: {},
    tasks: { list: {}, requests: { tools: { call: {} } } },
    extensions: { 'com.example/e': {} },
  },
  instructions: 'Be kind.',
  revisions: REVISIONS,
  ttlMs: 5000,
  cacheScope: 'public',
}

const annotations = {
  audience: ['user' as const],
  priority: 0.5,
  lastModified: '2025-01-12T15:00:58Z',
}
const blocks: JsonObject[] = [
  { type: 'text', text: 'hello', annotations, _meta: { a: 1 } },
  { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
  {
    type: 'resource_link',
    uri: 'file:///a.txt',
    name: 'a',
    title: 'A',
    description: 'A file',
    size: 3,
  },
  { type: 'resource', resource: { uri: 'file:///a.txt', text: 'x', mimeType: 'text/plain' } },
  { type: 'hologram', points: 7 },
]
const tool: JsonObject = {
  name: 'add',
  title: 'Add',
  description: 'Adds.',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    properties: { a: true, b: false, c: { type: 'number' } },
    required: ['a'],
  },
  outputSchema: { type: 'array', items: { type: 'number' } },
  annotations: { title: 'Add', readOnlyHint: true },
  icons: [{ src: 'https://example.com/i.png' }],
  execution: { taskSupport: 'optional' },
  _meta: { a: 1 },
}
const resource: JsonObject = {
  uri: 'file:///a.txt',
  name: 'a',
  title: 'A',
  mimeType: 'text/plain',
  annotations,
  size: 3,
  icons: [],
}
const task: JsonObject = {
  taskId: 't',
  status: 'working',
  createdAt: '2025-01-12T15:00:58Z',
  lastUpdatedAt: '2025-01-12T15:00:58Z',
  ttl: null,
  pollInterval: 5,
}
const sampled: JsonObject = {
  role: 'assistant',
  model: 'm',
  stopReason: 'endTurn',
  content: [
    blocks[0] ?? null,
    blocks[2] ?? null,
    { type: 'tool_use', id: '1', name: 'add', input: { a: 1 } },
  ],
}

/** Params and a result of each request, in the words of the neutral model. */
const exchanges: Record<string, { params?: JsonObject; result: JsonObject }> = {
  ping: { result: {} },
  'logging/setLevel': { params: { level: 'info' }, result: {} },
  'resources/subscribe': { params: { uri: 'file:///a.txt' }, result: {} },
  'resources/unsubscribe': { params: { uri: 'file:///a.txt' }, result: {} },
  'tools/list': {
    params: { cursor: '' },
    result: { tools: [tool], nextCursor: 'n', ttlMs: 1, cacheScope: 'private' },
  },
  'tools/call': {
    params: { name: 'add', arguments: { a: 1.5 } },
    result: { content: blocks, structuredContent: [1, 2], isError: false, _meta: { b: 2 } },
  },
  'resources/list': { result: { resources: [resource] } },
  'resources/templates/list': {
    result: { resourceTemplates: [{ uriTemplate: 'file:///{a}', name: 'a', title: 'A' }] },
  },
  'resources/read': {
    params: { uri: 'file:///a.txt' },
    result: { contents: [{ uri: 'file:///a.txt', blob: 'AAAA' }] },
  },
  'prompts/list': {
    result: {
      prompts: [{ name: 'p', title: 'P', arguments: [{ name: 'a', title: 'A', required: true }] }],
    },
  },
  'prompts/get': {
    params: { name: 'p', arguments: { a: 'x' } },
    result: { description: 'd', messages: blocks.map((content) => ({ role: 'user', content })) },
  },
  'completion/complete': {
    params: {
      ref: { type: 'ref/prompt', name: 'p' },
      argument: { name: 'a', value: 'x' },
      context: { arguments: { b: 'y' } },
    },
    result: { completion: { values: ['x'], total: 1, hasMore: false } },
  },
  'subscriptions/listen': {
    params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['file:///a'] } },
    result: { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } },
  },
  'roots/list': { result: { roots: [{ uri: 'file:///a', name: 'a', _meta: {} }] } },
  'sampling/createMessage': {
    params: { messages: [sampled], maxTokens: 5, temperature: 0.5, metadata: { a: 0.5 } },
    result: sampled,
  },
  'elicitation/create': {
    params: {
      message: 'Which?',
      requestedSchema: {
        type: 'object',
        properties: {
          one: {
            type: 'string',
            oneOf: [
              { const: 'a', title: 'A' },
              { const: 'b', title: 'B' },
            ],
            default: 'a',
          },
          two: { type: 'number', minimum: 0.5, default: 1.5 },
          three: { type: 'boolean', default: true },
          four: { type: 'string', enum: ['x'] },
        },
        required: ['one'],
      },
    },
    result: { action: 'accept', content: { one: 'a', two: 0.5, three: false } },
  },
  'tasks/get': { params: { taskId: 't' }, result: task },
  'tasks/result': { params: { taskId: 't' }, result: { content: [] } },
  'tasks/list': { result: { tasks: [task] } },
  'tasks/cancel': { params: { taskId: 't' }, result: task },
}

const notifications: Record<string, JsonObject | undefined> = {
  'notifications/initialized': undefined,
  'notifications/cancelled': { requestId: 1, reason: 'enough' },
  'notifications/progress': { progressToken: 1, progress: 0.5, total: 1, message: 'half' },
  'notifications/message': { level: 'info', logger: 'l', data: null },
  'notifications/tools/list_changed': undefined,
  'notifications/prompts/list_changed': undefined,
  'notifications/resources/list_changed': undefined,
  'notifications/resources/updated': { uri: 'file:///a.txt' },
  'notifications/roots/list_changed': undefined,
  'notifications/elicitation/complete': { elicitationId: 'e' },
  'notifications/tasks/status': task,
  'notifications/subscriptions/acknowledged': { notifications: { toolsListChanged: true } },
}

function wordsOf(encoded: JsonObject | JsonText): JsonObject {
  return encoded instanceof JsonText ? JSON.parse(encoded.text) : encoded
}

function requestText(dialect: Dialect, method: string, params: JsonObject | undefined): string {
  const call = { method, params, progressToken: 7, logLevel: 'info' as const }
  return writeRequest(7, method, dialect.encodeRequest(call, client).params)
}

const requests = (dialect: Dialect): string[] =>
  [...dialect.methods].filter(([, rule]) => rule.kind === 'request').map(([name]) => name)

describe.each(DIALECTS.map((dialect) => [dialect.revision, dialect] as const))(
  '%s',
  (revision, dialect) => {
    const oracle = schemaOracle(revision)
    const bare = requests(dialect).filter(
      (method) => method !== 'initialize' && method !== 'server/discover',
    )

    it.each(bare)(
      'writes %s and its result so that the official schema accepts them [RPC-01]',
      (method) => {
        const exchange = exchanges[method]
        if (exchange === undefined) throw new Error(`no example of ${method}`)
        const outcome: Outcome = { kind: 'complete', result: exchange.result }
        const result = writeResult(7, dialect.encodeResult(method, outcome, server))
        expect(oracle.checkMessage(requestText(dialect, method, exchange.params), 'out')).toEqual(
          [],
        )
        expect(oracle.checkMessage(result, 'in')).toEqual([])
      },
    )

    it('writes a request without params, token or level so that the official schema accepts it [META-06]', () => {
      const { params } = dialect.encodeRequest({ method: 'tools/list' }, client)
      expect(oracle.checkMessage(writeRequest('a', 'tools/list', params), 'out')).toEqual([])
    })

    it('does not change what it was given', () => {
      const before = JSON.stringify(exchanges)
      for (const method of bare) {
        const { params, result } = exchanges[method] ?? { result: {} }
        dialect.encodeRequest({ method, params, progressToken: 1 }, client)
        dialect.encodeResult(method, { kind: 'complete', result }, server)
      }
      expect(JSON.stringify(exchanges)).toBe(before)
    })

    it('opens and is welcomed in words that the official schema accepts [LIFE-02, LIFE-03, LIFE-14]', async () => {
      const said: string[] = []
      const opening = {
        ask: (method: string, params?: JsonObject | JsonText) => {
          said.push(writeRequest(1, method, params))
          return Promise.resolve(dialect.welcome(server))
        },
        tell: (method: string, params?: JsonObject) => said.push(writeNotification(method, params)),
        wait: () => Promise.resolve(),
        note: () => undefined,
      }
      const facts = await dialect.open(opening, client)
      expect(said.flatMap((text) => oracle.checkMessage(text, 'out'))).toEqual([])
      expect(oracle.checkMessage(writeResult(1, dialect.welcome(server)), 'in')).toEqual([])
      expect(facts).toMatchObject({ revision, info: { name: 's' }, instructions: 'Be kind.' })
    })

    it.each(
      [...dialect.methods].filter(([, rule]) => rule.kind === 'notification').map(([name]) => name),
    )('has an example of %s that the official schema accepts [RPC-10]', (method) => {
      expect(oracle.checkMessage(writeNotification(method, notifications[method]), 'in')).toEqual(
        [],
      )
    })

    it('writes errors so that the official schema accepts them [RPC-09]', () => {
      const thrown = [
        new Error('secret'),
        resourceNotFound('file:///a'),
        unsupportedVersion('x', REVISIONS),
        missingClientCapability({ sampling: {} }),
      ]
      for (const each of thrown) {
        const text = writeError(1, dialect.encodeError(each).error)
        expect(oracle.checkMessage(text, 'in')).toEqual([])
      }
      const unread = writeError(
        undefined,
        dialect.encodeError(new Error('x')).error,
        dialect.traits.unreadId === 'null',
      )
      expect(oracle.checkMessage(unread, 'in')).toEqual([])
    })

    it.runIf(schemasPresent)(
      'has the methods of the official schema and no others [ERR-14]',
      () => {
        const missing = [...dialect.methods].flatMap(([name, rule]) => {
          const text =
            rule.kind === 'request'
              ? requestText(dialect, name, exchanges[name]?.params)
              : writeNotification(name, notifications[name])
          return oracle.checkMessage(text, 'out').filter((what) => what.includes('has no method'))
        })
        const absent = [...Object.keys(exchanges), ...Object.keys(notifications)].filter(
          (name) => !dialect.methods.has(name),
        )
        const known = absent.filter((name) => {
          const text = name.startsWith('notifications/')
            ? writeNotification(name)
            : writeRequest(1, name)
          return schemaOracle(revision)
            .checkMessage(text, 'out')
            .every((what) => !what.includes('has no method'))
        })
        expect({ missing, known }).toEqual({ missing: [], known: [] })
      },
    )
  },
)

describe.each([...ASKING_METHODS])('the answer of %s that asks', (method) => {
  it('is accepted by the official schema [MRTR-01, MRTR-03]', () => {
    const dialect = DIALECTS.at(-1)
    if (dialect === undefined) throw new Error('no dialect')
    const ask = (name: string): [string, { method: string; params?: JsonObject }] => {
      const params = exchanges[name]?.params
      return [name, params === undefined ? { method: name } : { method: name, params }]
    }
    const asked = ['elicitation/create', 'sampling/createMessage', 'roots/list'].map(ask)
    const visit = {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'm', url: 'https://example.com', elicitationId: 'e' },
    }
    const outcome: Outcome = {
      kind: 'input-required',
      inputRequests: new Map([...asked, ['visit', visit]]),
      requestState: 's',
    }
    const result = wordsOf(dialect.encodeResult(method, outcome, server))
    expect(schemaOracle(dialect.revision).checkResult(method, result)).toEqual([])
    expect(result).toMatchObject({ resultType: 'input_required', requestState: 's' })
    expect(JSON.stringify(result)).not.toContain('elicitationId')
    expect(result).not.toHaveProperty('ttlMs')
  })
})
