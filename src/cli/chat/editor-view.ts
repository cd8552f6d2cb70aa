/**
 * The line that is being written as rows of a terminal, with the place of the cursor. Pure. No row is as wide as the terminal,
 * so that it never breaks one by itself, and there are never more rows than it can show.
 */

import { displayWidth, terminalText } from '../../base/terminal-text.ts'

export interface EditorPlace {
  readonly text: string
  /** In UTF-16 units. */
  readonly cursor: number
}

export interface EditorSpace {
  /** Safe; stands before the first row, and as many blanks before the others. */
  readonly prompt: string
  readonly columns: number
  /** Most rows. */
  readonly rows: number
}

export interface EditorRows {
  /** Safe for a terminal, prompt included. At least one. */
  readonly rows: readonly string[]
  /** From 0, among these rows. */
  readonly cursorRow: number
  readonly cursorColumn: number
}

/** Narrower terminals get rows of this width, and break them. */
const MIN_ROOM = 8

const TAB = '    '

interface Row {
  text: string
  width: number
}

/** Lays a text out; where it is taller than the space, the rows around the cursor are shown. */
export function editorRows({ text, cursor }: EditorPlace, space: EditorSpace): EditorRows {
  const indent = displayWidth(space.prompt)
  const room = Math.max(MIN_ROOM, space.columns - indent - 1)
  const rows: Row[] = [{ text: '', width: 0 }]
  let row: Row = { text: '', width: 0 }
  rows[0] = row
  let at = { row: 0, column: 0 }
  let index = 0
  const breakRow = (): void => {
    row = { text: '', width: 0 }
    rows.push(row)
  }
  for (const { segment } of graphemes().segment(text)) {
    const isEnd = segment === '\n' || segment === '\r\n'
    const shown = isEnd ? '' : segment === '\t' ? TAB : terminalText(segment)
    const width = displayWidth(shown)
    if (row.width + width > room && row.width > 0) breakRow()
    if (index === cursor) at = { row: rows.length - 1, column: row.width }
    row.text += shown
    row.width += width
    if (isEnd) breakRow()
    index += segment.length
  }
  if (cursor >= index) at = endOf(rows, room, breakRow)
  return windowOf(rows, at, { ...space, indent })
}

/** Behind the last character; a full row has no place for the cursor, so it stands on a new one. */
function endOf(
  rows: readonly Row[],
  room: number,
  breakRow: () => void,
): { row: number; column: number } {
  if ((rows.at(-1)?.width ?? 0) >= room) breakRow()
  return { row: rows.length - 1, column: rows.at(-1)?.width ?? 0 }
}

function windowOf(
  rows: readonly Row[],
  at: { readonly row: number; readonly column: number },
  space: EditorSpace & { readonly indent: number },
): EditorRows {
  const { prompt, indent } = space
  const most = Math.max(1, space.rows)
  const first = Math.max(0, Math.min(at.row - Math.floor(most / 2), rows.length - most))
  const shown = rows.slice(first, first + most)
  return {
    rows: shown.map(({ text }, place) =>
      place + first === 0 ? prompt + text : ' '.repeat(indent) + text,
    ),
    cursorRow: at.row - first,
    cursorColumn: indent + at.column,
  }
}

let segmenter: Intl.Segmenter | undefined

function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter
}
