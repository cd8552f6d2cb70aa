/**
 * Text cut to its head and tail: at ends of lines where those are near, else between characters. Sizes are those of the text
 * itself in UTF-8; a text that grows when it is marked is cut further, so that what comes out never passes the limit.
 */

import { utf8Length } from '../capture/checksum.ts'

export interface CutLimits {
  /** Most bytes of the marked text. */
  readonly maxBytes: number
  readonly maxLines: number
  /** Makes text fit to be shown. It may grow ninefold. */
  readonly mark: (text: string) => string
}

/** What is left of a text, marked. `headBytes` and `tailBytes` count the text as it was. */
export interface CutText {
  readonly head: string
  readonly headBytes: number
  readonly tail: string
  readonly tailBytes: number
  /** False where nothing was cut, and then `head` is all. */
  readonly isCut: boolean
}

/** Rounds in which a text that grew is cut again, each to less. */
const MAX_ROUNDS = 6
/** What one byte may come to when it is marked, and a bit more. */
const WORST_GROWTH = 9
/** Of both limits so much goes to the head. */
const HEAD_SHARE = 2 / 3

/** Cuts `text`, of which `bytes` is the size in UTF-8. */
export function cutText(text: string, bytes: number, limits: CutLimits): CutText {
  const { maxBytes, maxLines, mark } = limits
  let room = maxBytes
  for (let round = 1; ; round += 1) {
    const cut = cutOnce(text, bytes, { maxBytes: room, maxLines })
    const head = mark(cut.head)
    const tail = mark(cut.tail)
    // Most texts are shown whole and as they are.
    const size = head === text ? bytes : utf8Length(head) + utf8Length(tail)
    if (size <= maxBytes || room === 0) {
      const headBytes = cut.isCut ? utf8Length(cut.head) : bytes
      return { head, headBytes, tail, tailBytes: utf8Length(cut.tail), isCut: cut.isCut }
    }
    const wanted = round < MAX_ROUNDS ? (room * maxBytes * 0.95) / size : maxBytes / WORST_GROWTH
    room = Math.floor(Math.min(wanted, bytes - 1))
  }
}

interface OneCut {
  readonly head: string
  readonly tail: string
  readonly isCut: boolean
}

function cutOnce(
  text: string,
  bytes: number,
  { maxBytes, maxLines }: { readonly maxBytes: number; readonly maxLines: number },
): OneCut {
  if (bytes <= maxBytes && !hasMoreLines(text, maxLines))
    return { head: text, tail: '', isCut: false }
  const headBytes = Math.ceil(maxBytes * HEAD_SHARE)
  const headLines = Math.ceil(maxLines * HEAD_SHARE)
  const headEnd = endOfHead(text, headBytes, headLines)
  const tailStart = startOfTail(text, maxBytes - headBytes, maxLines - headLines)
  return { head: text.slice(0, headEnd), tail: text.slice(tailStart), isCut: true }
}

/** A line end at the very end of a text begins no line. */
function hasMoreLines(text: string, maxLines: number): boolean {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (at === text.length - 1) return false
    lines += 1
    if (lines > maxLines) return true
  }
  return false
}

/** Where a head of so many bytes and lines ends: after a line end, unless that would give away more than half of it. */
function endOfHead(text: string, maxBytes: number, maxLines: number): number {
  let bytes = 0
  let lines = 0
  let afterLine = 0
  let bytesAfterLine = 0
  let at = 0
  while (at < text.length) {
    const { size, units } = characterAt(text, at)
    if (bytes + size > maxBytes) break
    bytes += size
    at += units
    if (text.charCodeAt(at - 1) !== NEWLINE) continue
    lines += 1
    afterLine = at
    bytesAfterLine = bytes
    if (lines >= maxLines) break
  }
  return bytesAfterLine * 2 >= bytes ? afterLine : at
}

function startOfTail(text: string, maxBytes: number, maxLines: number): number {
  if (maxLines < 1) return text.length
  let bytes = 0
  let lines = 0
  let atLine = text.length
  let bytesAtLine = 0
  let at = text.length
  while (at > 0) {
    const before = text.charCodeAt(at - 1)
    if (before === NEWLINE && at < text.length) {
      lines += 1
      atLine = at
      bytesAtLine = bytes
      if (lines >= maxLines) break
    }
    const units = isLow(before) && at > 1 && isHigh(text.charCodeAt(at - 2)) ? 2 : 1
    const { size } = characterAt(text, at - units)
    if (bytes + size > maxBytes) break
    bytes += size
    at -= units
  }
  return bytesAtLine * 2 >= bytes ? atLine : at
}

const NEWLINE = 10

function characterAt(text: string, at: number): { readonly size: number; readonly units: number } {
  const code = text.charCodeAt(at)
  if (code < 0x80) return { size: 1, units: 1 }
  if (code < 0x800) return { size: 2, units: 1 }
  const isPair = isHigh(code) && isLow(text.charCodeAt(at + 1))
  return isPair ? { size: 4, units: 2 } : { size: 3, units: 1 }
}

function isHigh(code: number): boolean {
  return (code & 0xfc00) === 0xd800
}

function isLow(code: number): boolean {
  return (code & 0xfc00) === 0xdc00
}
