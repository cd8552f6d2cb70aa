import { describe, expect, it } from 'vitest'
import { displayWidth } from '../../base/terminal-text.ts'
import { editorRows } from './editor-view.ts'

const space = { prompt: '› ', columns: 20, rows: 10 }

describe('the line as rows', () => {
  it('has the prompt before the first row and blanks before the others', () => {
    expect(editorRows({ text: 'one\ntwo', cursor: 7 }, space)).toEqual({
      rows: ['› one', '  two'],
      cursorRow: 1,
      cursorColumn: 5,
    })
  })

  it('shows an empty line with the cursor behind the prompt', () => {
    expect(editorRows({ text: '', cursor: 0 }, space)).toEqual({
      rows: ['› '],
      cursorRow: 0,
      cursorColumn: 2,
    })
  })

  it('breaks before the edge of the terminal, also between wide characters', () => {
    const text = '天气'.repeat(20)
    const { rows } = editorRows({ text, cursor: text.length }, space)
    expect(rows.every((row) => displayWidth(row) < 20)).toBe(true)
    expect(rows.map((row) => row.slice(2)).join('')).toBe(text)
  })

  it('gives the cursor a row of its own behind a full one', () => {
    const { rows, cursorRow, cursorColumn } = editorRows(
      { text: 'x'.repeat(17), cursor: 17 },
      space,
    )
    expect([rows.length, cursorRow, cursorColumn]).toEqual([2, 1, 2])
  })

  it('puts the cursor on the row of the character that it stands at', () => {
    const { cursorRow, cursorColumn } = editorRows({ text: 'x'.repeat(30), cursor: 17 }, space)
    expect([cursorRow, cursorColumn]).toEqual([1, 2])
  })

  it('shows the rows around the cursor of a text that is taller than the terminal', () => {
    const text = Array.from({ length: 50 }, (_, at) => `line ${at}`).join('\n')
    const { rows, cursorRow } = editorRows({ text, cursor: text.indexOf('line 30') }, space)
    expect(rows).toHaveLength(10)
    expect(rows[cursorRow]).toBe('  line 30')
  })

  it('shows what is not plainly visible escaped, and counts it so', () => {
    const { rows, cursorColumn } = editorRows({ text: 'a\u202eb\tc', cursor: 5 }, space)
    expect(rows).toEqual(['› a\\u202eb    c'])
    expect(cursorColumn).toBe(2 + 'a\\u202eb    c'.length)
  })
})
