/**
 * Text patterns with `*` and `?`, and nothing else. No regular expression is built: what strangers write is compared in time
 * that grows with pattern times text, both of which are bounded.
 */

const STAR = 42
const QUESTION = 63

/** Whether the whole text fits: `*` is any text, also none and also with slashes; `?` is one character. */
export function matchesGlob(glob: string, text: string): boolean {
  let at = 0
  let from = 0
  // Where to go on when it does not fit: behind the last star, with the star taking one unit more of the text.
  let star = -1
  let taken = 0
  while (at < text.length) {
    const sign = glob.charCodeAt(from)
    if (sign === STAR) {
      from += 1
      star = from
      taken = at
    } else if (sign === QUESTION) {
      from += 1
      at += isPair(text, at) ? 2 : 1
    } else if (sign === text.charCodeAt(at)) {
      from += 1
      at += 1
    } else if (star >= 0) {
      taken += 1
      at = taken
      from = star
    } else {
      return false
    }
  }
  while (glob.charCodeAt(from) === STAR) from += 1
  return from === glob.length
}

/** Whether the text means more than itself. */
export function isGlob(text: string): boolean {
  return text.includes('*') || text.includes('?')
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff
}
