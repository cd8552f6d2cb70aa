/** Places in a text that a cursor may stand at: between graphemes, and between words. In UTF-16 units; pure. */

/** Characters looked at around a place: a grapheme of more is cut, so that a hostile paste costs nothing. */
const REACH = 64

let graphemes: Intl.Segmenter | undefined

/** The start of the grapheme before a place; 0 at the start. */
export function graphemeBefore(text: string, place: number): number {
  if (place <= 1) return 0
  if (isPlain(text, place - 2, place)) return place - 1
  const from = Math.max(0, place - REACH)
  const near = text.slice(from, place)
  let last = 0
  for (const { index } of segments(near)) last = index
  return from + last
}

/** The end of the grapheme behind a place; the text's length at the end. */
export function graphemeAfter(text: string, place: number): number {
  if (place >= text.length) return text.length
  if (isPlain(text, place, place + 2)) return place + 1
  for (const { segment } of segments(text.slice(place, place + REACH)))
    return place + segment.length
  return text.length
}

/** The start of the word before a place: blanks are passed over first. A run of Chinese is one word. */
export function wordBefore(text: string, place: number): number {
  const before = text.slice(0, place).trimEnd()
  const at = before.search(/\S+$/u)
  return at < 0 ? 0 : at
}

/** The end of the word behind a place. */
export function wordAfter(text: string, place: number): number {
  const behind = text.slice(place)
  const blanks = behind.length - behind.trimStart().length
  const length = behind.slice(blanks).search(/\s/u)
  return length < 0 ? text.length : place + blanks + length
}

function isPlain(text: string, from: number, to: number): boolean {
  return /^[\x20-\x7e]*$/.test(text.slice(from, to))
}

function segments(text: string): Intl.Segments {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return graphemes.segment(text)
}
