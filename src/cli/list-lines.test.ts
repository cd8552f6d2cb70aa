import { describe, expect, it } from 'vitest'
import { displayWidth } from '../base/terminal-text.ts'
import type { Tool } from '../protocol/types/tools.ts'
import { toolLines } from './list-lines.ts'

const tool = (name: string, description?: string, title?: string): Tool => ({
  name,
  inputSchema: { type: 'object' },
  ...(description === undefined ? {} : { description }),
  ...(title === undefined ? {} : { title }),
})

describe('a list of tools', () => {
  it('shows names and first lines of descriptions in two columns', () => {
    expect(
      toolLines([tool('a', 'First.\nSecond.'), tool('long', '\n  Padded ')], undefined),
    ).toEqual(['a     First.', 'long  Padded'])
  })

  it('falls back to the title, then to nothing', () => {
    expect(toolLines([tool('a', undefined, 'A tool'), tool('b')], 80)).toEqual(['a  A tool', 'b'])
  })

  it('finds the title among the annotations as well', () => {
    const titled = { ...tool('a'), annotations: { title: 'A tool' } }
    expect(toolLines([titled], 80)).toEqual(['a  A tool'])
  })

  it('never exceeds the terminal, also with wide characters', () => {
    const tools = [tool('天气', '查询城市的天气'.repeat(10)), tool('x'.repeat(100), 'y')]
    for (const columns of [20, 33, 80]) {
      for (const line of toolLines(tools, columns)) {
        expect(displayWidth(line)).toBeLessThanOrEqual(columns)
      }
    }
  })

  it('aligns by columns and not by characters', () => {
    expect(toolLines([tool('天气', 'a'), tool('news', 'b')], 80)).toEqual(['天气  a', 'news  b'])
  })

  it('shows what a name or description would do to a terminal', () => {
    expect(toolLines([tool('a\u001b[2J', 'b\u202e\u0007c')], undefined)).toEqual([
      'a\\u001b[2J  b\\u202e\\u0007c',
    ])
  })
})
