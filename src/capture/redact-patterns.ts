/**
 * Secrets that show themselves by their look: `Bearer …`, `sk-…`, JWTs, PEM keys, `name=value`, `user:password@host`.
 *
 * Every search is a fixed-length pattern that finds a beginning, then a walk over the characters that follow; what was
 * walked in vain is not walked again from within, so the time is linear in the text.
 */

import type { KeyRules } from './redact-keys.ts'
import { MARK_START, redactionMark } from './redact-hits.ts'
import type { Hit, SecretLabel } from './redact-hits.ts'

/** Beginnings of values that are secrets by themselves. No quantifiers, so nothing can be made slow. */
const BEGINNINGS =
  '[Bb][Ee][Aa][Rr][Ee][Rr][ \\t]|[Bb][Aa][Ss][Ii][Cc][ \\t]|[sr]k[-_]|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|A[KS]IA|AIza|npm_|hf_|eyJ|-----BEGIN |://'

/** Tells quickly that a text has none of them. */
export const SECRET_BEGINNINGS: RegExp = new RegExp(BEGINNINGS)

const ALNUM = 'A-Za-z0-9'
const WORD = charSet(`${ALNUM}_`)
const TOKEN = charSet(`${ALNUM}_-`)
const BEARER = charSet(`${ALNUM}._~+/=-`)
const NAME = charSet(`${ALNUM}_.-`)
const URL_USER = charSet(`${ALNUM}._~%!$&'()*+,;=:-`)

/** Characters that must not stand before. For a JWT they are its own, or a row of beginnings would be walked again and again. */
const BOUNDARY: ReadonlyMap<string, Uint8Array> = new Map([
  ['://', new Uint8Array(128)],
  ['-----BEGIN ', new Uint8Array(128)],
  ['eyJ', TOKEN],
])

/** Least characters after a prefix for it to be a key and no word. */
const LEAST: ReadonlyMap<string, number> = new Map([
  ['sk-', 16],
  ['sk_', 16],
  ['rk-', 16],
  ['rk_', 16],
  ['github_pat_', 20],
  ['glpat-', 16],
  ['AKIA', 16],
  ['ASIA', 16],
  ['AIza', 30],
  ['npm_', 30],
  ['hf_', 20],
])

/** Adds what shows itself by its beginning. */
export function findByLook(text: string, hits: Hit[]): void {
  const starts = new RegExp(BEGINNINGS, 'g')
  for (let match = starts.exec(text); match !== null; match = starts.exec(text)) {
    const at = match.index
    const lead = match[0]
    if (isIn(BOUNDARY.get(lead) ?? WORD, text.charCodeAt(at - 1))) continue
    const found = readFrom(text, at, lead)
    if (typeof found === 'object') hits.push(found)
    const end = typeof found === 'object' ? found.end : (found ?? 0)
    if (end > at) starts.lastIndex = end
  }
}

/** A hit; or the place up to which nothing else can be one. */
function readFrom(text: string, at: number, lead: string): Hit | number | undefined {
  const after = at + lead.length
  switch (lead) {
    case '://':
      return readUserInfo(text, after)
    case '-----BEGIN ':
      return readPem(text, at, after)
    case 'eyJ':
      return readJwt(text, at)
    default:
  }
  const word = lead.slice(0, -1).toLowerCase()
  if (word === 'bearer' || word === 'basic') return readScheme(text, after, word)
  const end = runEnd(text, after, TOKEN)
  if (end - after < (LEAST.get(lead) ?? 10)) return undefined
  // `sk-learn-contrib-tools` is a name: keys have digits or capitals. What lies inside of the name has none either.
  if (lead.length === 3 && !/[0-9A-Z]/.test(text.slice(after, end))) return end
  return makeHit(at, end, 'api-key')
}

function readScheme(text: string, from: number, label: 'bearer' | 'basic'): Hit | undefined {
  let start = from
  while (start < from + 8 && text.charCodeAt(start) === 32) start += 1
  const end = runEnd(text, start, BEARER)
  // "Bearer authentication" is prose: a credential has a digit, a sign, or a capital inside.
  const random =
    end - start >= 6 && /[0-9=_+/-]|.[A-Z]/.test(text.slice(start, Math.min(end, start + 256)))
  return random ? makeHit(start, end, label) : undefined
}

/** Three parts with dots between, the first at least ten characters: header, claims, signature (which may be empty). */
function readJwt(text: string, at: number): Hit | undefined {
  const first = runEnd(text, at, TOKEN)
  if (first - at < 10 || text.charCodeAt(first) !== 46) return undefined
  const second = runEnd(text, first + 1, TOKEN)
  if (second === first + 1 || text.charCodeAt(second) !== 46) return undefined
  let end = runEnd(text, second + 1, TOKEN)
  // An encrypted one has five parts.
  for (let more = 0; more < 2 && text.charCodeAt(end) === 46; more += 1)
    end = runEnd(text, end + 1, TOKEN)
  return makeHit(at, end, 'jwt')
}

/** From the first dash to the last, or to the end of the text when the last line is missing. */
function readPem(text: string, at: number, after: number): Hit | undefined {
  if (!text.slice(after, after + 40).includes('PRIVATE KEY')) return undefined
  const close = text.indexOf('-----END ', after)
  if (close < 0) return makeHit(at, text.length, 'pem')
  const tail = text.indexOf('-----', close + 9)
  return makeHit(at, tail < 0 || tail > close + 60 ? text.length : tail + 5, 'pem')
}

/** The password in `//user:password@host`. */
function readUserInfo(text: string, from: number): Hit | undefined {
  const limit = Math.min(text.length, from + 512)
  let colon = -1
  let at = from
  while (at < limit && isIn(URL_USER, text.charCodeAt(at))) {
    if (colon < 0 && text.charCodeAt(at) === 58) colon = at
    at += 1
  }
  if (text.charCodeAt(at) !== 64 || colon < 0 || colon + 1 === at) return undefined
  return makeHit(colon + 1, at, 'url')
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

function runEnd(text: string, from: number, set: Uint8Array): number {
  let at = from
  while (isIn(set, text.charCodeAt(at))) at += 1
  return at
}

/** NaN, which `charCodeAt` gives outside of the text, is in no set. */
function isIn(set: Uint8Array, code: number): boolean {
  return code < 128 && set[code] === 1
}

function charSet(members: string): Uint8Array {
  const pattern = new RegExp(`[${members}]`)
  return Uint8Array.from({ length: 128 }, (_, code) =>
    pattern.test(String.fromCharCode(code)) ? 1 : 0,
  )
}
