/** Breaks a text into lines of so many columns, for languages with spaces and for those without. */

import { displayWidth } from '../base/terminal-text.ts'
import { breakText } from './break-text.ts'

/** A wide character or a word, with the opening marks that must not end a line and the closing ones that must not begin one; or the blanks between. */
const UNIT =
  /\s+|[“（《]*(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][，。、；：）》”？！]*|[^\s\p{Script=Han}“（《]+?(?:[，。、；：）》”？！]+|(?=[\s\p{Script=Han}“（《]|$)))|[“（《]+/gu

/** The text with line ends where it must break. A word longer than a line stays whole. */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, columns, (word) => [word]))
    .join('\n')
}

/** The same as lines none of which is wider: a word longer than a line is cut, and what follows goes on behind its end. */
export function fitText(text: string, columns: number): readonly string[] {
  const cut = (word: string): readonly string[] => breakText(word, columns)
  return text.split('\n').flatMap((line) => wrapLine(line, columns, cut))
}

function wrapLine(
  line: string,
  columns: number,
  cut: (word: string) => readonly string[],
): readonly string[] {
  const lines: string[] = []
  let current = ''
  let width = 0
  for (const [unit] of line.matchAll(UNIT)) {
    const unitWidth = displayWidth(unit)
    if (width + unitWidth > columns && current.trim() !== '' && unit.trim() !== '') {
      lines.push(current.trimEnd())
      current = ''
      width = 0
    }
    // A break swallows the blank that it stands for.
    if (current === '' && unit.trim() === '' && lines.length > 0) continue
    current += unit
    width += unitWidth
    if (width <= columns || unit.trim() === '') continue
    const parts = cut(current)
    lines.push(...parts.slice(0, -1))
    current = parts.at(-1) ?? ''
    width = displayWidth(current)
  }
  lines.push(current.trimEnd())
  return lines
}
