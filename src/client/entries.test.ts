import { describe, expect, it } from 'vitest'
import type { WireNote } from '../jsonrpc/wire.ts'
import { entryReader, type ListEntries, type ListMethod } from './entries.ts'

function readAs<Method extends ListMethod>(
  method: Method,
  items: readonly unknown[],
  mirrors: boolean = false,
): { readonly entries: readonly ListEntries[Method][]; readonly problems: readonly unknown[] } {
  const notes: WireNote[] = []
  const entries = entryReader(method, { note: (note) => void notes.push(note), mirrors })(items)
  return { entries, problems: notes.map(({ data }) => data?.['problem']) }
}

function read(items: readonly unknown[]): {
  readonly tools: readonly ListEntries['tools/list'][]
  readonly problems: readonly unknown[]
} {
  const { entries, problems } = readAs('tools/list', items)
  return { tools: entries, problems }
}

describe('a list of tools', () => {
  it('keeps every usable tool, in the order of the server, with members that nobody knows [TOOL-33]', () => {
    const a = { name: 'a', inputSchema: { type: 'object', 'x-own': 1 }, extra: true }
    const b = { name: 'b', inputSchema: { type: 'object' }, title: 'B' }
    expect(read([a, b])).toEqual({ tools: [a, b], problems: [] })
  })

  it('leaves out what has no name, and says so', () => {
    const { tools, problems } = read([null, 5, {}, { name: 7 }, { name: 'a', inputSchema: {} }])
    expect(tools.map(({ name }) => name)).toEqual(['a'])
    expect(problems).toHaveLength(4)
  })

  it('gives a tool without a usable input schema one that takes anything, and says so [TOOL-04]', () => {
    const { tools, problems } = read([{ name: 'a', inputSchema: null }, { name: 'b' }])
    expect(tools.map(({ inputSchema }) => inputSchema)).toEqual([
      { type: 'object' },
      { type: 'object' },
    ])
    expect(problems).toEqual(['its inputSchema is no object', 'its inputSchema is no object'])
  })

  it('takes the first of two tools with one name, and says so', () => {
    const { tools, problems } = read([
      { name: 'a', inputSchema: {}, title: 'first' },
      { name: 'a', inputSchema: {}, title: 'second' },
    ])
    expect(tools.map(({ title }) => title)).toEqual(['first'])
    expect(problems).toHaveLength(1)
  })

  it('drops members of the wrong type and keeps the tool', () => {
    const odd = {
      name: 'a',
      inputSchema: {},
      title: 5,
      description: [],
      outputSchema: 'x',
      annotations: null,
      icons: {},
    }
    expect(read([odd]).tools).toEqual([{ name: 'a', inputSchema: {} }])
  })
})

describe('a list of resources, templates or prompts', () => {
  it('keeps what is usable, and takes its key for a name that is missing', () => {
    const odd = { uri: 'a:1', title: 5, size: 'big', annotations: [], mimeType: null, own: 1 }
    expect(readAs('resources/list', [odd, 7, { name: 'no uri' }])).toEqual({
      entries: [{ uri: 'a:1', name: 'a:1', own: 1 }],
      problems: ['it has no uri', 'it has no uri'],
    })
    const template = { uriTemplate: 'a:{x}', name: 'a', icons: 'none' }
    expect(readAs('resources/templates/list', [template]).entries).toEqual([
      { uriTemplate: 'a:{x}', name: 'a' },
    ])
  })

  it('keeps a prompt whose arguments are partly unusable, without those', () => {
    const prompt = { name: 'p', arguments: [{ name: 'a', required: true }, null, { title: 'b' }] }
    expect(readAs('prompts/list', [prompt, { ...prompt, arguments: {} }])).toEqual({
      entries: [{ name: 'p', arguments: [{ name: 'a', required: true }] }],
      problems: ['a second prompt has the name "p"'],
    })
  })

  it('knows on a later page what stood on an earlier one', () => {
    const notes: WireNote[] = []
    const pick = entryReader('prompts/list', { note: (note) => void notes.push(note) })
    expect(pick([{ name: 'a' }]).map(({ name }) => name)).toEqual(['a'])
    expect(pick([{ name: 'a' }, { name: 'b' }]).map(({ name }) => name)).toEqual(['b'])
    expect(notes.map(({ data }) => data?.['index'])).toEqual([1])
  })
})

describe('tools that want arguments in headers', () => {
  const annotated = (name: string, annotation: unknown, type: string = 'string'): object => ({
    name,
    inputSchema: {
      type: 'object',
      properties: { a: { type, 'x-mcp-header': annotation } },
    },
  })

  it('are left out when they break the rules, and only they, where headers are sent [HTTP-68]', () => {
    const list = [
      annotated('good', 'Region'),
      annotated('bad', 'not a token'),
      annotated('odd', 'N', 'number'),
      { name: 'plain', inputSchema: { type: 'object' } },
    ]
    const { entries, problems } = readAs('tools/list', list, true)
    expect(entries.map(({ name }) => name)).toEqual(['good', 'plain'])
    expect(problems).toEqual([
      expect.stringMatching(/^"bad" was left out: /),
      expect.stringMatching(/^"odd" was left out: /),
    ])
  })

  it('are all kept where no headers are sent [HTTP-69]', () => {
    expect(readAs('tools/list', [annotated('bad', '')]).entries).toHaveLength(1)
  })
})
