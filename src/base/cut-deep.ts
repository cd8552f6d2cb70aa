/**
 * JSON text with its deep parts cut out, so that a parser may have the rest.
 *
 * For whoever can do without a part of a message that nests too deep as a whole. It builds nothing and calls nothing again
 * inside itself: one pass, and a text that is never longer than the one before.
 */

import { endOfString, MAX_JSON_DEPTH } from './json.ts'

export interface Cut {
  /** What is cut out whole: objects and arrays that stand this deep, the outermost being 1. At most `maxDepth`. */
  readonly level: number
  /** The JSON of at most two characters that stands in their place. */
  readonly mark: string
  /** Deepest nesting that stays. Default 128. */
  readonly maxDepth?: number
}

/**
 * Puts the mark in place of each value at `level` that holds more than `maxDepth` levels, counted from the outermost. What is
 * cut out is not judged: whether the rest is JSON, and what a peer has written to look like a mark, is for the caller to see.
 */
export function cutDeep(text: string, { level, mark, maxDepth = MAX_JSON_DEPTH }: Cut): string {
  let kept = ''
  /** Where the text goes on that is not in `kept` yet. */
  let from = 0
  /** Where the last value at `level` begins. */
  let open = 0
  let depth = 0
  let cutting = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
    } else if ((code | 32) === OPEN) {
      depth += 1
      if (depth === level) open = at
      if (depth > maxDepth && !cutting) {
        cutting = true
        kept += text.slice(from, open) + mark
      }
    } else if ((code | 32) === CLOSE) {
      if (cutting && depth === level) {
        cutting = false
        from = at + 1
      }
      depth -= 1
    }
  }
  return cutting ? kept : kept + text.slice(from)
}

const QUOTE = 34
/** `[` is 91 and `{` is 123, `]` 93 and `}` 125: they differ in one bit. */
const OPEN = 123
const CLOSE = 125
