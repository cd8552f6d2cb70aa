/**
 * Finds secrets in JSON text by where they stand, without parsing it into values and without writing it again.
 *
 * Only the characters of a value are named as a hit; key order, spacing, number spelling and escapes around it stay.
 * JSON inside of strings is read too. What is no JSON is told by `false`, and then judged as plain text by the caller.
 */

import type { KeyRules } from './redact-keys.ts'
import { MARK_START, redactionMark } from './redact-hits.ts'
import type { Hit } from './redact-hits.ts'

/**
 * What a value is in: anything; below a secret's name; a JSON Schema, whose property names are no secrets; its map of
 * properties; and the same two for a property that is named like a secret.
 */
type Mode = 'open' | 'secret' | 'schema' | 'properties' | 'secret-schema' | 'secret-properties'

interface Frame {
  readonly array: boolean
  readonly mode: Mode
  /** Mode of the next value. */
  next: Mode
  key: string
  expectKey: boolean
  /** `{"name":"Authorization","value":…}`: whether the name was secret, and where the value stands. */
  named: boolean
  value: Hit | undefined
}

/** How the walk judges strings; `level` counts the JSON strings around the text. */
export interface JsonSearch {
  readonly keys: KeyRules
  readonly level: number
  /** Adds what is found in the characters of one string, quotes not counted. */
  onString(start: number, end: number, hits: Hit[]): void
}

const MAX_FRAMES = 512

/** Members that hold a schema, here and in what models are given. */
const SCHEMA_HOLDERS: ReadonlySet<string> = new Set([
  'inputSchema',
  'outputSchema',
  'requestedSchema',
  'input_schema',
  'schema',
  'parameters',
])
const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])
const SUBSCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'anyOf',
  'oneOf',
  'allOf',
])
/** What may be read in the schema of a secret. Not `default`, `const`, `enum`, `examples`: those may be one. */
const READABLE: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'required',
  '$ref',
  '$comment',
  'contentEncoding',
  'contentMediaType',
])

/** Adds hits for the whole text; `false` when it is no JSON text or nests too deep, the hits so far then stay. */
export function walkJson(text: string, search: JsonSearch, hits: Hit[]): boolean {
  return new Walk(text, search, hits).run()
}

class Walk {
  readonly #text: string
  readonly #search: JsonSearch
  readonly #hits: Hit[]
  readonly #stack: Frame[] = []
  /** The element before was a flag like `--token`, so this one is its value. */
  #flagged = false
  #sound = true

  constructor(text: string, search: JsonSearch, hits: Hit[]) {
    this.#text = text
    this.#search = search
    this.#hits = hits
  }

  run(): boolean {
    let at = 0
    while (at < this.#text.length && this.#sound) at = this.#token(at)
    return this.#sound && this.#stack.length === 0
  }

  /** Reads one token and tells where the next begins. */
  #token(at: number): number {
    const code = this.#text.charCodeAt(at)
    switch (code) {
      case 34:
        return this.#string(at)
      case 123:
      case 91:
        this.#open(code === 91)
        return at + 1
      case 125:
      case 93:
        this.#close(code === 93)
        return at + 1
      case 44: {
        const frame = this.#stack.at(-1)
        if (frame === undefined) this.#sound = false
        else if (!frame.array) frame.expectKey = true
        return at + 1
      }
      case 58:
      case 32:
      case 9:
      case 10:
      case 13:
        return at + 1
      default:
        return this.#scalar(at)
    }
  }

  #open(array: boolean): void {
    const frame = this.#stack.at(-1)
    if (
      (frame !== undefined && !frame.array && frame.expectKey) ||
      this.#stack.length >= MAX_FRAMES
    ) {
      this.#sound = false
      return
    }
    const mode =
      frame === undefined
        ? 'open'
        : frame.array
          ? frame.mode
          : containerMode(frame, array, this.#search.keys)
    this.#stack.push({
      array,
      mode,
      next: 'open',
      key: '',
      expectKey: !array,
      named: false,
      value: undefined,
    })
    this.#flagged = false
  }

  #close(array: boolean): void {
    const frame = this.#stack.pop()
    if (frame?.array !== array) this.#sound = false
    else if (frame.named && frame.value !== undefined) this.#hits.push(frame.value)
    this.#flagged = false
  }

  #string(open: number): number {
    const close = closingQuote(this.#text, open)
    if (close < 0) {
      this.#sound = false
      return this.#text.length
    }
    const frame = this.#stack.at(-1)
    if (frame !== undefined && !frame.array && frame.expectKey) this.#key(frame, open, close)
    else this.#value(frame, open, close)
    return close + 1
  }

  #key(frame: Frame, open: number, close: number): void {
    frame.expectKey = false
    frame.key = unescapeJson(this.#text.slice(open + 1, close))
    frame.next = leafMode(frame, this.#search.keys)
    this.#search.onString(open + 1, close, this.#hits)
  }

  #value(frame: Frame | undefined, open: number, close: number): void {
    const start = open + 1
    const mode = frame === undefined ? 'open' : frame.array ? frame.mode : frame.next
    const flagged = this.#flagged
    this.#flagged = false
    if (mode === 'secret' || mode === 'secret-schema' || flagged) {
      const hit = this.#whole(start, close)
      if (hit !== undefined) this.#hits.push(hit)
      return
    }
    this.#search.onString(start, close, this.#hits)
    if (frame === undefined || close - start > 128) {
      if (frame?.key === 'value') frame.value = this.#whole(start, close)
      return
    }
    if (frame.array)
      this.#flagged = this.#text.charCodeAt(start) === 45 && this.#isFlag(start, close)
    else if (frame.key === 'value') frame.value = this.#whole(start, close)
    else if (frame.key === 'name' || frame.key === 'key' || frame.key === 'header') {
      frame.named = this.#search.keys.isSecret(unescapeJson(this.#text.slice(start, close)))
    }
  }

  #isFlag(start: number, close: number): boolean {
    const flag = this.#text.slice(start, close)
    return !flag.includes('=') && this.#search.keys.isSecret(flag.replace(/^-{1,2}/, ''))
  }

  #whole(start: number, end: number): Hit | undefined {
    if (start === end || this.#text.startsWith(MARK_START, start)) return undefined
    return { start, end, text: redactionMark('key') }
  }

  /** A number or a word. Numbers can be secrets; `true`, `false` and `null` are none. */
  #scalar(at: number): number {
    let end = at + 1
    while (end < this.#text.length && !isPunctuation(this.#text.charCodeAt(end))) end += 1
    const frame = this.#stack.at(-1)
    const first = this.#text.charCodeAt(at)
    const isNumber = first === 45 || (first >= 48 && first <= 57)
    if (
      (!isNumber && !/^(?:true|false|null)$/.test(this.#text.slice(at, Math.min(end, at + 8)))) ||
      (frame !== undefined && !frame.array && frame.expectKey)
    ) {
      this.#sound = false
    }
    const mode = frame === undefined ? 'open' : frame.array ? frame.mode : frame.next
    if (isNumber && (mode === 'secret' || mode === 'secret-schema')) {
      const quote = quoteAt(this.#search.level)
      this.#hits.push({ start: at, end, text: `${quote}${redactionMark('key')}${quote}` })
    }
    this.#flagged = false
    return end
  }
}

/** Mode of a string or number behind a name. */
function leafMode(frame: Frame, keys: KeyRules): Mode {
  switch (frame.mode) {
    case 'secret':
      return 'secret'
    case 'secret-schema':
      return READABLE.has(frame.key) ? 'open' : 'secret'
    case 'secret-properties':
      return 'secret'
    default:
      return keys.isSecret(frame.key) ? 'secret' : 'open'
  }
}

/** Mode of an object or array behind a name. */
function containerMode(frame: Frame, array: boolean, keys: KeyRules): Mode {
  const { mode, key } = frame
  switch (mode) {
    case 'secret':
      return 'secret'
    case 'secret-properties':
      return array ? 'secret' : 'secret-schema'
    case 'secret-schema':
      if (SCHEMA_MAPS.has(key)) return array ? 'secret' : 'secret-properties'
      if (SUBSCHEMAS.has(key)) return 'secret-schema'
      return READABLE.has(key) ? 'open' : 'secret'
    case 'properties':
      if (array) return keys.isSecret(key) ? 'secret' : 'open'
      return keys.isSecret(key) ? 'secret-schema' : 'schema'
    case 'schema':
      if (SCHEMA_MAPS.has(key) && !array) return 'properties'
      if (SUBSCHEMAS.has(key)) return 'schema'
      return keys.isSecret(key) ? 'secret' : 'open'
    case 'open':
      if (keys.isSecret(key)) return 'secret'
      return SCHEMA_HOLDERS.has(key) && !array ? 'schema' : 'open'
    default:
      return mode satisfies never
  }
}

/** Index of the quote that closes the string opened at `open`, or -1. */
function closingQuote(text: string, open: number): number {
  for (let from = open + 1; ;) {
    const close = text.indexOf('"', from)
    if (close < 0) return -1
    let slashes = 0
    while (text.charCodeAt(close - 1 - slashes) === 92) slashes += 1
    if (slashes % 2 === 0) return close
    from = close + 1
  }
}

/** The characters that the inside of a JSON string stands for; the raw ones when it is no valid string. */
export function unescapeJson(raw: string): string {
  if (!raw.includes('\\')) return raw
  try {
    const value: unknown = JSON.parse(`"${raw}"`)
    return typeof value === 'string' ? value : raw
  } catch {
    return raw
  }
}

/** A quote as it must be written inside of `level` JSON strings. */
function quoteAt(level: number): string {
  return `${'\\'.repeat(2 ** level - 1)}"`
}

function isPunctuation(code: number): boolean {
  return (
    code === 44 ||
    code === 58 ||
    code === 34 ||
    code === 123 ||
    code === 125 ||
    code === 91 ||
    code === 93 ||
    code === 32 ||
    code === 9 ||
    code === 10 ||
    code === 13
  )
}
