import { describe, expect, it } from 'vitest'
import { displayWidth } from '../../base/terminal-text.ts'
import { tableLines } from './table.ts'

const HEAD = ['', 'One way', 'Another']

describe('a table', () => {
  it('is as narrow as its words where they fit', () => {
    expect(tableLines(HEAD, [['row', 'a', 'b']], 80)).toEqual([
      '     One way  Another',
      '─────────────────────',
      'row  a        b',
    ])
  })

  it('breaks cells between words and keeps every line within its columns', () => {
    const long = 'words that do not fit into their column at all'
    const lines = tableLines(HEAD, [['a long name of a row', long, long]], 60)
    expect(lines.every((line) => displayWidth(line) <= 60)).toBe(true)
    for (const word of long.split(' ')) expect(lines.join('\n')).toContain(word)
  })

  it('breaks a word that is wider than its column', () => {
    const word = 'DP_TRANSPORT_UNAVAILABLE'.repeat(3)
    const lines = tableLines(HEAD, [['row', word, 'x']], 48)
    expect(lines.every((line) => displayWidth(line) <= 48)).toBe(true)
    const column = lines.slice(2).map((line) => line.slice(lines[0]?.indexOf('One')).split('  ')[0])
    expect(column.join('')).toBe(word)
  })

  it('breaks such a word behind a joint, and leaves no mark to stand alone', () => {
    const cellsOf = (text: string): readonly string[] => {
      const row = ['a'.repeat(12), text, 'b'.repeat(12)]
      const lines = tableLines(HEAD, [row], 40).slice(2)
      return lines.map((line) => line.slice(14, 26).trimEnd())
    }
    const cells = ['it fails', '(DP_', 'TRANSPORT_', 'EXIT);', 'so']
    expect(cellsOf('it fails (DP_TRANSPORT_EXIT); so')).toEqual(cells)
    expect(cellsOf('abcdefghijkl;')).toEqual(['abcdefghijk', 'l;'])
  })

  it('counts Chinese by the columns it takes', () => {
    const lines = tableLines(['', '函数', '框架工具'], [['定位', '在请求里', '在对象里']], 80)
    expect(lines[2]).toBe('定位  在请求里  在对象里')
    expect(lines[0]).toBe('      函数      框架工具')
  })

  it('stays a table where the terminal is too narrow for one', () => {
    const lines = tableLines(HEAD, [['row', 'some words here', 'and some there']], 5)
    expect(lines[0]).toContain('One way')
    expect(lines.join('\n')).toContain('there')
  })

  it('keeps rows apart whose cells have different heights', () => {
    const lines = tableLines(
      HEAD,
      [
        ['first', 'one two three four five', 'x'],
        ['second', 'y', 'z'],
      ],
      48,
    )
    expect(lines.filter((line) => line.startsWith('second'))).toHaveLength(1)
    expect(lines.at(-1)).toMatch(/^second\s+y\s+z$/)
  })
})
