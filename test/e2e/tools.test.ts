/** Tools from the server's code to the client's hands, in every revision. */

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { RpcRefusal } from '../../src/base/errors.ts'
import { createLogger, type LogRecord } from '../../src/base/log.ts'
import { REVISIONS } from '../../src/protocol/revision.ts'
import { resultToText } from '../../src/tools/content.ts'
import { defineTool, reply, ToolError } from '../../src/tools/define.ts'
import { answerTo, LEGACY, MODERN, ofMethod, pairUp } from '../support/pair.ts'

const echo = defineTool<{ text: string }>({
  name: 'echo',
  description: 'Says it again.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
  run: ({ text }) => text,
})

const failing = defineTool({
  name: 'fail',
  run() {
    throw new ToolError('the disk is full')
  },
})

describe.each(REVISIONS)('tools at %s', (revision) => {
  it('are declared, listed in the order they were added, and called [TOOL-01, TOOL-02, TOOL-03, TOOL-04]', async () => {
    const { client } = await pairUp(revision, { tools: [echo, failing] })
    expect(client.server.capabilities.tools).toEqual({ listChanged: true })
    const tools = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'fail'])
    expect(tools.map(({ inputSchema }) => inputSchema['type'])).toEqual(['object', 'object'])
    expect(resultToText(await client.callTool('echo', { text: '你好' }))).toBe('你好')
  })

  it('that fail give a result with isError and their own words [TOOL-14, TOOL-17]', async () => {
    const { client } = await pairUp(revision, { tools: [failing] })
    const result = await client.callTool('fail')
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'the disk is full' }],
    })
  })

  it('that break unexpectedly give an id that the log has, and none of their words [TOOL-15]', async () => {
    const records: LogRecord[] = []
    const broken = defineTool({
      name: 'broken',
      run() {
        throw new Error('password is hunter2')
      },
    })
    const logger = createLogger((record) => void records.push(record))
    const { client } = await pairUp(revision, { tools: [broken], logger })
    const text = resultToText(await client.callTool('broken'))
    const id = /^Internal error \(([0-9a-f]{12})\)$/.exec(text)?.[1]
    expect(records).toMatchObject([
      { level: 'error', data: { tool: 'broken', id, error: 'password is hunter2' } },
    ])
  })

  it('that nobody has are an error -32602, whatever their name [TOOL-15, ERR-20]', async () => {
    const { client } = await pairUp(revision, { tools: [echo] })
    for (const name of ['nope', 'constructor', '__proto__', 'toString', '']) {
      await expect(client.callTool(name)).rejects.toMatchObject({ family: 'rpc', rpcCode: -32602 })
    }
  })

  it('may refuse with a JSON-RPC error of their own', async () => {
    const refusing = defineTool({
      name: 'refuse',
      run() {
        throw new RpcRefusal(42, 'not today', { data: { retry: false } })
      },
    })
    const { client } = await pairUp(revision, { tools: [refusing] })
    await expect(client.callTool('refuse')).rejects.toMatchObject({
      rpcCode: 42,
      data: { retry: false },
    })
  })

  it('are checked by the client before anything is sent, once it knows their schemas', async () => {
    const pair = await pairUp(revision, { tools: [echo] })
    await pair.client.listTools()
    const wrong = pair.client.callTool('echo', { text: 5 })
    await expect(wrong).rejects.toMatchObject({
      code: 'DP_SCHEMA_ARGUMENTS',
      issues: [{ pointer: '/text' }],
    })
    expect(ofMethod(pair, 'tools/call')).toEqual([])
  })

  it('say what they return as structured content, and as text as well [TOOL-07, TOOL-11, TOOL-12]', async () => {
    const output = {
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
    } as const
    const structured = defineTool({ name: 'count', output, run: () => ({ n: 3 }) })
    const { client } = await pairUp(revision, { tools: [structured] })
    const result = await client.callTool('count')
    expect(result.content).toEqual([{ type: 'text', text: '{"n":3}' }])
    expect([undefined, { n: 3 }]).toContainEqual(result.structuredContent)
  })

  it('that break their own output schema are a fault of the server, told as -32603 and logged [TOOL-07, ERR-01]', async () => {
    const records: LogRecord[] = []
    const output = { type: 'object', properties: { n: { type: 'number' } } } as const
    const liar = defineTool({ name: 'liar', output, run: () => ({ n: 'three' }) })
    const logger = createLogger((record) => void records.push(record))
    const { client } = await pairUp(revision, { tools: [liar], logger })
    await expect(client.callTool('liar')).rejects.toMatchObject({ rpcCode: -32603 })
    expect(records).toMatchObject([{ message: 'a tool broke its output schema' }])
  })

  it('take a schema of another library, with its defaults applied', async () => {
    const input = z.object({ name: z.string(), times: z.number().int().default(2) })
    const greet = defineTool({
      name: 'greet',
      input,
      run: ({ name, times }) => `${name} `.repeat(times).trim(),
    })
    const { client } = await pairUp(revision, { tools: [greet] })
    const [tool] = await client.listTools()
    expect(tool?.inputSchema).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    })
    expect(resultToText(await client.callTool('greet', { name: 'Ada' }))).toBe('Ada Ada')
  })

  it('send kinds of content that the revision knows, and say the rest as text [TOOL-13]', async () => {
    const all = defineTool({
      name: 'all',
      run: () =>
        reply({
          content: [
            { type: 'image', data: 'AAAA', mimeType: 'image/png' },
            { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
            { type: 'resource_link', uri: 'file:///a', name: 'a' },
            { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } },
          ],
        }),
    })
    const { client } = await pairUp(revision, { tools: [all] })
    const { content } = await client.callTool('all')
    expect(content).toHaveLength(4)
    expect(content[0]?.type).toBe('image')
    expect(content[3]?.type).toBe('resource')
  })

  it('are listed page by page with cursors that stay good, and none other is taken [PAGE-01, PAGE-06, ERR-20]', async () => {
    const tools = Array.from({ length: 7 }, (_, index) =>
      defineTool({ name: `t${index}`, run: () => 'x' }),
    )
    const pair = await pairUp(revision, { tools, pageSize: 3 })
    expect((await pair.client.listTools()).map(({ name }) => name)).toEqual(
      tools.map(({ tool }) => tool.name),
    )
    expect(ofMethod(pair, 'tools/list')).toHaveLength(3)
    await expect(pair.client.request('tools/list', { cursor: 'no such' })).rejects.toMatchObject({
      rpcCode: -32602,
    })
  })

  it('may be many: 5,000 on one page', async () => {
    const tools = Array.from({ length: 5000 }, (_, index) =>
      defineTool({ name: `t${index}`, run: () => 'x' }),
    )
    const { client } = await pairUp(revision, { tools })
    expect(await client.listTools()).toHaveLength(5000)
  })
})

describe('arguments that do not fit', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18'] as const)(
    'are an error -32602 at %s [TOOL-16]',
    async (revision) => {
      const { client } = await pairUp(revision, { tools: [echo] }, { checkArguments: false })
      await expect(client.callTool('echo', {})).rejects.toMatchObject({
        rpcCode: -32602,
        message: expect.stringContaining('text') as string,
      })
    },
  )

  it.each(['2025-11-25', '2026-07-28'] as const)(
    'are a result with isError at %s, in words that help to mend them [TOOL-16]',
    async (revision) => {
      const { client } = await pairUp(revision, { tools: [echo] }, { checkArguments: false })
      const result = await client.callTool('echo', { text: 1 })
      expect(result.isError).toBe(true)
      expect(resultToText(result)).toMatch(/echo.*\/text/)
    },
  )
})

describe('structured content', () => {
  it.each(MODERN)(
    'is any JSON value at %s, null, zero and false included [TOOL-10, TOOL-06]',
    async (revision) => {
      for (const value of [null, 0, false, [1, 2], 'text']) {
        const any = defineTool({ name: 'any', output: {}, run: () => value })
        const { client } = await pairUp(revision, { tools: [any] })
        const result = await client.callTool('any')
        expect(Object.hasOwn(result, 'structuredContent')).toBe(true)
        expect(result.structuredContent).toEqual(value)
      }
    },
  )

  it.each(LEGACY)(
    'that is no object is told as text alone at %s [TOOL-09, TOOL-05]',
    async (revision) => {
      const list = defineTool({ name: 'list', output: { type: 'array' }, run: () => [1, 2] })
      const { client } = await pairUp(revision, { tools: [list] })
      expect((await client.listTools())[0]?.outputSchema).toBeUndefined()
      const result = await client.callTool('list')
      expect(result.structuredContent).toBeUndefined()
      expect(resultToText(result)).toBe('[1,2]')
    },
  )

  it('that breaks the schema that the client was told is refused by the client [TOOL-08]', async () => {
    const output = { type: 'object', properties: { n: { type: 'number' } } } as const
    const honest = defineTool({ name: 'tool', output, run: () => ({ n: 1 }) })
    const { client, server } = await pairUp('2026-07-28', { tools: [honest] })
    await client.listTools()
    server.tools.remove('tool')
    server.tools.add(
      defineTool({
        name: 'tool',
        run: () => reply({ content: [], structuredContent: { n: 'one' } }),
      }),
    )
    await expect(client.callTool('tool')).rejects.toMatchObject({
      code: 'DP_SCHEMA_RESULT',
      issues: [{ pointer: '/n' }],
    })
  })
})

describe('names of tools', () => {
  it.each(['', 'a b', 'ä', 'a/b', 'x'.repeat(129)])('cannot be %j [TOOL-21]', (name) => {
    expect(() => defineTool({ name, run: () => 'x' })).toThrow(/cannot be named/)
  })

  it.each(['a', 'A-z_0.9', 'x'.repeat(128)])('may be %j [TOOL-21]', (name) => {
    expect(defineTool({ name, run: () => 'x' }).tool.name).toBe(name)
  })

  it('are unique in a server, and adding none of a bad group leaves it as it was [TOOL-21]', async () => {
    const { server } = await pairUp('2026-07-28', { tools: [echo] })
    const other = defineTool({ name: 'other', run: () => 'x' })
    expect(() => server.tools.add(other, echo)).toThrow(/already/)
    expect([...server.tools].map(({ tool }) => tool.name)).toEqual(['echo'])
  })
})

it('a server without tools declares none, and the client then asks for none [TOOL-01, LIFE-08]', async () => {
  for (const revision of REVISIONS) {
    const pair = await pairUp(revision)
    expect(pair.client.server.capabilities.tools).toBeUndefined()
    await expect(pair.client.listTools()).rejects.toMatchObject({ code: 'DP_CAPABILITY_MISSING' })
    expect(answerTo(pair, 'tools/list')).toBeUndefined()
  }
})
