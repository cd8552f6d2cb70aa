/**
 * The client against answers with the wrong id, too many answers, names out of an object's own machinery, and
 * JSON that is nested too deep.
 */
import { describe, expect, it } from 'vitest'
import { PilotError } from '../../src/base/errors.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { connect } from '../../src/client/connect.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import { answered, connected, INIT, plain } from '../support/hostile-client.ts'
import { nestedText, rawEnd, turn } from '../support/hostile.ts'
import { failureOf } from '../support/odd-peer.ts'

describe('a client', () => {
  it('settles a call by its own id only, not by one that looks alike [RPC-06, RPC-29]', async () => {
    const { client, notes } = await connected('legacy', ({ id, method }, end) => {
      if (method !== 'tools/call') return
      const alike = ['0', 0, '', JSON.stringify(id), -1, 1e15, 'null']
      for (const one of alike)
        void end.say(answered(one, { content: [{ type: 'text', text: 'not yours' }] }))
      void end.say(`{"jsonrpc":"2.0","id":9007199254740993,"result":{}}`)
      void end.say({ jsonrpc: '2.0', id: null, result: plain })
      void end.say(answered(id, plain))
    })
    expect(await client.callTool('x')).toMatchObject(plain)
    expect(notes.filter((kind) => kind === 'unknown-id')).toHaveLength(7)
    expect(notes.filter((kind) => kind === 'malformed')).toHaveLength(2)
  })

  it('fails a call whose answer has both a result and an error [RPC-07]', async () => {
    const { client } = await connected('legacy', ({ id }, end) => {
      if (id === undefined) return
      void end.say({ ...answered(id, plain), error: { code: 1, message: 'm' } })
    })
    expect(await failureOf(client.callTool('x'))).toMatchObject({
      code: 'DP_PROTOCOL_MESSAGE',
      requirement: 'RPC-07',
    })
  })

  it('takes the first of two answers and remarks the second [RPC-29]', async () => {
    const { client, notes } = await connected('legacy', ({ id, method }, end) => {
      if (method !== 'tools/call') return
      void end.say(answered(id, plain))
      void end.say(answered(id, { content: [] }))
    })
    expect(await client.callTool('x')).toMatchObject(plain)
    expect(notes).toContain('duplicate')
  })

  it('drops an answer that comes after it has cancelled, and remarks it [CANC-04]', async () => {
    const { client, notes } = await connected('legacy', (message, end) => {
      if (message['method'] !== 'notifications/cancelled') return
      const { requestId } = message['params'] as JsonObject // our own client wrote it
      void end.say(answered(requestId, plain))
    })
    const controller = new AbortController()
    const call = failureOf(client.callTool('x', {}, { signal: controller.signal }))
    controller.abort('enough')
    expect(await call).toMatchObject({ code: 'DP_CANCELLED', reason: 'enough' })
    await turn()
    expect(notes).toContain('late')
  })

  it('lists tools with the names of an object’s own machinery, and nothing is overwritten', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '']
    const { client, end } = await connected('legacy', ({ id, method }, self) => {
      if (id === undefined) return
      const tools = names.map((name) => ({ name, inputSchema: { type: 'object', properties: {} } }))
      void self.say(answered(id, method === 'tools/list' ? { tools } : plain))
    })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(names)
    for (const name of names) {
      const args = JSON.parse(
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      ) as JsonObject
      await client.callTool(name, args)
      expect(end.heard.at(-1)).toEqual(
        expect.objectContaining({ params: expect.objectContaining({ name, arguments: args }) }),
      )
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('does not let a result reach a prototype', async () => {
    const { client, end } = await connected('modern', ({ id }) => {
      if (id === undefined) return
      void end.say(
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"__proto__":{"polluted":1},"content":[{"type":"text","text":"t","__proto__":{"polluted":1}}],"_meta":{"__proto__":{"polluted":1}}}}`,
      )
    })
    const result = await client.callTool('x')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Reflect.get(result, 'polluted')).toBeUndefined()
  })
})

it.each([
  ['sampling that was not declared', 'sampling/createMessage', { messages: [], maxTokens: 1 }],
  ['roots that were not declared', 'roots/list', {}],
  ['a mode that was not declared', 'elicitation/create', { mode: 'url', message: 'm', url: 'u' }],
  ['a form without a schema', 'elicitation/create', { mode: 'form', message: 'm' }],
  ['what cannot be asked', 'tools/list', {}],
])('ends a call whose result asks for %s, as the server’s fault', async (_, asks, params) => {
  const { client } = await connected('modern', ({ id }, end) => {
    const inputRequests = { k: { method: asks, params } }
    if (id !== undefined)
      void end.say(answered(id, { resultType: 'input_required', inputRequests }))
  })
  expect(await failureOf(client.callTool('x'))).toMatchObject({
    family: 'protocol',
    code: 'DP_PROTOCOL_RESULT',
    requirement: expect.stringMatching(/^MRTR-0[34]$/),
  })
})

it('hands on what its own code throws while it answers a question', async () => {
  const refused = new Error('the person said no')
  const elicitation = () => Promise.reject(refused)
  const question = { method: 'elicitation/create', params: { message: 'm', requestedSchema: {} } }
  const { client } = await connected(
    'modern',
    ({ id }, end) => {
      if (id === undefined) return
      void end.say(answered(id, { resultType: 'input_required', inputRequests: { k: question } }))
    },
    { answers: { elicitation } },
  )
  expect(await failureOf(client.callTool('x'))).toBe(refused)
})

describe('a batch of answers', () => {
  const batch = (version: string, notes: string[]) => {
    const held: JsonObject[] = []
    const end = rawEnd(({ id, method }, self) => {
      if (method === 'initialize')
        void self.say(answered(id, { ...INIT, protocolVersion: version }))
      if (method !== 'tools/call') return
      held.push(answered(id, plain))
      if (held.length < 3) return
      void self.say([
        ...held.splice(0).toReversed(),
        5,
        { jsonrpc: '2.0', method: 'notifications/x' },
      ])
    })
    const wire = (event: WireEvent): void =>
      void (event.type === 'note' && notes.push(event.note.kind))
    return connect(end.transport, { era: 'legacy', wire })
  }

  it('settles each of its calls where the revision has batches [RPC-11, STDIO-16]', async () => {
    await using client = await batch('2025-03-26', [])
    const calls = [client.callTool('a'), client.callTool('b'), client.callTool('c')]
    expect(await Promise.all(calls)).toHaveLength(3)
  })

  it('is remarked and read by nobody where it has none [RPC-14]', async () => {
    const notes: string[] = []
    await using client = await batch('2025-06-18', notes)
    const controller = new AbortController()
    const calls = ['a', 'b', 'c'].map((name) =>
      failureOf(client.callTool(name, {}, { signal: controller.signal })),
    )
    await turn()
    expect(notes).toContain('stray')
    controller.abort()
    expect(await Promise.all(calls)).toHaveLength(3)
  })
})

const answerOf = (id: unknown, inner: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":${inner}}}`

describe.each(['arrays', 'objects', 'mixed'] as const)('an answer of nested %s', (kind) => {
  // The answer, its result and the structured content are one level each, and the bound is 128.
  it('is read down to the deepest level allowed', async () => {
    const { client } = await connected('legacy', ({ id, method }, end) => {
      if (method === 'tools/call') void end.say(answerOf(id, `{"a":${nestedText(125, kind)}}`))
    })
    expect((await client.callTool('x')).structuredContent).toBeDefined()
  })

  it.each([126, 127, 10_000, 1_000_000])(
    'is refused from the first level too many on (%d), and the link lives on',
    async (depth) => {
      const { client, notes } = await connected('legacy', ({ id, method, params }, end) => {
        if (method !== 'tools/call') return
        const { name } = params as JsonObject // our own client wrote it
        if (name === 'deep') void end.say(answerOf(id, `{"a":${nestedText(depth, kind)}}`))
        else void end.say(answered(id, plain))
      })
      const controller = new AbortController()
      const deep = failureOf(client.callTool('deep', {}, { signal: controller.signal }))
      expect(await client.callTool('x')).toMatchObject(plain)
      expect(notes.some((note) => note === 'stray' || note === 'malformed')).toBe(true)
      controller.abort()
      expect(await deep).toBeInstanceOf(PilotError)
    },
  )
})

/** What is not JSON and still says whose answer it was to be. */
const unreadable: readonly [string, (id: unknown) => string][] = [
  ['nested too deep', (id) => answerOf(id, `{"a":${nestedText(1000, 'arrays')}}`)],
  ['with a number that JSON has not', (id) => answerOf(id, '{"ratio":NaN}')],
  [
    'with a raw control character in a text',
    (id) => answerOf(id, `{"text":"a${String.fromCodePoint(1)}"}`),
  ],
]

describe('an unreadable answer', () => {
  it.each(unreadable)('%s fails its call at once', async (_, write) => {
    const { client } = await connected('legacy', ({ id, method }, end) => {
      if (method === 'tools/call') void end.say(write(id))
    })
    const error = await failureOf(client.callTool('x', {}, { timeoutMs: 20_000 }))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_MESSAGE' })
  })

  it('that is not UTF-8 fails its call at once', async () => {
    const { client } = await connected('legacy', ({ id, method }, end) => {
      if (method !== 'tools/call') return
      const bytes = Buffer.from(answerOf(id, '{"text":"caf\u00e9"}'), 'latin1')
      end.unreadable({
        reason: 'not-utf8',
        size: bytes.length,
        head: bytes,
        tail: new Uint8Array(),
      })
    })
    const error = await failureOf(client.callTool('x', {}, { timeoutMs: 20_000 }))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_MESSAGE' })
  })
})
