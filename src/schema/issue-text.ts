/**
 * The words of an issue: what does not fit, and what would.
 *
 * Each message continues a sentence that begins with the place ("/limit must be integer, not string"). Texts of the value are
 * not repeated, as they may be secret; numbers and the alternatives of the schema are.
 */

import type { IssueFacts } from '../base/errors.ts'
import { PatternMark } from './pattern-mark.ts'
import { NONE } from './leaf-node.ts'
import type { Node } from './meter.ts'

/** A finding of the library with the node that it is about. */
export interface Fault {
  readonly keyword: string
  /** Segments of the pointer into the value. */
  readonly at: readonly string[]
  readonly value: unknown
  readonly node: Node
  /** The node around it. */
  readonly parent: Node
  /** The library's words, for what they alone know. */
  readonly words: string
  /** It is about the name of a property, not about its value. */
  readonly ofName: boolean
}

/** What is told of a fault: a message, and the same in facts where there are some. */
export interface Telling {
  readonly message: string
  readonly facts?: IssueFacts
}

/** What is told of a fault, one thing as a rule and one a name where names are missing. */
export function tellingsOf(fault: Fault): readonly Telling[] {
  if (fault.ofName) {
    const message = `has a name that is not allowed: ${messageOf({ ...fault, ofName: false })}`
    return [{ message, facts: { ...factsOf(fault), ofName: true } }]
  }
  if (fault.node === NONE) return [refusal(fault)]
  if (fault.keyword === 'required')
    return missing(fault, fault.node['required']).map((name) => ({
      message: `lacks the property ${name}`,
      facts: { name },
    }))
  if (fault.keyword === 'dependentRequired') return dependent(fault)
  const facts = factsOf(fault)
  return [{ message: messageOf(fault), ...(facts !== undefined && { facts }) }]
}

/** What a keyword asks for and what is there instead; undefined for keywords that take more words. */
function factsOf({ keyword, value, node }: Fault): IssueFacts | undefined {
  const expected = node[keyword]
  switch (keyword) {
    case 'type':
      return { expected: typesOf(expected).join(', '), found: kindOf(value) }
    case 'enum':
      return { expected: quoted(expected), found: bare(value) }
    case 'const':
      return { expected: json(expected), found: bare(value) }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return { expected: String(expected), found: bare(value) }
    case 'minLength':
    case 'maxLength':
      return { expected: String(expected), found: lengthOf(value) }
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return { expected: String(expected), found: sizeOf(value) }
    case 'format':
      return { expected: patternOf(expected) }
    default:
      return undefined
  }
}

function messageOf({ keyword, value, node, words }: Fault): string {
  const expected = node[keyword]
  switch (keyword) {
    case 'type':
      return `must be ${typesOf(expected).join(' or ')}, not ${kindOf(value)}`
    case 'enum':
      return `must be one of ${quoted(expected)}${given(value)}`
    case 'const':
      return `must be ${json(expected)}${given(value)}`
    case 'minimum':
      return `must be ${String(expected)} or more${given(value)}`
    case 'maximum':
      return `must be ${String(expected)} or less${given(value)}`
    case 'exclusiveMinimum':
      return `must be more than ${String(expected)}${given(value)}`
    case 'exclusiveMaximum':
      return `must be less than ${String(expected)}${given(value)}`
    case 'multipleOf':
      return `must be a multiple of ${String(expected)}${given(value)}`
    case 'minLength':
      return `must have at least ${counted(expected, 'character')}, has ${lengthOf(value)}`
    case 'maxLength':
      return `must have at most ${counted(expected, 'character')}, has ${lengthOf(value)}`
    case 'minItems':
      return `must have at least ${counted(expected, 'item')}, has ${sizeOf(value)}`
    case 'maxItems':
      return `must have at most ${counted(expected, 'item')}, has ${sizeOf(value)}`
    case 'minProperties':
      return `must have at least ${counted(expected, 'property')}, has ${sizeOf(value)}`
    case 'maxProperties':
      return `must have at most ${counted(expected, 'property')}, has ${sizeOf(value)}`
    case 'format':
      return `must match the pattern ${patternOf(expected)}`
    case 'uniqueItems':
      return `must not hold an item twice${places(words)}`
    default:
      return combination(keyword, node, words)
  }
}

function combination(keyword: string, node: Node, words: string): string {
  const count = (list: unknown): string => (Array.isArray(list) ? String(list.length) : 'the')
  switch (keyword) {
    case 'anyOf':
      return `fits none of ${count(node['anyOf'])} alternatives`
    case 'oneOf': {
      const matches = Number(/\((\d+) matches\)/.exec(words)?.[1] ?? 0)
      if (matches === 0) return `fits none of ${count(node['oneOf'])} alternatives`
      return `must fit exactly one of ${count(node['oneOf'])} alternatives, fits ${String(matches)}`
    }
    case 'not':
      return 'must not fit what the schema excludes ("not")'
    case 'contains':
      return 'must hold an item of the kind that "contains" describes'
    case 'minContains':
      return `must hold at least ${counted(node[keyword], 'item')} of the kind that "contains" describes`
    case 'maxContains':
      return `must hold at most ${counted(node[keyword], 'item')} of the kind that "contains" describes`
    default:
      return `does not fit "${keyword}"`
  }
}

/** What is told of a schema that nothing fits. */
function refusal({ keyword, parent, at }: Fault): Telling {
  const name = at.at(-1) ?? ''
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const known = Object.keys((parent['properties'] as object | undefined) ?? {}) // written by the guard
    const names = known.length === 0 ? undefined : quoted(known)
    const message = `is not a property of this object${names === undefined ? '' : `; it may have ${names}`}`
    return { message, facts: { expected: names } }
  }
  if (keyword === 'items' || keyword === 'unevaluatedItems')
    return { message: `is one item too many (index ${json(name)})`, facts: {} }
  return { message: 'is not allowed here', facts: {} }
}

function missing({ value }: Pick<Fault, 'value'>, names: unknown): string[] {
  if (!Array.isArray(names) || typeof value !== 'object' || value === null)
    return ['that the schema asks for']
  return names
    .filter((name) => !Object.hasOwn(value, String(name)))
    .slice(0, 20)
    .map(json)
}

function dependent(fault: Fault): readonly Telling[] {
  const { value, node } = fault
  const needs = Object.entries(
    (node['dependentRequired'] as Record<string, unknown> | undefined) ?? {},
  ) // written by the guard
  return needs
    .filter(([name]) => typeof value === 'object' && value !== null && Object.hasOwn(value, name))
    .flatMap(([name, names]) =>
      missing(fault, names).map((absent) => ({
        message: `has ${json(name)} and so needs the property ${absent}`,
        facts: { name: absent, found: json(name) },
      })),
    )
    .slice(0, 20)
}

/** The value itself where it can hardly be a secret. */
function given(value: unknown): string {
  const shown = bare(value)
  return shown === undefined ? '' : `, not ${shown}`
}

function bare(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' || value === null
    ? String(value)
    : undefined
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

function quoted(values: unknown): string {
  if (!Array.isArray(values)) return 'what the schema lists'
  const texts = values.slice(0, 20).map(json)
  return texts.join(', ') + (values.length > 20 ? ` and ${String(values.length - 20)} more` : '')
}

function typesOf(expected: unknown): readonly string[] {
  return (Array.isArray(expected) ? expected : [expected]).map(String)
}

function patternOf(expected: unknown): string {
  return expected instanceof PatternMark ? json(expected.parsed.source) : ''
}

function json(value: unknown): string {
  // Copies of enum and const carry a toJSON for the library's sake; their parts do not.
  const plain = Array.isArray(value) ? value.slice() : isBare(value) ? { ...value } : value
  const text = JSON.stringify(plain) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function isBare(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function counted(count: unknown, noun: string): string {
  if (count === 1) return `1 ${noun}`
  return `${String(count)} ${noun === 'property' ? 'properties' : `${noun}s`}`
}

function lengthOf(value: unknown): string {
  return typeof value === 'string'
    ? String(Array.from(value.slice(0, 100_000)).length)
    : 'another length'
}

function sizeOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'another size'
  return String(Array.isArray(value) ? value.length : Object.keys(value).length)
}

function places(words: string): string {
  const found = /indexes (\d+) and (\d+)/.exec(words)
  return found === null ? '' : ` (items ${found[1] ?? ''} and ${found[2] ?? ''})`
}
