/**
 * Cuts a text into lines of so many columns at any place, so that a terminal never breaks one by itself: text that it breaks
 * would begin at the left edge, where only this program writes.
 */

import { displayWidth } from '../base/terminal-text.ts'

const PLAIN = /^[\x20-\x7e]*$/

let segmenter: Intl.Segmenter | undefined

/** At least one line, none wider than `columns`. The text must be safe for a terminal and have no line ends. */
export function breakText(text: string, columns: number): readonly string[] {
  if (PLAIN.test(text)) return breakPlain(text, columns)
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const lines: string[] = []
  let line = ''
  let width = 0
  for (const { segment } of segmenter.segment(text)) {
    const own = displayWidth(segment)
    if (width + own > columns && line !== '') {
      lines.push(line)
      line = ''
      width = 0
    }
    line += segment
    width += own
  }
  return [...lines, line]
}

function breakPlain(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  for (let at = 0; at < text.length; at += columns) lines.push(text.slice(at, at + columns))
  return lines.length === 0 ? [''] : lines
}
