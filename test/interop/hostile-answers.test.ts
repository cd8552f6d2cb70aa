/**
 * The client against a server that turns every member of its messages into something else. Each call ends, with a
 * result or an error of ours; nothing is thrown where nobody catches it; the next call works.
 */
import { describe, expect, it } from 'vitest'
import { PilotError } from '../../src/base/errors.ts'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import {
  answered,
  connected,
  DISCOVER,
  ERAS,
  INIT,
  plain,
  type Era,
} from '../support/hostile-client.ts'
import { ODD_VALUES, rawEnd, turn, turned } from '../support/hostile.ts'

const CALL = {
  content: [{ type: 'text', text: 't', annotations: { audience: ['user'] }, _meta: {} }],
  structuredContent: { a: 1 },
  isError: false,
  _meta: { a: 1 },
  resultType: 'complete',
  inputRequests: {},
  requestState: 's',
  task: {},
}
const LIST = {
  tools: [
    {
      name: 'n',
      title: 't',
      description: 'd',
      inputSchema: { type: 'object', properties: {}, required: [] },
      outputSchema: { type: 'object' },
      annotations: { title: 't', readOnlyHint: true },
      icons: [{ src: 's' }],
      _meta: {},
    },
  ],
  nextCursor: 'c',
  resultType: 'complete',
  ttlMs: 1,
  cacheScope: 'private',
}
/** What went wrong with every odd value at one place of the answer: the call must end, and the next one work. */
async function endsAtOnce(
  era: Era,
  spoil: (id: JsonValue | undefined, value: JsonValue | undefined) => JsonObject,
  call: (client: Client) => Promise<unknown>,
): Promise<readonly string[]> {
  const troubles: string[] = []
  let value: JsonValue | undefined
  let spoiling = true
  const { client } = await connected(era, ({ id, method }, end) => {
    if (id === undefined || typeof method !== 'string') return
    const good = answered(id, method === 'tools/list' ? { tools: [] } : plain)
    if (spoiling) void end.say(spoil(id, value))
    // What the first may have left open, this ends.
    void end.say(good)
  })
  for (value of ODD_VALUES) {
    spoiling = true
    const outcome = await call(client).then(
      () => 'a result',
      (error: unknown) => nameOf(error),
    )
    if (!FINE.test(outcome)) troubles.push(outcome)
    spoiling = false
    const { content } = await client.callTool('next')
    if (content.length !== 1) troubles.push(`then the next call gave ${JSON.stringify(content)}`)
  }
  return troubles
}

const FINE = /^(a result|an error of ours)$/

/** Whether an error is one that callers can rely on, in words. */
function nameOf(error: unknown): string {
  if (!(error instanceof PilotError)) return `a stranger: ${String(error)}`
  return error.family === 'internal' ? `a bug: ${error.message}` : 'an error of ours'
}

describe.each(ERAS)('a %s client survives any value of', (era) => {
  const callPaths = [
    'jsonrpc',
    'id',
    'method',
    'error',
    'result',
    ...Object.keys(CALL).map((name) => `result/${name}`),
    'result/content/0',
    'result/content/0/type',
    'result/content/0/text',
    'result/content/0/annotations',
    'result/content/0/annotations/audience',
    'result/content/0/resource',
  ]
  it.each(callPaths)('%s in the answer to a call', async (path) => {
    expect(
      await endsAtOnce(
        era,
        (id, value) => turned(answered(id, CALL), path, value),
        (client) => client.callTool('x'),
      ),
    ).toEqual([])
  })

  it.each(['jsonrpc', 'id', 'error', 'error/code', 'error/message', 'error/data', 'result'])(
    '%s in an error',
    async (path) => {
      expect(
        await endsAtOnce(
          era,
          (id, value) =>
            turned(
              { jsonrpc: '2.0', id: id ?? null, error: { code: 1, message: 'm' } },
              path,
              value,
            ),
          (client) => client.callTool('x'),
        ),
      ).toEqual([])
    },
  )

  const asking: JsonObject = {
    resultType: 'input_required',
    requestState: 's',
    inputRequests: {
      k: { method: 'elicitation/create', params: { message: 'm', requestedSchema: {} } },
    },
  }
  it.each([
    'requestState',
    'inputRequests',
    'inputRequests/k',
    'inputRequests/k/method',
    'inputRequests/k/params',
    'inputRequests/k/params/message',
    'inputRequests/k/params/mode',
    'inputRequests/k/params/requestedSchema',
  ])('%s in a result that asks', async (path) => {
    expect(
      await endsAtOnce(
        era,
        (id, value) => answered(id, turned(asking, path, value)),
        (client) => client.callTool('x', {}),
      ),
    ).toEqual([])
  })

  const listPaths = [
    ...Object.keys(LIST).map((name) => `result/${name}`),
    'result/tools/0',
    ...Object.keys(LIST.tools[0] ?? {}).map((name) => `result/tools/0/${name}`),
    'result/tools/0/inputSchema/type',
    'result/tools/0/inputSchema/properties',
    'result/tools/0/inputSchema/required',
    'result/tools/0/annotations/readOnlyHint',
    'result/tools/0/icons/0',
  ]
  it.each(listPaths)('%s in a list of tools, and calls what it lists', async (path) => {
    expect(
      await endsAtOnce(
        era,
        (id, value) => turned(answered(id, LIST), path, value),
        async (client) => {
          const tools = await client.listTools({ maxPages: 3 })
          for (const { name } of tools) await client.callTool(name)
        },
      ),
    ).toEqual([])
  })

  const opening = era === 'legacy' ? INIT : DISCOVER
  const openingPaths = [
    'jsonrpc',
    'id',
    'error',
    'result',
    ...Object.keys(opening).map((name) => `result/${name}`),
    'result/capabilities/tools',
    ...(era === 'legacy'
      ? ['result/serverInfo/name', 'result/serverInfo/icons']
      : ['result/supportedVersions/0', 'result/_meta']),
  ]
  it.each(openingPaths)('%s in the answer to its first words', async (path) => {
    for (const value of ODD_VALUES) {
      const end = rawEnd(({ id, method }, self) => {
        if (id === undefined || (method !== 'initialize' && method !== 'server/discover')) return
        const result = method === 'initialize' ? INIT : DISCOVER
        void self.say(turned(answered(id, result), path, value))
        void self.say(answered(id, result))
      })
      const outcome = await connect(end.transport, { era }).then(
        async (client) => client.close().then(() => 'a result'),
        (error: unknown) => nameOf(error),
      )
      expect(outcome).toMatch(FINE)
      expect(end.closed).toBe(true)
    }
  })

  const notices: readonly JsonObject[] = [
    {
      method: 'notifications/progress',
      params: { progressToken: 3, progress: 1, total: 2, message: 'm', _meta: {} },
    },
    { method: 'notifications/message', params: { level: 'error', logger: 'l', data: {} } },
    { method: 'notifications/cancelled', params: { requestId: 3, reason: 'r' } },
    {
      method: 'notifications/tools/list_changed',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 3 } },
    },
    { method: 'notifications/resources/updated', params: { uri: 'u' } },
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
  ]
  it.each(notices)('any member of $method', async (notice) => {
    const paths = [
      'method',
      'params',
      ...Object.keys(notice['params'] as JsonObject).map((name) => `params/${name}`),
    ]
    const { client, end } = await connected(
      era,
      ({ id, method }, self) => {
        if (method !== 'tools/call' || id === undefined) return
        for (const path of paths) {
          for (const value of ODD_VALUES)
            void self.say(turned({ jsonrpc: '2.0', ...structuredClone(notice) }, path, value))
        }
        void self.say(answered(id, plain))
      },
      { onLog: () => {}, onNotification: () => {} },
    )
    const changes = client.changes({ tools: true, resources: true, uris: ['u'] })
    expect(await client.callTool('x', {}, { onProgress: () => {} })).toMatchObject(plain)
    expect(await client.callTool('y')).toMatchObject(plain)
    await changes.return?.()
    expect(end.closed).toBe(false)
  })

  const questions: readonly JsonObject[] = [
    { id: 1, method: 'roots/list', params: {} },
    {
      id: 2,
      method: 'sampling/createMessage',
      params: { messages: [], maxTokens: 1, tools: [], toolChoice: {} },
    },
    {
      id: 3,
      method: 'elicitation/create',
      params: { mode: 'form', message: 'm', requestedSchema: {}, url: 'u' },
    },
    {
      id: 4,
      method: 'elicitation/create',
      params: { mode: 'url', message: 'm', url: 'u', elicitationId: 'e' },
    },
    { id: 5, method: 'ping', params: { _meta: {} } },
  ]
  it.each(questions)('any member of the question $method ($id)', async (question) => {
    const paths = [
      'id',
      'method',
      'params',
      ...Object.keys(question['params'] as JsonObject).map((name) => `params/${name}`),
    ]
    const accepted = { action: 'accept' as const }
    const { client, end } = await connected(
      era,
      ({ id, method }, self) => {
        if (method === 'tools/call' && id !== undefined) void self.say(answered(id, plain))
      },
      {
        answers: {
          roots: [{ uri: 'file:///r' }],
          sampling: () =>
            Promise.resolve({
              role: 'assistant',
              content: { type: 'text', text: 't' },
              model: 'm',
            }),
          elicitation: () => Promise.resolve(accepted),
          elicitationUrl: () => Promise.resolve(accepted),
        },
      },
    )
    const before = end.heard.length
    for (const path of paths) {
      for (const value of ODD_VALUES)
        void end.say(turned({ jsonrpc: '2.0', ...structuredClone(question) }, path, value))
      await turn()
    }
    const answers = end.heard.slice(before)
    const readable = paths.filter((path) => path.startsWith('params')).length * ODD_VALUES.length
    // Each question with an id and a method is answered, and none of the modern era is. // RPC-17
    expect(answers.length).toBeGreaterThanOrEqual(era === 'modern' ? 0 : readable)
    expect(answers.length).toBeLessThanOrEqual(
      era === 'modern' ? 0 : paths.length * ODD_VALUES.length,
    )
    expect(await client.callTool('x')).toMatchObject(plain)
  })
})
