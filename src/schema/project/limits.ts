/** Bounds of a projection. What is larger is cut, or refused where nothing useful would be left. */

/** Levels of schemas inside schemas; what is deeper is cut to its type. */
export const MAX_DEPTH = 32
/** Schemas and values of one projection. */
export const MAX_NODES = 5_000
/** UTF-8 bytes of the parameters of one tool. */
export const MAX_BYTES: number = 64 * 1024
/** UTF-16 units of one description inside a schema. */
export const MAX_DESCRIPTION = 1_024
/** UTF-16 units of a pattern. */
const MAX_PATTERN = 1_000

/** Whether the text may be a pattern: one that is read by every engine of ECMA-262 in Unicode mode. Nothing is matched. */
export function isPattern(text: string): boolean {
  if (text.length > MAX_PATTERN) return false
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    // Not one, which is the answer.
    return false
  }
}

/** A text cut to a length with a mark at its end, never inside a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Whether a text takes more bytes in UTF-8; they are counted only where that is in doubt. */
export function isLongerThan(text: string, bytes: number): boolean {
  if (text.length > bytes) return true
  return text.length * 3 > bytes && new TextEncoder().encode(text).byteLength > bytes
}
