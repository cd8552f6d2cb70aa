/**
 * Lines for a terminal of which the last part is broken and goes on below its beginning, so that nothing is cut and nothing is broken
 * by the terminal itself. Texts must be safe for a terminal and have no secret in them: one that is broken would not be found.
 */

import { displayWidth } from '../base/terminal-text.ts'
import { fitText } from './wrap-text.ts'

/** Less room than this is none: the text then stands below its head. */
const LEAST_ROOM = 16
const INDENT = 4

/** `head` and `text` on one line where there are no columns, else on as many as it takes. `head` has its own blank at the end. */
export function hangingLines(
  head: string,
  text: string,
  columns: number | undefined,
): readonly string[] {
  const width = displayWidth(head)
  const whole = `${head}${text}`.trimEnd()
  if (columns === undefined || displayWidth(whole) <= columns) return [whole]
  const fits = isRoom(text, { room: columns - width, columns })
  if (fits) return markedLines(head, text, columns)
  const below = markedLines(' '.repeat(INDENT), text, columns)
  return [...fitText(head.trimEnd(), columns), ...below]
}

/** The same for a head that is a mark: the text stays beside it, however little room that leaves. */
export function markedLines(
  mark: string,
  text: string,
  columns: number | undefined,
): readonly string[] {
  if (columns === undefined) return [`${mark}${text}`.trimEnd()]
  const width = displayWidth(mark)
  const parts = fitText(text, Math.max(1, columns - width))
  return parts.map((part, at) => `${at === 0 ? mark : ' '.repeat(width)}${part}`.trimEnd())
}

/** Enough for a few words, and for each of them, unless one has no room anywhere. */
function isRoom(
  text: string,
  { room, columns }: { readonly room: number; readonly columns: number },
): boolean {
  const words = text.split(/[\s\p{Script=Han}，。、；：]+/u)
  const longest = Math.max(...words.map((word) => displayWidth(word)))
  if (longest > room && longest <= columns - INDENT) return false
  return room >= Math.min(LEAST_ROOM, columns / 2)
}

/** Rows in aligned columns, of which the last is broken; one group of lines a row. */
export function hangingRows(
  rows: readonly (readonly string[])[],
  columns: number | undefined,
): readonly (readonly string[])[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, text] of row.slice(0, -1).entries())
      widths[at] = Math.max(widths[at] ?? 0, displayWidth(text))
  return rows.map((row) => {
    const heads = row
      .slice(0, -1)
      .map((text, at) => text + ' '.repeat((widths[at] ?? 0) - displayWidth(text) + 2))
    return hangingLines(heads.join(''), row.at(-1) ?? '', columns)
  })
}
