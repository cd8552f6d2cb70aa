import { describe, expect, it } from 'vitest'
import { BugError } from '../base/errors.ts'
import { JsonText, type JsonObject } from '../base/json.ts'
import type { ServerIdentity } from './dialect.ts'
import { dialectFor, DIALECTS } from './dialects/index.ts'
import type { Revision } from './revision.ts'

const self: ServerIdentity = {
  info: { name: 's', version: '1' },
  capabilities: {},
  revisions: ['2026-07-28'],
  ttlMs: 5000,
  cacheScope: 'public',
}
const SERVER = 'io.modelcontextprotocol/serverInfo'

function sent(revision: Revision, method: string, result: JsonObject): JsonObject {
  const encoded = dialectFor(revision).encodeResult(method, { kind: 'complete', result }, self)
  return encoded instanceof JsonText ? JSON.parse(encoded.text) : encoded
}

function tool(revision: Revision, members: JsonObject): unknown {
  const { tools } = sent(revision, 'tools/list', { tools: [{ name: 'a', ...members }] })
  return Array.isArray(tools) ? tools[0] : undefined
}

describe('a tool result for an older peer', () => {
  const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }
  const link = {
    type: 'resource_link',
    uri: 'file:///a',
    name: 'a',
    title: 'A',
    description: 'about a',
  }

  it('says newer kinds of content in text [TOOL-13]', () => {
    expect(sent('2024-11-05', 'tools/call', { content: [audio, link] })).toEqual({
      content: [
        { type: 'text', text: '[audio left out, audio/wav, 3 bytes]' },
        { type: 'text', text: '[A](file:///a): about a' },
      ],
    })
    expect(sent('2025-03-26', 'tools/call', { content: [audio] })).toEqual({ content: [audio] })
    expect(sent('2025-06-18', 'tools/call', { content: [link] })).toEqual({ content: [link] })
  })

  it('is passed on as the same object when nothing needs a change', () => {
    const result = { content: [{ type: 'text', text: 'x' }], structuredContent: { a: 1 } }
    const encoded = dialectFor('2025-11-25').encodeResult('tools/call', {
      kind: 'complete',
      result,
    })
    expect(encoded).toBe(result)
  })

  it.each([[[1, 2]], [0], [false], [null], ['x']])(
    'says the structured content %j in text [TOOL-09, TOOL-11]',
    (structuredContent) => {
      const text = JSON.stringify(structuredContent)
      expect(sent('2025-11-25', 'tools/call', { content: [], structuredContent })).toEqual({
        content: [{ type: 'text', text }],
      })
      expect(sent('2026-07-28', 'tools/call', { content: [], structuredContent })).toMatchObject({
        structuredContent,
      })
    },
  )

  it('does not say it twice when a block says it already [TOOL-11]', () => {
    const content = [{ type: 'text', text: '[1,\n 2]' }]
    expect(sent('2025-06-18', 'tools/call', { content, structuredContent: [1, 2] })).toEqual({
      content,
    })
  })

  it('has content even when none was given [TOOL-12]', () => {
    for (const { revision } of DIALECTS)
      expect(sent(revision, 'tools/call', {})).toMatchObject({ content: [] })
  })

  it('says kinds that no revision knows in text, in every revision [TOOL-13]', () => {
    for (const { revision } of DIALECTS) {
      const { content } = sent(revision, 'tools/call', { content: [{ type: 'hologram' }] })
      expect(content).toEqual([{ type: 'text', text: '[hologram left out]' }])
    }
  })
})

describe('a tool for an older peer', () => {
  it('has no output schema whose root is no object [TOOL-05, TOOL-06]', () => {
    const outputSchema = { type: 'array' }
    expect(tool('2025-11-25', { inputSchema: { type: 'object' }, outputSchema })).toEqual({
      name: 'a',
      inputSchema: { type: 'object' },
    })
    expect(tool('2026-07-28', { inputSchema: { type: 'object' }, outputSchema })).toMatchObject({
      outputSchema,
    })
  })

  it('says how it relates to tasks in one revision only [TOOL-26]', () => {
    const execution = { taskSupport: 'optional' }
    const has = DIALECTS.filter(({ revision }) =>
      JSON.stringify(tool(revision, { inputSchema: { type: 'object' }, execution })).includes(
        'taskSupport',
      ),
    )
    expect(has.map(({ revision }) => revision)).toEqual(['2025-11-25'])
  })

  it('spells the schemas of properties as objects [TOOL-05]', () => {
    const inputSchema = { type: 'object', properties: { any: true, none: false } }
    expect(tool('2025-11-25', { inputSchema })).toMatchObject({
      inputSchema: { properties: { any: {}, none: { not: {} } } },
    })
    expect(tool('2026-07-28', { inputSchema })).toMatchObject({ inputSchema })
  })

  it('keeps keywords that nobody here understands [TOOL-33]', () => {
    const inputSchema = {
      type: 'object',
      properties: { a: { 'x-mcp-header': 'A' } },
      $defs: { x: {} },
      additionalProperties: false,
    }
    for (const { revision } of DIALECTS)
      expect(tool(revision, { inputSchema })).toMatchObject({ inputSchema })
  })

  it('always has an input schema of type object [TOOL-04]', () => {
    for (const { revision } of DIALECTS) {
      expect(tool(revision, { inputSchema: { $ref: '#/x' } })).toMatchObject({
        inputSchema: { $ref: '#/x', type: 'object' },
      })
      expect(tool(revision, {})).toMatchObject({ inputSchema: { type: 'object' } })
    }
  })
})

describe('messages for an older peer', () => {
  it('have one block where there is room for one [SAMP-10]', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]
    const result = { role: 'assistant', model: 'm', content }
    expect(sent('2025-06-18', 'sampling/createMessage', result)).toMatchObject({
      content: { type: 'text', text: 'a\nb' },
    })
    expect(sent('2025-11-25', 'sampling/createMessage', result)).toEqual(result)
  })

  it('say newer kinds of content in text, also in prompts [TOOL-13, PRMT-05]', () => {
    const messages = [{ role: 'user', content: { type: 'resource_link', uri: 'x:y', name: 'n' } }]
    expect(sent('2025-03-26', 'prompts/get', { messages })).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: '[n](x:y)' } }],
    })
  })
})

describe('a modern result', () => {
  it('says that it is complete and who sent it [RPC-18, META-10]', () => {
    expect(sent('2026-07-28', 'completion/complete', { completion: { values: [] } })).toEqual({
      resultType: 'complete',
      _meta: { [SERVER]: { name: 's', version: '1' } },
      completion: { values: [] },
    })
  })

  it('keeps its own metadata, but not another name of the server [META-10]', () => {
    const result = { content: [], _meta: { a: 1, [SERVER]: { name: 'other', version: '9' } } }
    expect(sent('2026-07-28', 'tools/call', result)).toMatchObject({
      _meta: { a: 1, [SERVER]: { name: 's', version: '1' } },
    })
  })

  it('says how long it may be kept where the method is cacheable, and nowhere else [CACHE-01]', () => {
    expect(sent('2026-07-28', 'tools/list', { tools: [] })).toMatchObject({
      ttlMs: 5000,
      cacheScope: 'public',
    })
    expect(sent('2026-07-28', 'tools/call', { content: [] })).not.toHaveProperty('ttlMs')
    const own = { contents: [], ttlMs: 0, cacheScope: 'private' }
    expect(sent('2026-07-28', 'resources/read', own)).toMatchObject({
      ttlMs: 0,
      cacheScope: 'private',
    })
  })

  it('is kept by nobody else when nobody said who may [CACHE-05]', () => {
    const encoded = dialectFor('2026-07-28').encodeResult('tools/list', {
      kind: 'complete',
      result: { tools: [] },
    })
    expect(encoded).toEqual(
      new JsonText('{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[]}'),
    )
  })

  it('says nothing twice', () => {
    const result = dialectFor('2026-07-28').welcome(self)
    const encoded = dialectFor('2026-07-28').encodeResult(
      'server/discover',
      { kind: 'complete', result },
      self,
    )
    const text = encoded instanceof JsonText ? encoded.text : ''
    for (const word of ['resultType', 'ttlMs', 'cacheScope', '_meta', SERVER])
      expect(text.split(`"${word}"`)).toHaveLength(2)
    expect(JSON.parse(text)).toEqual(result)
  })

  it('loses its modern members on the way to a legacy peer [RPC-19]', () => {
    const result = { tools: [], resultType: 'complete', ttlMs: 1, cacheScope: 'public' }
    expect(sent('2025-11-25', 'tools/list', result)).toEqual({ tools: [] })
  })
})

describe('an answer that asks', () => {
  it('is a bug where the method may not ask [MRTR-01]', () => {
    const outcome = { kind: 'input-required', inputRequests: new Map(), requestState: 's' } as const
    expect(() => dialectFor('2026-07-28').encodeResult('tools/list', outcome, self)).toThrow(
      BugError,
    )
  })

  it('is a bug without a question and a state [MRTR-02]', () => {
    const outcome = {
      kind: 'input-required',
      inputRequests: new Map(),
      requestState: undefined,
    } as const
    expect(() => dialectFor('2026-07-28').encodeResult('tools/call', outcome, self)).toThrow(
      BugError,
    )
  })

  it('is a bug in a revision where servers ask by requests', () => {
    const outcome = { kind: 'input-required', inputRequests: new Map(), requestState: 's' } as const
    expect(() => dialectFor('2025-11-25').encodeResult('tools/call', outcome, self)).toThrow(
      BugError,
    )
  })
})
