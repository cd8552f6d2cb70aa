import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostTool, takes } from '../../test/support/host-tools.ts'
import type { ServerInstructions } from '../host/host-tool.ts'
import { ToolIndex, wordsOf } from './tool-index.ts'

const TOOLS = [
  hostTool('fs__read_text_file', {
    description: 'Reads the complete contents of a file as text. Handles various encodings.',
    ...takes('path', 'head', 'tail'),
  }),
  hostTool('fs__write_file', {
    description: 'Creates a new file or overwrites one that exists with new content.',
    ...takes('path', 'content'),
  }),
  hostTool('fs__list_directory', {
    description: 'Lists all files and directories in a path.',
    ...takes('path'),
  }),
  hostTool('git__commit', {
    description: 'Records changes to the repository.',
    ...takes('message'),
  }),
  hostTool('git__log', { description: 'Shows the history of commits.', ...takes('maxCount') }),
  hostTool('weather__getForecast', {
    description: 'The weather of the coming days at a place.',
    ...takes('latitude', 'longitude'),
  }),
  hostTool('天气__today', { description: '查询城市今天的天气和温度', ...takes('城市') }),
  hostTool('db__query', { description: 'Runs SQL against the database.', ...takes('sql') }),
]

function best(query: string, instructions: readonly ServerInstructions[] = []): string[] {
  const index = new ToolIndex(TOOLS, instructions)
  return index.search(query, { limit: 3 }).tools.map(({ alias }) => alias)
}

describe('the index of tools', () => {
  it.each([
    ['read a file', 'fs__read_text_file'],
    ['reading files', 'fs__read_text_file'],
    ['READ_TEXT', 'fs__read_text_file'],
    ['create file content', 'fs__write_file'],
    ['directories', 'fs__list_directory'],
    ['history of the commits', 'git__log'],
    ['commit message', 'git__commit'],
    ['forecast', 'weather__getForecast'],
    ['get forecast', 'weather__getForecast'],
    ['latitude', 'weather__getForecast'],
    ['fore', 'weather__getForecast'],
    ['max count', 'git__log'],
    ['sql', 'db__query'],
    ['今天天气怎么样', '天气__today'],
    ['温度', '天气__today'],
    ['城市', '天气__today'],
    ['ＳＱＬ', 'db__query'],
  ])('has for %j first %s', (query, alias) => {
    expect(best(query)[0]).toBe(alias)
  })

  it('has a tool first whose name or alias is the query', () => {
    expect(best('git__log')[0]).toBe('git__log')
    expect(best('commit')[0]).toBe('git__commit')
    expect(best('query')[0]).toBe('db__query')
  })

  it.each(['', '   ', '!?*.', '\u0000', 'zebra'])('finds nothing for %j', (query) => {
    expect(new ToolIndex(TOOLS).search(query, { limit: 3 })).toEqual({ tools: [], count: 0 })
  })

  it('counts all that fit, and gives as many as are asked for', () => {
    const { tools, count } = new ToolIndex(TOOLS).search('file', { limit: 2 })
    expect(tools).toHaveLength(2)
    expect(count).toBe(3)
  })

  it('gives those of one server alone', () => {
    const { tools } = new ToolIndex(TOOLS).search('file commit', { limit: 9, server: 'git' })
    expect(tools.map(({ server }) => server)).toEqual(['git', 'git'])
  })

  it('knows what a server says about itself', () => {
    expect(best('spreadsheet')).toEqual([])
    expect(best('spreadsheet', [{ server: 'db', text: 'For spreadsheets and tables.' }])).toEqual([
      'db__query',
    ])
  })

  it('puts a rare word over a common one', () => {
    const tools = [
      ...Array.from({ length: 20 }, (_, at) => hostTool(`s__file_tool_${at}`)),
      hostTool('s__zip', { description: 'packs a file' }),
    ]
    const found = new ToolIndex(tools).search('zip file', { limit: 1 })
    expect(found.tools[0]?.alias).toBe('s__zip')
  })

  it('gives the same order for the same list, ties in the order of the list', () => {
    const tools = ['b', 'a', 'c'].map((name) =>
      hostTool(`${name}__same`, { server: 's', name: 'x' }),
    )
    const found = new ToolIndex(tools).search('x', { limit: 3 })
    expect(found.tools.map(({ alias }) => alias)).toEqual(['b__same', 'a__same', 'c__same'])
  })

  it('takes words that are names of properties for words', () => {
    const tools = [
      hostTool('s__constructor'),
      hostTool('s__hasOwnProperty'),
      hostTool('s____proto__'),
    ]
    const index = new ToolIndex(tools)
    expect(index.search('constructor', { limit: 1 }).tools[0]?.alias).toBe('s__constructor')
    expect(index.search('proto', { limit: 1 }).tools[0]?.alias).toBe('s____proto__')
    expect(index.search('toString', { limit: 1 }).count).toBe(0)
  })

  it('reads texts of any length up to a limit', () => {
    const filler = 'word '.repeat(200_000)
    const tools = [hostTool('s__a', { description: `${filler} needle` })]
    expect(new ToolIndex(tools).search('needle', { limit: 1 }).count).toBe(0)
    expect(new ToolIndex(tools).search(`${filler} word`, { limit: 1 }).count).toBe(1)
  })

  it('throws at nothing that is asked', () => {
    const index = new ToolIndex(TOOLS)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (query) => {
        const { tools, count } = index.search(query, { limit: 5 })
        expect(tools.length).toBe(Math.min(5, count))
      }),
      { seed: 20_261_202, numRuns: 1000 },
    )
  })
})

describe('words', () => {
  it.each([
    ['readTextFiles', ['read', 'text', 'file']],
    ['HTTPServer v2Beta', ['httpserver', 'v2', 'beta']],
    ['get_weather-now.json', ['get', 'weather', 'now', 'json']],
    ['queries boxes class status', ['query', 'box', 'class', 'status']],
    ['天气预报', ['天', '天气', '气', '气预', '预', '预报', '报']],
    ['查weather', ['查', 'weather']],
    ['naïve Ünïts', ['naïve', 'ünïts']],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })
})
