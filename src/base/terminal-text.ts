/**
 * Text of strangers made safe for a terminal, measured in columns and cut between graphemes.
 *
 * What could move the cursor, hide, reorder or disguise text becomes a visible `\u…`; CJK and emoji stay as they are.
 * It is not for HTML and not for what a model reads, and it adds no colour.
 */

const ESC_SHORT: ReadonlyMap<number, string> = new Map([
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
])

/** More combining marks than this on one character climb over the lines above it. */
const MAX_MARKS = 8

/** First and last code points that draw nothing, reorder, or steer; sorted. */
const INVISIBLE: readonly (readonly [number, number])[] = [
  [0x00ad, 0x00ad], // soft hyphen
  [0x034f, 0x034f], // grapheme joiner
  [0x061c, 0x061c], // Arabic letter mark
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5],
  [0x180b, 0x180f], // Mongolian selectors and separator
  [0x200b, 0x200f], // zero width, direction marks
  [0x2028, 0x202e], // line ends, bidi embeddings and overrides
  [0x2060, 0x206f], // joiners, bidi isolates, old format characters
  [0x2800, 0x2800], // blank Braille
  [0x3164, 0x3164],
  [0xd800, 0xdfff], // lone surrogates
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff], // tags, more variation selectors
]

/** Code points that take two columns, emoji apart; sorted. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
]

const PLAIN = /^[\x20-\x7e]*$/
/** Text in which every character is a grapheme by itself: ASCII, Latin-1, arrows and common CJK. Segmenting costs 100 times more. */
const SIMPLE =
  /^[\x20-\x7e\xb7\xc0-\xff\u2026\u2039\u203a\u2190-\u2193\u3001-\u3020\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uff01-\uff60]*$/
/** Characters of one unit that are plainly visible and stand on their own: most of what is written anywhere. */
const ALONE =
  '\\x20-\\x7e\\xa0-\\xac\\xae-\\u02ff\\u0370-\\u0482\\u048a-\\u0590\\u2010-\\u2027\\u2030-\\u205f\\u2190-\\u27ff\\u3001-\\u3029' +
  '\\u3041-\\u3096\\u30a0-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff9f'
/** A text that is plain, and a run of characters that need no second look. */
const LINE = { plain: PLAIN, run: new RegExp(`[${ALONE}]+`, 'y') }
/** The same where line feeds and tabs are no matter. */
const LINES = { plain: /^[\x20-\x7e\n\t]*$/, run: new RegExp(`[${ALONE}\\n\\t]+`, 'y') }
/** Those of `SIMPLE` that take one column. */
const NARROW = /[\x20-\x7e\xb7\xc0-\xff\u2026\u2039\u203a\u2190-\u2193]/g
const PICTOGRAPH = /^\p{Extended_Pictographic}/u
const EMOJI_WIDE = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|\p{Emoji}\ufe0f)/u
const MARK = /^\p{M}/u

/**
 * The text with everything that is not plainly visible written as `\n`, `\u202e` or `\u{e0041}`.
 * A joiner or an emoji selector stays where it makes an emoji. The result has one line.
 */
export function terminalText(text: string): string {
  return replaceHidden(text, escapeCode)
}

/**
 * The same with another word for what is not plainly visible: of each such code point, line ends and tabs among them. Gives the
 * text itself where no word differs from what it is for. With `lines` line feeds and tabs are plainly visible, and stay.
 */
export function replaceHidden(
  text: string,
  replace: (code: number) => string,
  lines = false,
): string {
  const { plain, run } = lines ? LINES : LINE
  if (plain.test(text)) return text
  let out = ''
  /** What is before this is in `out`. */
  let taken = 0
  let before = ''
  let marks = 0
  for (let at = 0; at < text.length;) {
    const start = afterRun(run, text, at)
    if (start > at) {
      before = text.charAt(start - 1)
      marks = 0
    }
    if (start === text.length) break
    // `start` is below the length, so there is a code point.
    const code = text.codePointAt(start) as number
    at = start + (code > 0xffff ? 2 : 1)
    const shown = text.slice(start, at)
    marks = code > 0x2ff && MARK.test(shown) ? marks + 1 : 0
    const keep =
      marks <= MAX_MARKS && (!isHostile(code) || joinsEmoji(code, before, text.slice(at, at + 2)))
    const word = keep ? shown : replace(code)
    if (word !== shown) {
      out += text.slice(taken, start) + word
      taken = at
    }
    if (code !== 0xfe0f && !isSkinTone(code)) before = shown
  }
  return taken === 0 ? text : out + text.slice(taken)
}

/** Where the run of characters ends that begins here and needs no second look. */
function afterRun(run: RegExp, text: string, at: number): number {
  run.lastIndex = at
  return run.test(text) ? run.lastIndex : at
}

/** Whether the text has anything that `terminalText` would write differently. */
export function hidesText(text: string): boolean {
  return terminalText(text) !== text
}

/** Columns that escaped text takes. East Asian wide characters and emoji take two. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  if (SIMPLE.test(text)) return text.length + text.replace(NARROW, '').length
  let width = 0
  for (const { segment } of graphemes().segment(text)) width += clusterWidth(segment)
  return width
}

/** The longest beginning that fits `columns`, never ending inside a grapheme; cut text ends in `…`, which is counted. */
export function cutToWidth(text: string, columns: number): string {
  if (text.length <= columns && PLAIN.test(text)) return text
  if (columns < 1) return ''
  // Nobody sees more than this: a cluster of over 16 units is not one that a terminal shows in two columns.
  const near = text.slice(0, columns * 16 + 16)
  const head = near.slice(0, columns + 1)
  // The character after the last that is shown must be plain too: a mark would belong to it.
  if (PLAIN.test(head)) return head.length <= columns ? near : `${near.slice(0, columns - 1)}…`
  if (near.length === text.length && displayWidth(near) <= columns) return text
  let width = 0
  let fits = 0
  for (const { segment, index } of graphemes().segment(near)) {
    width += clusterWidth(segment)
    if (width > columns) return `${near.slice(0, fits)}…`
    if (width <= columns - 1) fits = index + segment.length
  }
  return near.length === text.length ? text : `${near.slice(0, fits)}…`
}

let segmenter: Intl.Segmenter | undefined

/** Made when first needed: building one takes milliseconds, and plain ASCII never needs it. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter
}

function clusterWidth(cluster: string): number {
  const code = cluster.codePointAt(0) ?? 0
  if (code < 0x7f) return cluster.includes('\ufe0f') ? 2 : 1
  if (EMOJI_WIDE.test(cluster) || within(WIDE, code)) return 2
  return MARK.test(cluster) || within(INVISIBLE, code) ? 0 : 1
}

function isSkinTone(code: number): boolean {
  return code >= 0x1f3fb && code <= 0x1f3ff
}

function isHostile(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || within(INVISIBLE, code)
}

function joinsEmoji(code: number, before: string, after: string): boolean {
  if (code === 0x200d) return PICTOGRAPH.test(before) && PICTOGRAPH.test(after)
  if (code === 0xfe0f)
    return PICTOGRAPH.test(before) || (/^[0-9#*]$/.test(before) && after.startsWith('\u20e3'))
  return false
}

function escapeCode(code: number): string {
  const short = ESC_SHORT.get(code)
  if (short !== undefined) return short
  const hex = code.toString(16)
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}

function within(ranges: readonly (readonly [number, number])[], code: number): boolean {
  for (const [first, last] of ranges) {
    if (code < first) return false
    if (code <= last) return true
  }
  return false
}
