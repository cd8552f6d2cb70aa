/**
 * What the value of each keyword may be, those apart whose values hold schemas.
 *
 * A value that its dialect does not allow is refused, so that the library never meets one: some it would read as
 * "nothing fits", which is an answer and a wrong one.
 */

import { giveUp } from './meter.ts'

/** A checked value of a keyword, and what it adds to the size of its schema. */
export interface Assertion {
  readonly value: unknown
  readonly parts: number
  /** UTF-16 units of the text in it. */
  readonly characters: number
}

const TYPES: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
])

type Reader = (value: unknown) => unknown

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...readers(count, [
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
  ]),
  ...readers(count, ['minContains', 'maxContains']),
  ...readers(number, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']),
  ['multipleOf', divisor],
  ['uniqueItems', flag],
  ['type', types],
  ['required', names],
  ['dependentRequired', nameLists],
  ['enum', alternatives],
  ['const', (value) => value],
])

/** Reads a keyword that holds no schema; `undefined` when it is not one of those. Throws when its value is not allowed. */
export function readAssertion(keyword: string, raw: unknown): Assertion | undefined {
  const reader = READERS.get(keyword)
  if (reader === undefined) return undefined
  const size = { parts: 0, characters: 0 }
  const value = cloneJson(reader(raw), size)
  if (typeof value === 'object' && value !== null) {
    // The library writes enum and const into messages that are not used here: spare it the work.
    Object.defineProperty(value, 'toJSON', { value: () => null, enumerable: false })
  }
  return { value, ...size }
}

function readers(reader: Reader, keywords: readonly string[]): (readonly [string, Reader])[] {
  return keywords.map((keyword) => [keyword, reader])
}

function count(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  return giveUp('it must be a whole number, 0 or more')
}

function number(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  return giveUp('it must be a number')
}

function divisor(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
  return giveUp('it must be a number above 0')
}

function flag(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  return giveUp('it must be true or false')
}

function types(value: unknown): unknown {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  const unknownType = all.find((name) => !TYPES.has(name))
  if (all.length === 0) return giveUp('it must name a type')
  if (unknownType === undefined) return value
  return giveUp(
    'it must be one of array, boolean, integer, null, number, object, string, or a list of those',
  )
}

function names(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((name): name is string => typeof name === 'string'))
    return value
  return giveUp('it must be a list of property names')
}

function nameLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return giveUp('it must be an object of lists of property names')
  }
  for (const list of Object.values(value)) names(list)
  return value
}

function alternatives(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return giveUp('it must be a list of values')
}

/** A copy that shares nothing with the original and inherits nothing. */
function cloneJson(value: unknown, size: { parts: number; characters: number }): unknown {
  size.parts += 1
  if (size.parts > 100_000) giveUp('it has more than 100,000 parts')
  if (typeof value === 'string') size.characters += value.length
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => cloneJson(item, size))
  const copy = Object.create(null) as Record<string, unknown> // a fresh bare object: `__proto__` is a name like any other
  for (const [name, member] of Object.entries(value)) {
    size.characters += name.length
    copy[name] = cloneJson(member, size)
  }
  return copy
}
