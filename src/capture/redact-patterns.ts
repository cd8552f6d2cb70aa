/**
 * Secrets in a text: those that show themselves by their look, and values behind a name as in `name=value`.
 *
 * Every search finds a sign by a fixed-length pattern, then walks over the characters around it; what was walked in vain is
 * not walked again from within, so the time is linear in the text.
 */

import { asciiSet, isIn } from '../base/ascii-set.ts'
import { findKeys } from '../base/key-shapes.ts'
import type { KeyRules } from './redact-keys.ts'
import { MARK_START, redactionMark } from './redact-hits.ts'
import type { Hit, SecretLabel } from './redact-hits.ts'

const NAME = asciiSet('A-Za-z0-9_.-')

/** Adds what shows itself by its look. */
export function findByLook(text: string, hits: Hit[]): void {
  for (const { start, end, kind } of findKeys(text)) hits.push(makeHit(start, end, kind))
}

/** `strict`: also a plain word after `name: ` is taken for a secret. For logs yes, for prose in messages no. */
export interface AssignmentOptions {
  readonly keys: KeyRules
  readonly strict: boolean
}

/** Adds the values of `name=value`, `name: value` and `"name":"value"` where the name is one of a secret. */
export function findAssignments(text: string, hits: Hit[], options: AssignmentOptions): void {
  const signs = /[=:]/g
  for (let match = signs.exec(text); match !== null; match = signs.exec(text)) {
    const at = match.index
    const name = nameBefore(text, at)
    const secret = name !== '' && (options.keys.isSecret(name) || isCodeParameter(text, at, name))
    if (!secret) continue
    const hit = valueAfter(text, at, name, options.strict)
    if (hit === undefined) continue
    hits.push(hit)
    signs.lastIndex = Math.max(hit.end, at + 1)
  }
}

/** An OAuth code is a secret, but only as a query parameter: elsewhere `code` is a number. */
function isCodeParameter(text: string, at: number, name: string): boolean {
  if (name !== 'code' || text.charCodeAt(at) !== 61) return false
  const before = text.charCodeAt(at - 5)
  return before === 63 || before === 38
}

/** The name that ends before the sign, at most 64 characters; quotes and two spaces may stand between. */
function nameBefore(text: string, sign: number): string {
  let end = sign
  while (end > sign - 2 && text.charCodeAt(end - 1) === 32) end -= 1
  if (isQuote(text.charCodeAt(end - 1))) end -= 1
  // The backslash of an escaped quote.
  if (text.charCodeAt(end - 1) === 92) end -= 1
  let start = end
  while (start > end - 64 && isIn(NAME, text.charCodeAt(start - 1))) start -= 1
  while (text.charCodeAt(start) === 45) start += 1
  return text.slice(start, end)
}

function valueAfter(text: string, sign: number, name: string, strict: boolean): Hit | undefined {
  let start = sign + 1
  const spaced = text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9
  // `name= value` is code, `name: value` is a header or a log line.
  if (spaced && text.charCodeAt(sign) === 61) return undefined
  while (start < sign + 8 && (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9))
    start += 1
  const escaped = text.charCodeAt(start) === 92 && isQuote(text.charCodeAt(start + 1))
  if (escaped) start += 1
  const quote = text.charCodeAt(start)
  const quoted = isQuote(quote)
  if (quoted) start += 1
  // Before the walk to the end, so that what is no value costs nothing.
  if (text.startsWith(MARK_START, start) || '{[(<'.includes(text.charAt(start) || '{'))
    return undefined
  const end = quoted
    ? quotedEnd(text, start, { quote, escaped })
    : bareEnd(text, start, isHeader(name))
  const value = text.slice(start, Math.min(end, start + 64))
  if (value === '' || /^(?:null|undefined|true|false)$/.test(value)) return undefined
  const word = value.length < 4 || (!strict && value.length < 64 && /^[A-Za-z]*$/.test(value))
  return spaced && !quoted && word ? undefined : makeHit(start, end, 'key')
}

/** Headers whose value is the rest of the line. */
function isHeader(name: string): boolean {
  return /^(?:proxy-)?authorization$|cookie$/i.test(name)
}

/** To the quote that closes; where the opening one was escaped, to the next escaped one. */
function quotedEnd(text: string, from: number, by: { quote: number; escaped: boolean }): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10) return at
    if (code !== by.quote) continue
    const slash = text.charCodeAt(at - 1) === 92
    if (by.escaped) return slash ? at - 1 : at
    if (!slash) return at
  }
  return text.length
}

/** To a space, quote, comma or bracket; of a header to the end of its line or the quote around it. */
function bareEnd(text: string, from: number, header: boolean): number {
  const stops = header ? /["'\n\r\\]/g : /[\s"'`,;&#<>(){}[\]\\]/g
  stops.lastIndex = from
  return stops.exec(text)?.index ?? text.length
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39
}

function makeHit(start: number, end: number, label: SecretLabel): Hit {
  return { start, end, text: redactionMark(label) }
}
