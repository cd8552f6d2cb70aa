/** A table for a terminal: cells are broken between words, and each column is as wide as its share of the line. */

import { displayWidth } from '../../base/terminal-text.ts'
import { wrapText } from '../wrap-text.ts'

const GAP = 2
/** A column narrower than this is no column any more. */
const LEAST = 12

/** The lines of the table, its head first, with a rule under the head. Texts must be safe for a terminal. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
): readonly string[] {
  const widths = columnWidths([head, ...rows], columns)
  const rule = '─'.repeat(widths.reduce((sum, width) => sum + width + GAP, -GAP))
  return [...rowLines(head, widths), rule, ...rows.flatMap((row) => rowLines(row, widths))]
}

/** What each column would like, cut to a share where that is too much: the widest gives first. */
function columnWidths(rows: readonly (readonly string[])[], columns: number): readonly number[] {
  const widths = (rows[0] ?? []).map((_cell, at) =>
    Math.max(...rows.map((row) => displayWidth(row[at] ?? ''))),
  )
  const room = Math.max(columns - GAP * (widths.length - 1), LEAST * widths.length)
  for (let over = sum(widths) - room; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function rowLines(row: readonly string[], widths: readonly number[]): readonly string[] {
  const cells = widths.map((width, at) => cellLines(row[at] ?? '', width))
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, at) => {
        const text = lines[line] ?? ''
        const blanks = (widths[at] ?? 0) - displayWidth(text) + GAP
        return at === cells.length - 1 ? text : text + ' '.repeat(Math.max(GAP, blanks))
      })
      .join('')
      .trimEnd(),
  )
}

/** Between words where that can be, else within one. */
function cellLines(text: string, width: number): readonly string[] {
  return wrapText(text, width)
    .split('\n')
    .flatMap((line) => piecesOf(line, width))
}

/** A word that is too wide, broken behind one of its joints where there is one; no mark is left to stand alone. */
function piecesOf(line: string, width: number): readonly string[] {
  const pieces: string[] = []
  let rest = line
  while (displayWidth(rest) > width) {
    const cut = cutOf(rest, width)
    pieces.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...pieces, rest]
}

/** Where a text is cut so that its beginning fits. */
function cutOf(text: string, width: number): number {
  let [fits, joint, shown] = [0, 0, '']
  for (const { segment, index } of new Intl.Segmenter('en').segment(text)) {
    shown += segment
    if (index > 0 && displayWidth(shown) > width) break
    fits = index + segment.length
    if (JOINT.test(segment)) joint = fits
  }
  if (joint > 0 && joint < text.length && !ONLY_MARKS.test(text.slice(joint))) return joint
  // A character goes along with the marks that follow it.
  return fits > 1 && ONLY_MARKS.test(text.slice(fits)) ? fits - 1 : fits
}

const JOINT = /^[_/-]$/
const ONLY_MARKS = /^[.,:;!?)，。：；！？）”]+$/

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
