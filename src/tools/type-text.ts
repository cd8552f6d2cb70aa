/**
 * Pieces of TypeScript written from text of strangers: literals, names of members, doc comments. Nothing of the text can end the
 * literal or the comment that it stands in, steer a compiler, or hide from a reader.
 */

import type { JsonObject, JsonValue } from '../base/json.ts'
import { replaceHidden, terminalText } from '../base/terminal-text.ts'

/** UTF-16 units and lines of one doc comment. */
const MAX_DOC = 2_000
const MAX_DOC_LINES = 40
/** UTF-16 units of a literal. */
const MAX_LITERAL = 1_000
const MAX_VALUE_DEPTH = 4
const MAX_VALUE_MEMBERS = 50

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/
const HALF_PAIR = /\p{Cs}/u

/** Whether compilers agree on what the text is as a name: half a surrogate pair is not the same to all of them. */
export function isWritable(text: string): boolean {
  return !HALF_PAIR.test(text)
}

/** The text as a literal in double quotes; what cannot be seen is escaped. */
function quoted(text: string): string {
  return replaceHidden(JSON.stringify(text), (code) => {
    const shown = String.fromCodePoint(code)
    return [...Array(shown.length).keys()]
      .map((at) => `\\u${shown.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('')
  })
}

export function memberName(name: string): string {
  return PLAIN_NAME.test(name) ? name : quoted(name)
}

/** The type of a value that may be this one only, or of what it is like where it is too large to be written. */
export function literalType(value: JsonValue, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return value.length <= MAX_LITERAL && isWritable(value) ? quoted(value) : 'string'
    case 'number':
      // What is too large for a number was read as infinite; zero has one literal.
      return Number.isFinite(value) ? String(value + 0) : 'number'
    case 'boolean':
      return String(value)
    default:
      return value === null ? 'null' : compoundType(value, depth)
  }
}

function compoundType(value: JsonValue[] | JsonObject, depth: number): string {
  const count = Object.keys(value).length
  const isLarge = depth >= MAX_VALUE_DEPTH || count > MAX_VALUE_MEMBERS
  if (Array.isArray(value))
    return isLarge
      ? 'unknown[]'
      : `[${value.map((item) => literalType(item, depth + 1)).join(', ')}]`
  if (isLarge) return '{ [name: string]: unknown }'
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined || !isWritable(name)
      ? []
      : [`${memberName(name)}: ${literalType(member, depth + 1)}`],
  )
  return members.length === 0 ? '{ [name: string]: never }' : `{ ${members.join('; ')} }`
}

/** Lines of a doc comment, or none for texts that say nothing. */
export function docComment(texts: readonly (string | undefined)[]): readonly string[] {
  const lines = texts.flatMap((text) => docLines(text ?? ''))
  while (lines.at(-1) === '') lines.pop()
  const [first] = lines
  if (first === undefined) return []
  return lines.length === 1
    ? [`/** ${first} */`]
    : ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */']
}

function docLines(text: string): string[] {
  const whole = text.trim()
  const cut = whole.length > MAX_DOC ? `${whole.slice(0, MAX_DOC)}…` : whole
  if (cut === '') return []
  const lines = cut.split(/\r\n|[\n\r\u2028\u2029]/).map(docLine)
  return lines.length > MAX_DOC_LINES ? [...lines.slice(0, MAX_DOC_LINES), '…'] : lines
}

/** One line inside a comment. Words with `@` in front are orders to compilers and editors: as text they are escaped. */
export function docLine(line: string): string {
  return terminalText(line.replaceAll('\t', '  ').trimEnd())
    .replaceAll('*/', '*\\/')
    .replaceAll(/(?<![\p{L}\p{N}])@/gu, '\\@')
}
