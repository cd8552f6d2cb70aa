import { describe, expect, it } from 'vitest'
import { displayWidth } from '../base/terminal-text.ts'
import { hangingLines, hangingRows } from './hanging-lines.ts'

describe('a line with a text that hangs', () => {
  it('is whole where it fits, and where there is no terminal', () => {
    expect(hangingLines('[ok] ', 'all is well', 20)).toEqual(['[ok] all is well'])
    expect(hangingLines('[ok] ', 'x '.repeat(100), undefined)).toHaveLength(1)
    expect(hangingLines('[ok] ', '', 4)).toEqual(['[ok]'])
  })

  it('goes on below the beginning of the text', () => {
    expect(hangingLines('[ok] ', 'one two three four five six', 22)).toEqual([
      '[ok] one two three',
      '     four five six',
    ])
  })

  it('stands below a head that leaves no room', () => {
    expect(hangingLines('a head of many words ', 'one two three', 24)).toEqual([
      'a head of many words',
      '    one two three',
    ])
  })

  it('breaks no word that has room below', () => {
    expect(hangingLines('  ✓ address         ', 'http://example.com/mcp', 40)).toEqual([
      '  ✓ address',
      '    http://example.com/mcp',
    ])
    expect(hangingLines('[ok] ', '路径/usr/local/bin/a-name 在这里', 30)).toEqual([
      '[ok] 路径/usr/local/bin/a-name',
      '     在这里',
    ])
  })

  it('is never wider than the terminal, also with wide and endless words', () => {
    const text = `路径 /a${'/very-long-name'.repeat(8)} 不存在，请检查。`
    for (const head of ['', '[错误] ', '  ✗ 命令      20 ms  ', 'x'.repeat(70)])
      for (const columns of [20, 24, 40, 80])
        for (const line of hangingLines(head, text, columns))
          expect(displayWidth(line)).toBeLessThanOrEqual(columns)
  })

  it('keeps every character but the blanks at which it is broken', () => {
    const text = 'one two 三四五，六七 /usr/bin/node'
    const all = hangingLines('> ', text, 20).join('').replaceAll(' ', '')
    expect(all).toBe(`> ${text}`.replaceAll(' ', ''))
  })
})

describe('rows whose last column hangs', () => {
  it('are aligned, one group of lines a row', () => {
    const rows = [
      ['ask', 'a', 'one two three four'],
      ['allow', 'bb', 'x'],
    ]
    expect(hangingRows(rows, 28)).toEqual([
      ['ask    a   one two three', '           four'],
      ['allow  bb  x'],
    ])
  })
})
