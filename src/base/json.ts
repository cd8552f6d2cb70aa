/**
 * JSON values and reading them with a bound on nesting.
 *
 * V8's parser accepts a million levels and everything behind it then overflows its stack, so the depth is
 * checked on the text before anything is built. Nothing here knows JSON-RPC.
 */

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject
export interface JsonObject {
  [key: string]: JsonValue | undefined
}

/** Deepest nesting accepted from a peer unless a caller says otherwise. */
export const MAX_JSON_DEPTH = 128

/**
 * JSON that is text already. Put in place of a result, it is written as it stands: a list that is sent
 * often is serialised once.
 */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON text that is the same for equal values: keys sorted by code units, no blanks, members that are undefined left out. */
export function canonicalJson(value: JsonValue | undefined): string {
  if (Array.isArray(value)) {
    let items = ''
    for (const item of value)
      items += items === '' ? canonicalJson(item) : `,${canonicalJson(item)}`
    return `[${items}]`
  }
  if (!isJsonObject(value)) return JSON.stringify(value ?? null)
  let members = ''
  for (const key of sortedKeys(value)) {
    const member = value[key]
    if (member === undefined) continue
    if (members !== '') members += ','
    members += `${JSON.stringify(key)}:${canonicalJson(member)}`
  }
  return `{${members}}`
}

/** Most objects are small and many are in order: a sort of the engine costs more than to look. */
function sortedKeys(value: JsonObject): readonly string[] {
  const keys = Object.keys(value)
  for (let at = 1; at < keys.length; at += 1)
    if ((keys[at] ?? '') < (keys[at - 1] ?? '')) return keys.sort()
  return keys
}

const QUOTE = 34
const BACKSLASH = 92

/**
 * Tells whether brackets nest deeper than `maxDepth`, in one pass over the text and without building anything.
 * Text that is not JSON gets some answer; the parser judges it afterwards.
 */
export function exceedsDepth(text: string, maxDepth: number = MAX_JSON_DEPTH): boolean {
  // A value nested d deep needs d closing brackets, so few of them cannot be too deep: most messages end here.
  if (text.length <= maxDepth * 2 || hasFewClosers(text, maxDepth)) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
    } else if ((code | 32) === 123) {
      // `[` is 91 and `{` is 123: they differ in one bit.
      depth += 1
      if (depth > maxDepth) return true
    } else if ((code | 32) === 125) {
      depth -= 1
    }
  }
  return false
}

/** Whether at most `limit` closing brackets stand in the text, those inside strings counted as well. */
function hasFewClosers(text: string, limit: number): boolean {
  let count = 0
  for (let at = text.indexOf('}'); at >= 0; at = text.indexOf('}', at + 1)) {
    if ((count += 1) > limit) return false
  }
  for (let at = text.indexOf(']'); at >= 0; at = text.indexOf(']', at + 1)) {
    if ((count += 1) > limit) return false
  }
  return true
}

/** Index of the quote that ends the string opened at `open`, or the end of the text. */
export function endOfString(text: string, open: number): number {
  let from = open + 1
  for (;;) {
    const close = text.indexOf('"', from)
    if (close < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(close - 1 - slashes) === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return close
    from = close + 1
  }
}
