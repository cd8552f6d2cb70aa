/**
 * Finds where a text stops being JSON and what should stand there, for a person who typed it.
 *
 * Only runs on text that the real parser refused. It builds nothing and does not recurse, so that depth costs no stack.
 */

/** What should have been there. */
export type JsonExpectation =
  | 'value'
  | 'name'
  | 'colon'
  | 'commaOrBrace'
  | 'commaOrBracket'
  | 'nothingMore'

export interface JsonFault {
  readonly kind: 'empty' | 'end' | 'unexpected' | 'control' | 'escape'
  /** Of `unexpected`. */
  readonly expected?: JsonExpectation
  /** From 1, counted in code points. */
  readonly line: number
  readonly column: number
  /** The character or word at fault; untrusted text. */
  readonly found: string
}

interface Flaw {
  readonly at: number
  readonly kind: JsonFault['kind']
  readonly expected?: JsonExpectation
}

const BLANK = /[ \t\r\n]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const LITERAL = /true|false|null/y
const PLAIN = /[^"\\\p{Cc}]*/uy
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** The first fault; `undefined` when the text is JSON after all. */
export function jsonFault(text: string): JsonFault | undefined {
  const flaw = scan(text)
  if (flaw === undefined) return undefined
  const { at, kind, expected } = flaw
  const before = text.slice(0, at).split('\n')
  const word = /^[\p{L}\p{N}_$.+-]{1,40}/u.exec(text.slice(at))?.[0]
  const point = text.codePointAt(at)
  return {
    kind,
    ...(expected === undefined ? {} : { expected }),
    line: before.length,
    column: Array.from(before.at(-1) ?? '').length + 1,
    found: word ?? (point === undefined ? '' : String.fromCodePoint(point)),
  }
}

type State = 'value' | 'first-value' | 'name' | 'first-name' | 'colon' | 'after'

const EXPECTED: Readonly<Record<Exclude<State, 'after'>, JsonExpectation>> = {
  value: 'value',
  'first-value': 'value',
  name: 'name',
  'first-name': 'name',
  colon: 'colon',
}

/** Walks the text by states, with a stack of open brackets. */
function scan(text: string): Flaw | undefined {
  const open: string[] = []
  let state: State = 'value'
  let at = skip(BLANK, text, 0)
  if (at === text.length) return { at, kind: 'empty' }
  for (; ; at = skip(BLANK, text, at)) {
    if (at === text.length) {
      return state === 'after' && open.length === 0 ? undefined : { at, kind: 'end' }
    }
    const char = text.charAt(at)
    const opener = open.at(-1)
    if (isClose(char, state, opener)) {
      open.pop()
      state = 'after'
      at += 1
    } else if (state === 'after') {
      if (char !== ',' || opener === undefined)
        return { at, kind: 'unexpected', expected: afterIn(opener) }
      state = opener === '{' ? 'name' : 'value'
      at += 1
    } else if (state === 'colon') {
      if (char !== ':') return { at, kind: 'unexpected', expected: 'colon' }
      state = 'value'
      at += 1
    } else if (char === '"') {
      const end = readString(text, at)
      if (typeof end === 'object') return end
      at = end
      state = EXPECTED[state] === 'name' ? 'colon' : 'after'
    } else {
      const end = EXPECTED[state] === 'value' ? readPlain(text, at) : at
      if (end === at) return { at, kind: 'unexpected', expected: EXPECTED[state] }
      if (char === '{' || char === '[') open.push(char)
      state = char === '{' ? 'first-name' : char === '[' ? 'first-value' : 'after'
      at = end
    }
  }
}

function isClose(char: string, state: State, opener: string | undefined): boolean {
  if (char === '}') return opener === '{' && (state === 'after' || state === 'first-name')
  return char === ']' && opener === '[' && (state === 'after' || state === 'first-value')
}

function afterIn(opener: string | undefined): JsonExpectation {
  if (opener === undefined) return 'nothingMore'
  return opener === '{' ? 'commaOrBrace' : 'commaOrBracket'
}

/** The place behind a bracket, number or literal that begins here; the same place when nothing does. */
function readPlain(text: string, at: number): number {
  const char = text.charAt(at)
  if (char === '{' || char === '[') return at + 1
  const end = Math.max(skip(NUMBER, text, at), skip(LITERAL, text, at))
  // `12abc` is no number: its fault is where it begins.
  return /[\p{L}\p{N}_$.]/u.test(text.charAt(end)) ? at : end
}

/** The place behind a string that begins here. */
function readString(text: string, start: number): number | Flaw {
  let at = start + 1
  for (;;) {
    at = skip(PLAIN, text, at)
    const char = text.charAt(at)
    if (char === '') return { at, kind: 'end' }
    if (char === '"') return at + 1
    if (char !== '\\') {
      // Only C0 must be escaped; the others pass.
      if (char < ' ') return { at, kind: 'control' }
      at += 1
      continue
    }
    const end = skip(ESCAPE, text, at)
    if (end === at) return { at, kind: 'escape' }
    at = end
  }
}

/** The place behind what a sticky pattern matches here. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
