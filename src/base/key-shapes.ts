/**
 * Keys that show themselves by their look, whatever they are called: `Bearer …`, `sk-…`, `ghp_…`, JWTs, PEM keys,
 * `user:password@host`. One table for all who look for them: what a configuration holds, and what is about to be written down.
 *
 * Every search is a fixed-length pattern that finds a beginning, then a walk over the characters that follow; what was
 * walked in vain is not walked again from within, so the time is linear in the text.
 */

import { asciiSet, isIn, runEnd, type AsciiSet } from './ascii-set.ts'

export type KeyKind = 'bearer' | 'basic' | 'api-key' | 'jwt' | 'pem' | 'url'

/** Where a key stands: the word before it, as `Bearer`, and what is around it are no part. */
export interface FoundKey {
  readonly start: number
  readonly end: number
  readonly kind: KeyKind
}

interface Beginning {
  /** No quantifiers, so that nothing can be made slow. */
  readonly pattern: string
  /** Least characters that follow for it to be a key and no word. */
  readonly least: number
  /** `sk-learn-contrib-tools` is a name: what follows must have a digit or a capital. */
  readonly mixed?: boolean
}

/** Beginnings that makers give their keys, so that they are found. Few: each costs time in every message that is recorded. */
const MADE: readonly Beginning[] = [
  { pattern: '[sr]k[-_]', least: 16, mixed: true },
  { pattern: 'gh[pousr]_', least: 10 },
  { pattern: 'github_pat_', least: 20 },
  { pattern: 'glpat-', least: 16 },
  { pattern: 'xox[a-z]-', least: 10 },
  { pattern: 'xapp-', least: 20, mixed: true },
  { pattern: 'A[KS]IA', least: 16 },
  { pattern: 'AIza', least: 30 },
  { pattern: 'npm_', least: 30 },
  { pattern: 'hf_', least: 20, mixed: true },
  { pattern: 'gsk_', least: 20, mixed: true },
  { pattern: 'ntn_', least: 20, mixed: true },
  { pattern: 'shpat_', least: 20, mixed: true },
]

/** Row by row what a beginning is that was found. */
const LEADS: readonly RegExp[] = MADE.map(({ pattern }) => new RegExp(`^${pattern}$`))

const SCHEMES = '[Bb][Ee][Aa][Rr][Ee][Rr][ \\t]|[Bb][Aa][Ss][Ii][Cc][ \\t]'
const BEGINNINGS = `${SCHEMES}|${MADE.map(({ pattern }) => pattern).join('|')}|eyJ|-----BEGIN |://`

/** Tells quickly that a text has no key. */
export const KEY_BEGINNINGS: RegExp = new RegExp(BEGINNINGS)

const ALNUM = 'A-Za-z0-9'
const WORD = asciiSet(`${ALNUM}_`)
const TOKEN = asciiSet(`${ALNUM}_-`)
const BEARER = asciiSet(`${ALNUM}._~+/=-`)
const URL_USER = asciiSet(`${ALNUM}._~%!$&'()*+,;=:-`)
const NONE = new Uint8Array(128)

/** Characters that must not stand before. For a JWT they are its own, or a row of beginnings would be walked again and again. */
const BOUNDARY: ReadonlyMap<string, AsciiSet> = new Map([
  ['://', NONE],
  ['-----BEGIN ', NONE],
  ['eyJ', TOKEN],
])

/** All keys of a text, from its beginning on. They do not overlap. */
export function findKeys(text: string): readonly FoundKey[] {
  const keys: FoundKey[] = []
  const starts = new RegExp(BEGINNINGS, 'g')
  for (let match = starts.exec(text); match !== null; match = starts.exec(text)) {
    const at = match.index
    const lead = match[0]
    if (isIn(BOUNDARY.get(lead) ?? WORD, text.charCodeAt(at - 1))) continue
    const found = readFrom(text, at, lead)
    if (typeof found === 'object') keys.push(found)
    const end = typeof found === 'object' ? found.end : (found ?? 0)
    if (end > at) starts.lastIndex = end
  }
  return keys
}

/** A key; or the place up to which nothing else can be one. */
function readFrom(text: string, at: number, lead: string): FoundKey | number | undefined {
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
  const made = MADE.find((_, row) => LEADS[row]?.test(lead))
  const end = runEnd(text, after, TOKEN)
  if (made === undefined || end - after < made.least) return undefined
  // What lies inside of a name has no digit and no capital either.
  if (made.mixed === true && !/[0-9A-Z]/.test(text.slice(after, end))) return end
  return { start: at, end, kind: 'api-key' }
}

function readScheme(text: string, from: number, kind: 'bearer' | 'basic'): FoundKey | undefined {
  let start = from
  while (start < from + 8 && text.charCodeAt(start) === 32) start += 1
  const end = runEnd(text, start, BEARER)
  // "Bearer authentication" is prose: a credential has a digit, a sign, or a capital inside.
  const random =
    end - start >= 6 && /[0-9=_+/-]|.[A-Z]/.test(text.slice(start, Math.min(end, start + 256)))
  return random ? { start, end, kind } : undefined
}

/** Three parts with dots between, the first at least ten characters: header, claims, signature (which may be empty). */
function readJwt(text: string, at: number): FoundKey | undefined {
  const first = runEnd(text, at, TOKEN)
  if (first - at < 10 || text.charCodeAt(first) !== 46) return undefined
  const second = runEnd(text, first + 1, TOKEN)
  if (second === first + 1 || text.charCodeAt(second) !== 46) return undefined
  let end = runEnd(text, second + 1, TOKEN)
  // An encrypted one has five parts.
  for (let more = 0; more < 2 && text.charCodeAt(end) === 46; more += 1)
    end = runEnd(text, end + 1, TOKEN)
  return { start: at, end, kind: 'jwt' }
}

/** From the first dash to the last, or to the end of the text when the last line is missing. */
function readPem(text: string, at: number, after: number): FoundKey | undefined {
  if (!text.slice(after, after + 40).includes('PRIVATE KEY')) return undefined
  const close = text.indexOf('-----END ', after)
  if (close < 0) return { start: at, end: text.length, kind: 'pem' }
  const tail = text.indexOf('-----', close + 9)
  const end = tail < 0 || tail > close + 60 ? text.length : tail + 5
  return { start: at, end, kind: 'pem' }
}

/** The password in `//user:password@host`. */
function readUserInfo(text: string, from: number): FoundKey | undefined {
  const limit = Math.min(text.length, from + 512)
  let colon = -1
  let at = from
  while (at < limit && isIn(URL_USER, text.charCodeAt(at))) {
    if (colon < 0 && text.charCodeAt(at) === 58) colon = at
    at += 1
  }
  if (text.charCodeAt(at) !== 64 || colon < 0 || colon + 1 === at) return undefined
  return { start: colon + 1, end: at, kind: 'url' }
}
