import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Outcome } from './dialect.ts'
import { dialectFor, DIALECTS } from './dialects/index.ts'
import { MAX_INPUT_REQUESTS } from './modern-result.ts'
import type { Revision } from './revision.ts'

function read(revision: Revision, method: string, raw: JsonObject): Outcome {
  return dialectFor(revision).decodeResult(method, structuredClone(raw))
}

function complete(revision: Revision, method: string, raw: JsonObject): JsonObject {
  const outcome = read(revision, method, raw)
  if (outcome.kind !== 'complete') throw new Error('it asks')
  return outcome.result
}

function failure(run: () => unknown): ProtocolError {
  try {
    run()
  } catch (error) {
    if (error instanceof ProtocolError) return error
    throw error
  }
  throw new Error('it was understood')
}

describe('a result of any revision', () => {
  it.each(DIALECTS.map(({ revision }) => revision))(
    'is read leniently in %s [TOOL-12, RPC-22]',
    (revision) => {
      expect(complete(revision, 'tools/call', {})).toEqual({ content: [] })
      expect(
        complete(revision, 'tools/call', { content: null, isError: null, _meta: null }),
      ).toEqual({ content: [] })
      const block = { type: 'text', text: 'x', annotations: null, _meta: null, surprise: null }
      expect(complete(revision, 'tools/call', { content: [block], surprise: 1 })).toEqual({
        content: [{ type: 'text', text: 'x', surprise: null }],
        surprise: 1,
      })
    },
  )

  it('passes blocks of unknown kinds on [RPC-22]', () => {
    const content = [{ type: 'hologram', points: [1] }]
    expect(complete('2025-11-25', 'tools/call', { content })).toEqual({ content })
  })

  it('drops null where a member of a list entry may be missing', () => {
    const tool = {
      name: 'a',
      title: null,
      description: null,
      outputSchema: null,
      annotations: { title: null, readOnlyHint: true },
      inputSchema: { type: 'object', x: null },
    }
    expect(complete('2025-06-18', 'tools/list', { tools: [tool], nextCursor: null })).toEqual({
      tools: [
        {
          name: 'a',
          annotations: { readOnlyHint: true },
          inputSchema: { type: 'object', x: null },
        },
      ],
    })
  })

  it('leaves out list entries without a name, and keeps the others', () => {
    const prompts = [null, 'x', { name: 1 }, { name: 'a' }]
    expect(complete('2025-11-25', 'prompts/list', { prompts })).toEqual({
      prompts: [{ name: 'a' }],
    })
  })

  it('leaves tools to the client, which mends them and says so', () => {
    const tools = [null, { name: 'a', inputSchema: null }]
    expect(complete('2025-11-25', 'tools/list', { tools })).toEqual({ tools })
  })

  it('keeps an empty cursor, which is a cursor [PAGE-04]', () => {
    expect(complete('2026-07-28', 'tools/list', { tools: [], nextCursor: '' })).toEqual({
      tools: [],
      nextCursor: '',
    })
  })

  it.each([
    ['tools/list', {}],
    ['tools/list', { tools: {} }],
    ['tools/list', { tools: [], nextCursor: 2 }],
    ['tools/call', { content: 'x' }],
    ['tools/call', { content: ['x'] }],
    ['resources/read', {}],
    ['prompts/get', { messages: null }],
    ['completion/complete', {}],
  ] as [string, JsonObject][])(
    'is an error of the peer when %s gives %j [TOOL-12, PAGE-01]',
    (method, raw) => {
      for (const { revision } of DIALECTS) {
        expect(failure(() => read(revision, method, raw))).toMatchObject({
          code: 'DP_PROTOCOL_RESULT',
          method,
        })
      }
    },
  )
})

describe('structured content', () => {
  it.each([null, 0, false, '', [1]])(
    'may be %j in the modern era [TOOL-10]',
    (structuredContent) => {
      expect(
        complete('2026-07-28', 'tools/call', { content: [], structuredContent }),
      ).toHaveProperty('structuredContent', structuredContent)
    },
  )

  it('is missing when a legacy server sends null [TOOL-09]', () => {
    expect(complete('2025-06-18', 'tools/call', { content: [], structuredContent: null })).toEqual({
      content: [],
    })
  })
})

describe('a modern result', () => {
  it('is complete without a resultType, or with null [RPC-19]', () => {
    expect(read('2026-07-28', 'tools/call', { content: [] })).toEqual({
      kind: 'complete',
      result: { content: [] },
    })
    expect(read('2026-07-28', 'tools/call', { content: [], resultType: null })).toMatchObject({
      kind: 'complete',
    })
  })

  it.each(['task', 'COMPLETE', '', 7, {}])(
    'is an error of the peer with the resultType %j [RPC-20]',
    (resultType) => {
      expect(
        failure(() => read('2026-07-28', 'tools/call', { resultType, content: [] })),
      ).toMatchObject({ requirement: 'RPC-20' })
    },
  )

  it('is what its resultType says and not what its members look like [RPC-18]', () => {
    const raw = {
      resultType: 'complete',
      content: [],
      inputRequests: { a: { method: 'roots/list' } },
      requestState: 's',
    }
    expect(read('2026-07-28', 'tools/call', raw)).toMatchObject({ kind: 'complete' })
  })

  it('comes without the envelope of the server [META-10, META-11]', () => {
    const name = 'io.modelcontextprotocol/serverInfo'
    const raw = {
      resultType: 'complete',
      content: [],
      _meta: { [name]: { name: 's', version: '1' } },
    }
    expect(complete('2026-07-28', 'tools/call', raw)).toEqual({ content: [] })
    expect(complete('2026-07-28', 'tools/call', { ...raw, _meta: { ...raw._meta, a: 1 } })).toEqual(
      { content: [], _meta: { a: 1 } },
    )
  })

  it('asks by a map of questions and a state [MRTR-02, MRTR-03, MRTR-07]', () => {
    const raw: JsonObject = JSON.parse(
      '{"resultType":"input_required","inputRequests":{"__proto__":{"method":"roots/list"},"b":{"method":"elicitation/create","params":{"message":"m"}}},"requestState":""}',
    )
    const outcome = read('2026-07-28', 'tools/call', raw)
    if (outcome.kind !== 'input-required') throw new Error('it does not ask')
    expect([...outcome.inputRequests]).toEqual([
      ['__proto__', { method: 'roots/list' }],
      ['b', { method: 'elicitation/create', params: { message: 'm' } }],
    ])
    expect(outcome.requestState).toBe('')
  })

  it.each([
    ['MRTR-02', {}],
    ['MRTR-02', { inputRequests: null, requestState: null }],
    ['MRTR-03', { inputRequests: [] }],
    ['MRTR-03', { inputRequests: { a: { method: 'tools/call' } } }],
    ['MRTR-03', { inputRequests: { a: null } }],
    ['MRTR-03', { inputRequests: { a: { method: 'roots/list', params: 1 } } }],
    ['MRTR-07', { requestState: 5 }],
  ] as [string, JsonObject][])(
    'that asks wrongly breaks %s: %j [MRTR-02, MRTR-03]',
    (requirement, members) => {
      const raw = { resultType: 'input_required', ...members }
      expect(failure(() => read('2026-07-28', 'tools/call', raw))).toMatchObject({ requirement })
    },
  )

  it('may not ask in answer to a list [MRTR-01]', () => {
    const raw = { resultType: 'input_required', requestState: 's' }
    expect(failure(() => read('2026-07-28', 'tools/list', raw))).toMatchObject({
      requirement: 'MRTR-01',
    })
  })

  it('may ask a bounded number of questions at once', () => {
    const ask = (count: number): JsonObject => ({
      resultType: 'input_required',
      inputRequests: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`k${at}`, { method: 'roots/list' }]),
      ),
    })
    expect(read('2026-07-28', 'tools/call', ask(MAX_INPUT_REQUESTS))).toMatchObject({
      kind: 'input-required',
    })
    expect(
      failure(() => read('2026-07-28', 'tools/call', ask(MAX_INPUT_REQUESTS + 1))),
    ).toMatchObject({ requirement: 'MRTR-03' })
  })
})

describe('a promise of a task', () => {
  it('has no content and needs none [TASK-05]', () => {
    const raw = { task: { taskId: 't' } }
    expect(complete('2025-11-25', 'tools/call', raw)).toEqual(raw)
    expect(
      dialectFor('2025-11-25').encodeResult('tools/call', { kind: 'complete', result: raw }),
    ).toBe(raw)
  })
})
