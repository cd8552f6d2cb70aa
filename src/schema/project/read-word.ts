/** One keyword without schemas, read: whether its value is allowed, and a bounded copy of it in the words of 2020-12. */

import type { JsonValue } from '../../base/json.ts'
import type { SchemaDialect } from '../dialect.ts'
import type { RawObject } from '../document.ts'
import { readAssertion } from '../keyword.ts'
import { isPattern, MAX_DEPTH } from './limits.ts'

export type ReadWord =
  | { readonly kind: 'value'; readonly value: JsonValue; readonly keyword?: string }
  /** It says nothing. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'bad' }

export interface WordPlace {
  readonly raw: RawObject
  readonly dialect: SchemaDialect
  /** Counts values; throws when there are too many. */
  readonly count: (nodes: number) => void
}

const ABSENT: ReadWord = { kind: 'absent' }
const BAD: ReadWord = { kind: 'bad' }

export function readWord(keyword: string, value: unknown, place: WordPlace): ReadWord {
  // Written out by serialisers for "not set".
  if (value === null && keyword !== 'const' && keyword !== 'default') return ABSENT
  switch (keyword) {
    case 'title':
    case 'description':
    case 'format':
      return typeof value === 'string' ? { kind: 'value', value } : BAD
    case 'pattern':
      return typeof value === 'string' && isPattern(value) ? { kind: 'value', value } : BAD
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      if (typeof value === 'boolean' && place.dialect === 'draft-04')
        return asBound(keyword, value, place)
      break
    case 'minimum':
    case 'maximum':
      if (place.dialect === 'draft-04' && place.raw[EXCLUSIVE[keyword]] === true) return ABSENT
      break
    case 'examples':
      if (!Array.isArray(value)) return BAD
      break
    case 'uniqueItems':
      // What it says then is nothing.
      if (value === false) return ABSENT
      break
  }
  if (!isAllowed(keyword, value)) return BAD
  const copy = copyJson(value, place, 0)
  if (copy === undefined) return BAD
  return { kind: 'value', value: asList(keyword, copy) }
}

const EXCLUSIVE = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const

/** The oldest draft has a flag that makes another bound exclusive. */
function asBound(
  keyword: 'exclusiveMinimum' | 'exclusiveMaximum',
  isExclusive: boolean,
  { raw }: WordPlace,
): ReadWord {
  const bound = raw[keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum']
  if (!isExclusive) return ABSENT
  return typeof bound === 'number' && Number.isFinite(bound) ? { kind: 'value', value: bound } : BAD
}

function isAllowed(keyword: string, value: unknown): boolean {
  try {
    readAssertion(keyword, value)
    return !(keyword === 'enum' && Array.isArray(value) && value.length === 0)
  } catch {
    // It throws for values that the keyword cannot have, which is the answer.
    return false
  }
}

/** Lists of names, types and values have each of them once; a list of one type is that type. */
function asList(keyword: string, value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return value
  if (keyword === 'type') {
    const types = [...new Set(value)]
    return types.length === 1 ? (types[0] ?? 'null') : types
  }
  if (keyword === 'required') return [...new Set(value)]
  if (keyword !== 'enum') return value
  return [...new Map(value.map((one) => [JSON.stringify(one), one])).values()]
}

/** A copy that shares nothing; undefined for what is no JSON or nested too deep. */
function copyJson(
  value: unknown,
  place: Pick<WordPlace, 'count'>,
  depth: number,
): JsonValue | undefined {
  place.count(1)
  if (depth > MAX_DEPTH) return undefined
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object') return undefined
  if (Array.isArray(value)) {
    const items = value.map((item) => copyJson(item, place, depth + 1))
    return items.includes(undefined) ? undefined : (items as JsonValue[]) // the line says so
  }
  const members: [string, JsonValue][] = []
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    const copy = copyJson(member, place, depth + 1)
    if (copy === undefined) return undefined
    members.push([name, copy])
  }
  return Object.fromEntries(members)
}
