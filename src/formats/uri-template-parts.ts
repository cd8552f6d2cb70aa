/**
 * The parts of a URI template, RFC 6570: literals and expressions, with the table of operators. Templates come from
 * strangers too: they are bounded, read once from left to right, and never become a pattern.
 */

import { UsageError } from '../base/errors.ts'

/** How an operator writes. RFC 6570, appendix A */
export interface Operator {
  /** What stands before the first value, when there is one. */
  readonly first: string
  /** What stands between values. */
  readonly separator: string
  /** Whether values have their names with them. */
  readonly named: boolean
  /** What a name without a value is followed by. */
  readonly ifEmpty: string
  /** Whether reserved characters, and octets that are encoded already, stay as they are. */
  readonly reserved: boolean
}

export interface Variable {
  readonly name: string
  /** Characters to take from the start of the value; undefined for all. */
  readonly prefix: number | undefined
  /** Marked with `*`: a list, each item on its own. */
  readonly explode: boolean
}

export interface Expression {
  readonly operator: Operator
  readonly variables: readonly Variable[]
}

/** A literal, as it stands in URIs, or an expression. */
export type Part = string | Expression

/** Longest template that is read, in characters. */
const MAX_TEMPLATE = 10_000
/** Most expressions in one. */
const MAX_EXPRESSIONS = 100
/** Most variables in all of its expressions. */
const MAX_VARIABLES = 200

const operator = (
  [first, separator, ifEmpty]: readonly [string, string, string],
  named: boolean,
  reserved: boolean,
): Operator => ({ first, separator, named, ifEmpty, reserved })

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['+', operator(['', ',', ''], false, true)],
  ['#', operator(['#', ',', ''], false, true)],
  ['.', operator(['.', '.', ''], false, false)],
  ['/', operator(['/', '/', ''], false, false)],
  [';', operator([';', ';', ''], true, false)],
  ['?', operator(['?', '&', '='], true, false)],
  ['&', operator(['&', '&', '='], true, false)],
])
const SIMPLE: Operator = operator(['', ',', ''], false, false)

/** Reads a template. Throws `UsageError` with the place of what is wrong. */
export function readParts(template: string): readonly Part[] {
  if (template.length > MAX_TEMPLATE)
    throw wrong(template, MAX_TEMPLATE, `it has more than ${MAX_TEMPLATE} characters`)
  const parts: Part[] = []
  let expressions = 0
  let variables = 0
  let at = 0
  while (at < template.length) {
    const open = indexOrEnd(template, '{', at)
    if (open > at) parts.push(readLiteral(template, at, open))
    if (open === template.length) break
    const close = template.indexOf('}', open)
    if (close < 0) throw wrong(template, open, 'this "{" is never closed')
    const expression = readExpression(template, open + 1, close)
    expressions += 1
    variables += expression.variables.length
    if (expressions > MAX_EXPRESSIONS)
      throw wrong(template, open, `there are more than ${MAX_EXPRESSIONS} expressions`)
    if (variables > MAX_VARIABLES)
      throw wrong(template, open, `there are more than ${MAX_VARIABLES} variables`)
    parts.push(expression)
    at = close + 1
  }
  return parts
}

/** What may stand in a literal: all of a URI, and what gets encoded. RFC 6570 §2.1, with `'` as the errata have it */
const LITERAL = /^[\w\-.~:/?#[\]@!$&'()*+,;=\u{a0}-\u{10ffff}]$/u
const OCTET = /^%[0-9A-Fa-f]{2}$/

function readLiteral(template: string, from: number, to: number): string {
  for (let at = from; at < to;) {
    const octet = template[at] === '%'
    const size = octet ? 3 : (template.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
    const text = template.slice(at, Math.min(to, at + size))
    const half = size === 1 && text >= '\ud800' && text <= '\udfff'
    if (octet ? !OCTET.test(text) : half || !LITERAL.test(text))
      throw wrong(template, at, `${JSON.stringify(text)} cannot stand in a URI, nor in a template`)
    at += size
  }
  return encodeLiteral(template.slice(from, to))
}

/** Characters beyond ASCII become octets, all others stay. */
function encodeLiteral(text: string): string {
  return text.replace(/[^\0-\x7f]+/g, (foreign) => encodeURIComponent(foreign))
}

function readExpression(template: string, from: number, to: number): Expression {
  const mark = template.charAt(from)
  const found = from < to ? OPERATORS.get(mark) : undefined
  if (found === undefined && '=,!@|'.includes(mark) && from < to)
    throw wrong(template, from, `the operator "${mark}" has no meaning yet`)
  const variables: Variable[] = []
  let at = found === undefined ? from : from + 1
  for (;;) {
    const end = Math.min(indexOrEnd(template, ',', at), to)
    variables.push(readVariable(template, at, end))
    if (end === to) return { operator: found ?? SIMPLE, variables }
    at = end + 1
  }
}

const NAME = /^(?:\w|%[0-9A-Fa-f]{2})+(?:\.(?:\w|%[0-9A-Fa-f]{2})+)*$/
const LENGTH = /^[1-9][0-9]{0,3}$/

function readVariable(template: string, from: number, to: number): Variable {
  const text = template.slice(from, to)
  const explode = text.endsWith('*')
  const colon = text.indexOf(':')
  const name = explode ? text.slice(0, -1) : colon < 0 ? text : text.slice(0, colon)
  if (!NAME.test(name))
    throw wrong(template, from, `${JSON.stringify(name.slice(0, 100))} is no name of a variable`)
  if (explode || colon < 0) return { name, prefix: undefined, explode }
  const length = text.slice(colon + 1)
  if (!LENGTH.test(length))
    throw wrong(template, from + colon, 'behind ":" stands a length from 1 to 9999')
  return { name, prefix: Number(length), explode: false }
}

function wrong(template: string, at: number, problem: string): UsageError {
  const shown = JSON.stringify(template.length > 200 ? `${template.slice(0, 200)}…` : template)
  return new UsageError(`The URI template ${shown} is wrong at character ${at + 1}: ${problem}.`)
}

function indexOrEnd(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at
}
