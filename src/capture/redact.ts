/**
 * Takes secrets out of what is about to leave the process: by name, by look, and by being known.
 *
 * Everything that is no secret stays character for character. It is no promise: a secret with an unknown name and no
 * known look passes, which is why exact secrets can be given.
 */

import { UsageError } from '../base/errors.ts'
import { KEY_BEGINNINGS } from '../base/key-shapes.ts'
import { encodedSecrets } from './redact-known.ts'
import { applyHits, liftHits, redactionMark, settleHits } from './redact-hits.ts'
import type { Hit, Redaction } from './redact-hits.ts'
import { unescapeJson, walkJson } from './redact-json.ts'
import { keyRules, SECRET_WORDS } from './redact-keys.ts'
import type { KeyRules } from './redact-keys.ts'
import { findAssignments, findByLook } from './redact-patterns.ts'

/** All optional: with `{}` the built-in names and looks apply. */
export interface RedactRules {
  /** More names whose values are secrets; case and separators do not count. */
  readonly keys?: readonly string[]
  /** Names to leave readable although they sound secret, e.g. `env`. Wins over `keys`. */
  readonly keepKeys?: readonly string[]
  /** Exact secrets to find anywhere, also escaped, percent-encoded or in Base64. At least 4 characters each, at most 1,000 of them. */
  readonly secrets?: readonly string[]
  /** Whether to look for values that show themselves (`Bearer …`, `sk-…`, JWT, PEM, `password=…`). Default true. */
  readonly patterns?: boolean
}

export interface Redactor {
  /** A message, or a line of a process: JSON is read as such, everything else as plain text. `log`: a plain word after `password: ` is taken for one. */
  text(text: string, options?: { readonly log?: boolean }): Redaction
  /** Bytes that are not UTF-8; a mark in them is. */
  bytes(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly count: number }
}

/** JSON in JSON in JSON: deeper strings are searched as plain text. */
const MAX_LEVEL = 4
const MAX_SECRETS = 1000
const MIN_SECRET = 4

interface Search {
  readonly keys: KeyRules
  readonly known: readonly string[]
  readonly patterns: boolean
  /** Names were added, so that the quick look at words proves nothing. */
  readonly always: boolean
}

/** Prepares rules once for many texts. Throws a `UsageError` for secrets that are too short or too many. */
export function createRedactor(rules: RedactRules = {}): Redactor {
  const search: Search = {
    keys: keyRules(rules.keys, rules.keepKeys),
    known: encodedSecrets(checkSecrets(rules.secrets ?? [])),
    patterns: rules.patterns !== false,
    always: (rules.keys ?? []).length > 0,
  }
  return {
    text(text, options) {
      const hits = inspect(text, search, { level: 0, log: options?.log === true })
      return applyHits(text, settleHits(hits))
    },
    bytes(bytes) {
      const text = latin1(bytes)
      const found = applyHits(text, settleHits(inspect(text, search, { level: 0, log: true })))
      return found.count === 0
        ? { bytes, count: 0 }
        : { bytes: backToBytes(found.text), count: found.count }
    },
  }
}

interface Place {
  readonly level: number
  readonly log: boolean
}

function inspect(text: string, search: Search, place: Place): Hit[] {
  const hits: Hit[] = []
  if (!isSuspicious(text, search)) return hits
  if (startsJson(text) && place.level < MAX_LEVEL) {
    const onString = (start: number, end: number, found: Hit[]): void =>
      inspectString(text, { start, end, search, place }, found)
    if (walkJson(text, { keys: search.keys, level: place.level, onString }, hits)) return hits
  }
  findPlain(text, search, { hits, log: place.log })
  return hits
}

interface StringPlace {
  readonly start: number
  readonly end: number
  readonly search: Search
  readonly place: Place
}

/** What stands between two quotes: searched as it is, or decoded and the findings moved back. */
function inspectString(text: string, string: StringPlace, hits: Hit[]): void {
  const { start, end, search, place } = string
  if (end - start < MIN_SECRET) return
  const raw = text.slice(start, end)
  if (raw.includes('\\')) {
    const decoded = unescapeJson(raw)
    const inner = inspect(decoded, search, { level: place.level + 1, log: place.log })
    hits.push(...liftHits(text, start, inner))
    return
  }
  if (!isSuspicious(raw, search)) return
  const found: Hit[] = []
  findPlain(raw, search, { hits: found, log: place.log })
  for (const hit of found)
    hits.push({ start: hit.start + start, end: hit.end + start, text: hit.text })
}

function findPlain(text: string, search: Search, into: { hits: Hit[]; log: boolean }): void {
  for (const secret of search.known) {
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
      into.hits.push({ start: at, end: at + secret.length, text: redactionMark('secret') })
    }
  }
  if (!search.patterns) return
  findByLook(text, into.hits)
  findAssignments(text, into.hits, { keys: search.keys, strict: into.log })
}

/** Quick look whether anything can be found; most messages end here. Escapes could spell a word, so they count. */
function isSuspicious(text: string, search: Search): boolean {
  return (
    search.always ||
    SECRET_WORDS.test(text) ||
    (search.patterns && (KEY_BEGINNINGS.test(text) || text.includes('code='))) ||
    text.includes('\\u') ||
    text.includes('\\/') ||
    search.known.some((secret) => text.includes(secret))
  )
}

function startsJson(text: string): boolean {
  const first = text.charCodeAt(/[^ \t\r\n]/.exec(text)?.index ?? 0)
  return first === 123 || first === 91
}

function checkSecrets(secrets: readonly string[]): readonly string[] {
  if (secrets.length > MAX_SECRETS) {
    throw new UsageError(
      `Redaction takes at most ${MAX_SECRETS} known secrets and got ${secrets.length}. Give rules by name instead.`,
    )
  }
  const short = secrets.findIndex((secret) => secret.length < MIN_SECRET)
  if (short >= 0) {
    throw new UsageError(
      `Known secret number ${short + 1} is shorter than ${MIN_SECRET} characters and would black out ordinary text. Leave it out.`,
    )
  }
  return secrets
}

/** One character a byte, so that places in the text are places in the bytes. */
function latin1(bytes: Uint8Array): string {
  let out = ''
  for (let at = 0; at < bytes.length; at += 4096) {
    out += String.fromCharCode(...bytes.subarray(at, at + 4096))
  }
  return out
}

/** Characters up to U+00FF are the bytes they came from, all others belong to a mark. */
function backToBytes(text: string): Uint8Array {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  for (const piece of text.split(/([\u0100-\uffff]+)/)) {
    const mark = piece.charCodeAt(0) > 255
    parts.push(mark ? encoder.encode(piece) : Uint8Array.from(piece, (char) => char.charCodeAt(0)))
  }
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
