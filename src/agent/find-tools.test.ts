import { describe, expect, it } from 'vitest'
import { hostTool, takes } from '../../test/support/host-tools.ts'
import type { JsonObject } from '../base/json.ts'
import type { HostTool } from '../host/host-tool.ts'
import { ToolDiscovery, type DiscoveryOptions, type ResolvedCall } from './find-tools.ts'

const TRAITS = { window: undefined, maxTools: undefined }
const FINDERS = ['search_tools', 'get_tool', 'call_tool']

function many(count: number, server = 's'): HostTool[] {
  return Array.from({ length: count }, (_, at) => hostTool(`${server}__tool_${at}`))
}

const names = (tools: readonly HostTool[]): string[] => tools.map(({ alias }) => alias)

const NATIVE = hostTool('read_artifact')
const TOOLS = [
  NATIVE,
  hostTool('fs__read_file', {
    description: 'Reads a file.\nAll of it.',
    inputSchema: {
      type: 'object',
      properties: {
        limit: { type: ['integer', 'null'] },
        path: { type: 'string' },
        mode: { enum: ['text', 'hex'] },
        tags: { type: 'array', items: { type: 'string' } },
        any: {},
      },
      required: ['path'],
    },
    outputSchema: { type: 'object' },
  }),
  hostTool('fs__write_file', { description: 'Writes a file.', ...takes('path') }),
  hostTool('git__log', { title: 'History', ...takes() }),
  hostTool('git__held', { held: { reason: 'It has changed since it was approved.', diff: [] } }),
]

function deferred(
  tools: readonly HostTool[] = TOOLS,
  options: DiscoveryOptions = {},
): ToolDiscovery {
  const discovery = new ToolDiscovery({ mode: 'on', ...options })
  const instructions = [{ server: 'fs', text: 'Files of the user.\nPaths are absolute.' }]
  expect(discovery.offer(tools, TRAITS, { instructions }).deferred).toBe(true)
  return discovery
}

/** What the model is told. */
function told(resolved: ResolvedCall | undefined): string {
  if (resolved?.kind !== 'answer') throw new Error(`no answer: ${JSON.stringify(resolved)}`)
  const [block] = resolved.result.content
  return block?.type === 'text' ? block.text : ''
}

function ask(name: string, args: JsonObject, tools?: readonly HostTool[]): string {
  return told(deferred(tools).resolve(name, args))
}

describe('what a model is shown', () => {
  it('is the list as it is up to 40 tools of servers, the own ones of the program not counted', () => {
    const tools = [NATIVE, ...many(40)]
    const offered = new ToolDiscovery().offer(tools, TRAITS)
    expect(offered).toEqual({ deferred: false, tools })
    expect(offered.tools).toBe(tools)
  })

  it('is native tools and three more beyond that', () => {
    const { deferred: isDeferred, tools } = new ToolDiscovery().offer([NATIVE, ...many(41)], TRAITS)
    expect(isDeferred).toBe(true)
    expect(names(tools)).toEqual(['read_artifact', ...FINDERS])
  })

  it('is three tools when the definitions take more than a tenth of the window', () => {
    const tools = [hostTool('s__long', { description: 'word '.repeat(2_000) })]
    const offer = (window: number): boolean =>
      new ToolDiscovery().offer(tools, { ...TRAITS, window }).deferred
    expect(offer(1_000_000)).toBe(false)
    expect(offer(10_000)).toBe(true)
  })

  it('is three tools when the model takes fewer than there are, those of the program counted', () => {
    const isDeferred = (tools: readonly HostTool[]): boolean =>
      new ToolDiscovery().offer(tools, { ...TRAITS, maxTools: 8 }).deferred
    expect(isDeferred(many(9))).toBe(true)
    expect(isDeferred([NATIVE, ...many(8)])).toBe(true)
    expect(isDeferred(many(8))).toBe(false)
  })

  it('counts tools that are held for nothing', () => {
    const held = many(40).map((tool) => ({ ...tool, held: { reason: 'new', diff: [] } }))
    expect(new ToolDiscovery().offer([...held, ...many(10)], TRAITS).deferred).toBe(false)
  })

  it.each<['on' | 'off', number, boolean]>([
    ['off', 1000, false],
    ['on', 1, true],
  ])('is by the wish %s of %i tools deferred: %s', (mode, count, isDeferred) => {
    expect(new ToolDiscovery({ mode }).offer(many(count), TRAITS).deferred).toBe(isDeferred)
  })

  it('is never three tools for native ones alone', () => {
    const offered = new ToolDiscovery({ mode: 'on' }).offer([NATIVE], TRAITS)
    expect(names(offered.tools)).toEqual(['read_artifact'])
  })

  it('stays as it is, object by object, whatever servers come and go', () => {
    const discovery = new ToolDiscovery()
    const first = discovery.offer([NATIVE, ...many(50)], TRAITS)
    const later = discovery.offer([NATIVE, ...many(3, 'other')], TRAITS)
    expect(later).toEqual({ deferred: true, tools: first.tools })
    expect(later.tools).toBe(first.tools)
    const other = new ToolDiscovery().offer([NATIVE, ...many(77)], TRAITS)
    expect(JSON.stringify(other.tools)).toBe(JSON.stringify(first.tools))
  })

  it('is the whole list where the program has a tool of such a name itself', () => {
    const tools = [hostTool('search_tools'), ...many(50)]
    const discovery = new ToolDiscovery()
    expect(discovery.offer(tools, TRAITS).deferred).toBe(false)
    expect(discovery.resolve('search_tools', { query: 'x' })).toBeUndefined()
  })
})

describe('search_tools', () => {
  it('gives names, signatures and a line, best first', () => {
    expect(ask('search_tools', { query: 'read file' })).toBe(
      [
        '2 of 3 tools fit "read file":',
        '- fs__read_file(path: string, limit?: integer|null, mode?: "text"|"hex", tags?: string[], any?)',
        '  Reads a file. All of it.',
        '- fs__write_file(path: string)',
        '  Writes a file.',
        'Call one with call_tool; get_tool has its whole schema.',
      ].join('\n'),
    )
  })

  it('says what it leaves out', () => {
    const text = ask('search_tools', { query: 'tool', limit: 2 }, many(50))
    expect(text.split('\n')[0]).toBe('The best 2 of 50 that fit "tool", out of 50:')
    expect(ask('search_tools', { query: 'tool' }, many(50)).match(/^- /gm)).toHaveLength(8)
    expect(
      ask('search_tools', { query: 'tool', limit: 1e9 }, many(50)).match(/^- /gm),
    ).toHaveLength(25)
  })

  it('says when nothing fits', () => {
    expect(ask('search_tools', { query: 'zebra' })).toMatch(
      /^None of 3 tools fits "zebra"\. Try other words/,
    )
  })

  it.each([{}, { query: '  ' }])('gives the servers for %j', (args) => {
    expect(ask('search_tools', args)).toBe(
      [
        '- fs (2 tools): Files of the user. Paths are absolute.',
        '- git (1 tool)',
        'Look for tools with search_tools and a query.',
      ].join('\n'),
    )
  })

  it('gives those of one server', () => {
    expect(ask('search_tools', { query: 'file history', server: 'git' })).toMatch(
      /^1 of 3 .*\n- git__log\(\)\n {2}History\n/,
    )
  })

  it('never gives one that is held', () => {
    expect(ask('search_tools', { query: 'held' })).toMatch(/^None of 3/)
  })

  it.each<JsonObject>([{ query: 7 }, { query: 'x', server: [] }])('refuses %j', (args) => {
    const resolved = deferred().resolve('search_tools', args)
    expect(resolved).toMatchObject({ kind: 'answer', result: { isError: true } })
  })

  it('finds what has come since, and not what has gone', () => {
    const discovery = deferred()
    discovery.offer([...many(2, 'new')], TRAITS)
    expect(told(discovery.resolve('search_tools', { query: 'new tool' }))).toContain('new__tool_1')
    expect(told(discovery.resolve('search_tools', { query: 'read file' }))).toMatch(/^None of 2/)
  })

  it('of a tool with a thousand parameters and a long description gives a few lines', () => {
    const wide = hostTool('s__wide', {
      description: '🙂'.repeat(10_000),
      ...takes(...Array.from({ length: 1000 }, (_, at) => `p${at}`)),
    })
    const text = ask('search_tools', { query: 'wide' }, [wide])
    expect(text.length).toBeLessThan(800)
    expect(text).not.toMatch(/\p{Surrogate}/u)
  })
})

describe('get_tool', () => {
  it('gives the whole definition', () => {
    expect(JSON.parse(ask('get_tool', { name: 'fs__read_file' }))).toMatchObject({
      name: 'fs__read_file',
      server: 'fs',
      description: 'Reads a file.\nAll of it.',
      inputSchema: { required: ['path'] },
      outputSchema: { type: 'object' },
    })
  })

  it('gives the word of a tool on itself where its server is trusted, and nowhere else [TOOL-18]', () => {
    const hints = { readOnly: true, destructive: false, idempotent: true, openWorld: false }
    const definitionOf = (trusted: boolean): unknown => {
      const tools = [hostTool('fs__look', { hints, trusted })]
      return JSON.parse(ask('get_tool', { name: 'fs__look' }, tools))
    }
    expect(definitionOf(true)).toMatchObject({ readOnly: true, destructive: false })
    expect(definitionOf(false)).toEqual({
      name: 'fs__look',
      server: 'fs',
      inputSchema: { type: 'object' },
    })
  })

  it('says which names are near', () => {
    expect(ask('get_tool', { name: 'fs.read_file' })).toBe(
      'There is no tool "fs.read_file". Near: fs__read_file, fs__write_file.',
    )
    expect(ask('get_tool', { name: 'zebra' })).toContain('Look for one with search_tools.')
  })

  it('says why one is held', () => {
    expect(ask('get_tool', { name: 'git__held' })).toContain('changed since it was approved')
  })
})

describe('call_tool', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['an object', { name: 'fs__read_file', arguments: { path: 'a' } }, { path: 'a' }],
    ['JSON text', { name: 'fs__read_file', arguments: '{"path":"a"}' }, { path: 'a' }],
    ['nothing', { name: 'fs__read_file' }, {}],
    ['null', { name: 'fs__read_file', arguments: null }, {}],
  ])('stands for the tool that is named, with arguments that are %s', (_, args, inner) => {
    expect(deferred().resolve('call_tool', args)).toEqual({
      kind: 'call',
      alias: 'fs__read_file',
      args: inner,
    })
  })

  it.each<[string, JsonObject, string]>([
    [
      'a tool that is not there',
      { name: 'fs__reed_file' },
      'There is no tool "fs__reed_file". Near: fs__',
    ],
    [
      'the name that a server uses',
      { name: 'read_file' },
      'There is no tool "read_file". Near: fs__read_file',
    ],
    ['a tool that is held', { name: 'git__held', arguments: {} }, 'cannot be called for now'],
    [
      'itself',
      { name: 'call_tool', arguments: { name: 'fs__read_file' } },
      'There is no tool "call_tool"',
    ],
    ['no name', { arguments: {} }, 'takes the name of a tool'],
    ['arguments beside the name', { name: 'fs__read_file', path: 'a' }, 'in one object'],
    ['a list of arguments', { name: 'fs__read_file', arguments: [] }, 'are no object'],
    ['a text that is no JSON', { name: 'fs__read_file', arguments: '{path:' }, 'are no object'],
    [
      'too deep a text',
      { name: 'fs__read_file', arguments: '['.repeat(9999) + ']'.repeat(9999) },
      'are no object',
    ],
  ])('calls nothing when it gives %s', (_, args, text) => {
    const resolved = deferred().resolve('call_tool', args)
    expect(resolved).toMatchObject({ kind: 'answer', result: { isError: true } })
    expect(told(resolved)).toContain(text)
  })

  it('may stand for a native tool', () => {
    expect(
      deferred().resolve('call_tool', { name: 'read_artifact', arguments: { id: 'a1' } }),
    ).toEqual({
      kind: 'call',
      alias: 'read_artifact',
      args: { id: 'a1' },
    })
  })
})

describe('a call of another name', () => {
  it('is what it seems while nothing is deferred', () => {
    const discovery = new ToolDiscovery()
    discovery.offer(many(3), TRAITS)
    expect(discovery.resolve('s__tool_1', {})).toBeUndefined()
    expect(discovery.resolve('call_tool', { name: 's__tool_1' })).toBeUndefined()
  })

  it('is what it seems when it is one of a native tool, or of none', () => {
    expect(deferred().resolve('read_artifact', {})).toBeUndefined()
    expect(deferred().resolve('nothing', {})).toBeUndefined()
  })

  it('stands for a deferred tool when it is one’s name', () => {
    const args = { path: 'a' }
    expect(deferred().resolve('fs__read_file', args)).toEqual({
      kind: 'call',
      alias: 'fs__read_file',
      args,
    })
  })
})
