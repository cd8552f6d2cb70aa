/**
 * The parts of a result laid out within limits. Parts of one priority are cut as one text; of several the most important are
 * shown whole and the least go first.
 */

import { utf8Length } from '../capture/checksum.ts'
import { cutText } from './results-cut.ts'

/** A part of a result, as text. */
export interface Piece {
  readonly text: string
  /** 0 is the least, 1 the most important. */
  readonly priority: number
}

export interface LayoutLimits {
  readonly maxBytes: number
  readonly maxLines: number
  readonly mark: (text: string) => string
}

export interface Layout {
  /** Everything, as it was: the parts joined by line ends. */
  readonly all: string
  /** Size of `all` in UTF-8. */
  readonly bytes: number
  /** What is shown, marked; each gap is told where it is. */
  readonly text: string
  /** Of `bytes`, so many are shown. */
  readonly shownBytes: number
  readonly isCut: boolean
  /** Where in `all`, in bytes, the first gap begins. */
  readonly readOn: number
}

export function layOut(pieces: readonly Piece[], limits: LayoutLimits): Layout {
  const all = pieces.map(({ text }) => text).join('\n')
  const bytes = utf8Length(all)
  const whole = cutText(all, bytes, limits)
  if (!whole.isCut)
    return { all, bytes, text: whole.head, shownBytes: bytes, isCut: false, readOn: bytes }
  const [first] = pieces
  if (pieces.some(({ priority }) => priority !== first?.priority))
    return { all, bytes, isCut: true, ...byPriority(pieces, bytes, limits) }
  const { head, headBytes, tail, tailBytes } = whole
  const gap = gapWords(bytes - headBytes - tailBytes)
  const shownBytes = headBytes + tailBytes
  return {
    all,
    bytes,
    text: joinLines([head, gap, tail]),
    shownBytes,
    isCut: true,
    readOn: headBytes,
  }
}

function gapWords(bytes: number): string {
  return `[… ${bytes} bytes left out …]`
}

/** The parts that are not empty, with line ends between where there are none. */
export function joinLines(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part, at, { length }) => (at < length - 1 && !part.endsWith('\n') ? `${part}\n` : part))
    .join('')
}

/** What is charged for each part beside its text: its line end, and the word about the gap that may follow. */
const PIECE_COST = 64
/** With less room a part is not begun. */
const LEAST_ROOM = 256

interface Placed {
  readonly head: string
  readonly tail: string
  readonly bytes: number
  readonly headBytes: number
  readonly tailBytes: number
}

function byPriority(
  pieces: readonly Piece[],
  bytes: number,
  { maxBytes, maxLines, mark }: LayoutLimits,
): Pick<Layout, 'text' | 'shownBytes' | 'readOn'> {
  const order = pieces
    .map((piece, at) => ({ ...piece, at }))
    .toSorted((one, other) => other.priority - one.priority || one.at - other.at)
  const placed = new Map<number, Placed>()
  let room = maxBytes
  let lines = maxLines
  for (const { text, at } of order) {
    if (room < LEAST_ROOM + PIECE_COST || lines < 1) break
    const size = utf8Length(text)
    const cut = cutText(text, size, { maxBytes: room - PIECE_COST, maxLines: lines, mark })
    placed.set(at, { ...cut, bytes: size })
    room -= utf8Length(cut.head) + utf8Length(cut.tail) + PIECE_COST
    lines -= lineCount(cut.head) + lineCount(cut.tail)
  }
  return inOrder(pieces, placed, bytes)
}

/** The placed parts in the order of the result; gaps that touch are told as one. */
function inOrder(
  pieces: readonly Piece[],
  placed: ReadonlyMap<number, Placed>,
  bytes: number,
): Pick<Layout, 'text' | 'shownBytes' | 'readOn'> {
  const parts: string[] = []
  let at = 0
  let gap = 0
  let shownBytes = 0
  let readOn = bytes
  const leaveOut = (from: number, count: number): void => {
    if (count > 0) readOn = Math.min(readOn, from)
    gap += count
  }
  const tellGap = (): void => {
    if (gap > 0) parts.push(gapWords(gap))
    gap = 0
  }
  for (const [index, { text }] of pieces.entries()) {
    const separator = index === 0 ? 0 : 1
    at += separator
    const part = placed.get(index)
    const size = part?.bytes ?? utf8Length(text)
    if (part === undefined) {
      leaveOut(at, size + separator)
    } else {
      tellGap()
      if (part.head !== '' || size === 0) parts.push(part.head)
      leaveOut(at + part.headBytes, size - part.headBytes - part.tailBytes)
      if (part.tail !== '') {
        tellGap()
        parts.push(part.tail)
      }
      shownBytes += part.headBytes + part.tailBytes + separator
    }
    at += size
  }
  tellGap()
  return { text: parts.join('\n'), shownBytes, readOn }
}

function lineCount(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
