/**
 * The difference of two texts, line by line, for people. Both are strangers' texts: each line is escaped, long ones are shown
 * around what changed and wrapped, and letters that only look the same are named.
 */

import { terminalText } from '../base/terminal-text.ts'
import { skeletonOf } from '../tools/look-alike.ts'

/** Longest piece of a line, in UTF-16 units before escaping. */
const WIDTH = 160
/** What is shown of an unchanged part beside a change in a long line. */
const AROUND = 40
/** Most pairs of lines that are compared with one another; longer texts are only trimmed at both ends. */
const MAX_PAIRS = 40_000
/** Most lines of one text; what is beyond is one line with its length. */
const MAX_LINES = 2_000

/** Lines with `- ` for what was and `+ ` for what is; a text that was or is empty has no line. Empty for equal texts. */
export function textDiff(before: string, after: string): readonly string[] {
  if (before === after) return []
  const out: string[] = []
  for (const { old, now } of hunks(linesOf(before), linesOf(after))) {
    // A line for a line is a change within it, most likely.
    const pairs = old.length === now.length ? old.length : 0
    for (let at = 0; at < pairs; at += 1) out.push(...lineDiff(old[at] ?? '', now[at] ?? ''))
    for (const line of old.slice(pairs)) out.push(...wrapped('- ', line))
    for (const line of now.slice(pairs)) out.push(...wrapped('+ ', line))
  }
  return out
}

interface Hunk {
  readonly old: readonly string[]
  readonly now: readonly string[]
}

/** Texts that are not there have no line, which is not the same as one empty line. */
function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.length <= MAX_LINES
    ? lines
    : [...lines.slice(0, MAX_LINES - 1), lines.slice(MAX_LINES - 1).join('\n')]
}

function hunks(old: readonly string[], now: readonly string[]): readonly Hunk[] {
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  const room = Math.min(old.length, now.length) - start
  while (end < room && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const middle = {
    old: old.slice(start, old.length - end),
    now: now.slice(start, now.length - end),
  }
  const pairs = middle.old.length * middle.now.length
  return pairs === 0 || pairs > MAX_PAIRS ? [middle] : aligned(middle)
}

/** Longest common subsequence: lines that stayed separate what changed. */
function aligned({ old, now }: Hunk): readonly Hunk[] {
  const width = now.length + 1
  const lengths = new Uint16Array((old.length + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const found: { old: string[]; now: string[] }[] = []
  let hunk: { old: string[]; now: string[] } = { old: [], now: [] }
  let [row, column] = [0, 0]
  while (row < old.length || column < now.length) {
    const [was, is] = [old[row], now[column]]
    if (was !== undefined && was === is) {
      found.push(hunk)
      hunk = { old: [], now: [] }
      row += 1
      column += 1
    } else if (
      is === undefined ||
      (was !== undefined && at(row + 1, column) >= at(row, column + 1))
    ) {
      if (was !== undefined) hunk.old.push(was)
      row += 1
    } else {
      hunk.now.push(is)
      column += 1
    }
  }
  return [...found, hunk]
}

function lineDiff(old: string, now: string): readonly string[] {
  if (old === now) return []
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  const room = Math.min(old.length, now.length) - start
  while (end < room && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const from =
    old.length > WIDTH || now.length > WIDTH ? whole(old, Math.max(0, start - AROUND)) : 0
  const lines = [...wrapped('- ', around(old, from, end)), ...wrapped('+ ', around(now, from, end))]
  const isAlike = skeletonOf(old) === skeletonOf(now)
  return isAlike
    ? [...lines, `  (they look alike: ${codeAt(old, start)} was there, ${codeAt(now, start)} is)`]
    : lines
}

/** The line from `from` on, without most of the unchanged end of a long one. */
function around(line: string, from: number, unchangedEnd: number): string {
  const isLong = line.length > WIDTH && unchangedEnd > AROUND
  const to = isLong ? line.length - unchangedEnd + AROUND : line.length
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}

/** Not between the halves of a pair. */
function whole(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) && at > 0 ? at - 1 : at
}

function codeAt(text: string, at: number): string {
  const code = text.codePointAt(whole(text, at))
  return code === undefined ? 'nothing' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Pieces of a line, each with the mark in front, so that no text of a peer begins a line. */
function wrapped(mark: string, line: string): readonly string[] {
  const pieces: string[] = []
  let at = 0
  do {
    const end = whole(line, at + WIDTH)
    pieces.push(mark + terminalText(line.slice(at, end)))
    at = end
  } while (at < line.length)
  return pieces
}
