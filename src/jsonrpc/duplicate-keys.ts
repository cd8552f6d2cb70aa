/**
 * Finds keys that a message has twice, at its own level or in its params.
 *
 * Which of two members counts is what parsers do not agree on, so such a message could say one thing to whoever checks it
 * and another to whoever obeys it. `JSON.parse` keeps the last in silence; here members are counted in the text, and
 * names are looked at only when there are more of them than keys. Deeper levels are the business of who reads them.
 */

import { isJsonObject, type JsonObject } from '../base/json.ts'
import { INVALID_REQUEST, isRequestId, type Malformed } from './message.ts'

interface Duplicate {
  readonly key: string
  readonly inParams: boolean
  /** Whether the id of the message is the same whoever reads it. */
  readonly idIsPlain: boolean
}

/**
 * The refusal of a text that has a key twice, of which `value` was parsed; undefined when there is none. A batch is
 * refused for any of its messages. Linear. // RPC-01
 */
export function refuseDuplicates(text: string, value: unknown): Malformed | undefined {
  if (isJsonObject(value)) {
    if (hasAllMembers(text, value)) return undefined
  } else if (!Array.isArray(value)) return undefined
  const duplicate = nameDuplicate(text, Array.isArray(value) ? 2 : 1)
  if (duplicate === undefined) return undefined
  const place = duplicate.inParams ? ' in its params' : ''
  const reason = `a message has the key ${JSON.stringify(duplicate.key.slice(0, 100))} twice${place}`
  const refusal = {
    kind: 'malformed',
    code: INVALID_REQUEST,
    reason,
    requirement: 'RPC-01',
  } as const
  if (!isJsonObject(value)) return refusal
  const answers = !('method' in value) && ('result' in value || 'error' in value)
  const { id } = value
  return {
    ...refusal,
    ...(duplicate.idIsPlain && isRequestId(id) ? { id } : {}),
    ...(answers ? { answer: true } : {}),
  }
}

const QUOTE = 34
const COLON = 58
const BACKSLASH = 92
/** `[` is 91 and `{` is 123, `]` 93 and `}` 125: they differ in one bit. */
const OPEN = 123
const CLOSE = 125
const PARAMS = '"params"'

/** Whether the text has as many members as the objects that were made of it: the way of nearly every message. */
function hasAllMembers(text: string, value: JsonObject): boolean {
  const { params } = value
  let members = 0
  let membersOfParams = 0
  let depth = 0
  let open = 0
  let close = 0
  let inParams = false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      open = at
      close = endOfString(text, at)
      at = close
    } else if (unit === COLON) {
      if (depth === 1) {
        members += 1
        // Spelled with escapes it is not known, and then the members seem too few: the slow way tells.
        inParams = close - open === PARAMS.length - 1 && text.startsWith(PARAMS, open)
      } else if (depth === 2 && inParams) membersOfParams += 1
    } else if ((unit | 32) === OPEN) depth += 1
    else if ((unit | 32) === CLOSE) depth -= 1
  }
  return (
    members === keysIn(value) && membersOfParams === (isJsonObject(params) ? keysIn(params) : 0)
  )
}

/** What `JSON.parse` made has no other keys than its own. */
function keysIn(value: JsonObject): number {
  let keys = 0
  for (const _ in value) keys += 1
  return keys
}

/** The slow way, which knows the names. `level` is the depth of the members of a message: 1, or 2 in a batch. */
function nameDuplicate(text: string, level: 1 | 2): Duplicate | undefined {
  let found: Omit<Duplicate, 'idIsPlain'> | undefined
  let idIsPlain = true
  let members = new Set<string>()
  let membersOfParams = new Set<string>()
  let depth = 0
  let spelled = ''
  let inParams = false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      const close = endOfString(text, at)
      if (depth <= level + 1) spelled = text.slice(at, close + 1)
      at = close
    } else if (unit === COLON && (depth === level || (depth === level + 1 && inParams))) {
      const key = String(JSON.parse(spelled))
      const seen = depth === level ? members : membersOfParams
      if (seen.has(key)) {
        found ??= { key, inParams: depth > level }
        if (depth === level && key === 'id') idIsPlain = false
      }
      seen.add(key)
      if (depth === level) inParams = key === 'params'
    } else if ((unit | 32) === OPEN) {
      depth += 1
      if (depth === level) {
        members = new Set()
        membersOfParams = new Set()
      }
    } else if ((unit | 32) === CLOSE) depth -= 1
  }
  return found === undefined ? undefined : { ...found, idIsPlain }
}

/** Index of the quote that closes the string opened at `open`. The text is JSON, so there is one. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close >= 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close < 0 ? text.length : close
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0
  while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1
  return slashes % 2 === 1
}
