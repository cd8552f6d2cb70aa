/** The keywords without schemas that a dialect keeps of a part, and what becomes of the others. */

import type { JsonValue } from '../../base/json.ts'
import type { Lowering } from './lowering.ts'
import { ANNOTATIONS, ASSERTIONS, type Part } from './part.ts'
import type { PlainType } from './rules.ts'
import { addToDescription, factOf } from './told.ts'

const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/** The words that are about one type. For values of other types they say nothing. */
export const RELEVANT: Readonly<Record<PlainType, ReadonlySet<string>>> = {
  object: new Set([
    'properties',
    'additionalProperties',
    'required',
    'minProperties',
    'maxProperties',
    'dependentRequired',
  ]),
  array: new Set(['items', 'minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains']),
  string: new Set(['format', 'pattern', 'minLength', 'maxLength']),
  number: new Set(NUMBERS),
  integer: new Set(NUMBERS),
  boolean: new Set(),
  null: new Set(),
}

/** The part with the words that may stand there for these types. The rest is told in its description, or told of. */
export function keepWords(part: Part, types: readonly PlainType[], by: Lowering): Part {
  const own = new Map<string, JsonValue>()
  const facts: string[] = []
  for (const [keyword, value] of part.own) {
    if (isKept(keyword, value, { part, types, by })) {
      own.set(keyword, value)
      continue
    }
    if (!matters(keyword, types)) continue
    const fact = keyword === 'nullable' ? undefined : factOf(keyword, value)
    if (fact !== undefined) facts.push(fact)
    tell(keyword, { part, isTold: fact !== undefined, by })
  }
  return addToDescription({ ...part, own }, facts)
}

function tell(
  keyword: string,
  { part, isTold, by }: { readonly part: Part; readonly isTold: boolean; readonly by: Lowering },
): void {
  const pointer = part.at
  const where = isTold ? 'It is told in the description' : 'It is not told'
  if (ANNOTATIONS.has(keyword)) {
    const message = `There is no place for "${keyword}". ${where}.`
    by.losses.note({ pointer, keyword, kind: isTold ? 'changed' : 'dropped', message })
  } else {
    const message = `"${keyword}" cannot be said there. ${where}, and checked before the call.`
    by.losses.add({ pointer, keyword, kind: 'dropped', message })
  }
}

/** Whether anything is lost with a word. */
function matters(keyword: string, types: readonly PlainType[]): boolean {
  if (keyword === 'type' || keyword === 'nullable') return false
  if (ANNOTATIONS.has(keyword)) return keyword === 'default' || keyword === 'examples'
  // Words that belong to nobody's standard decide nothing.
  if (!ASSERTIONS.has(keyword)) return false
  if (keyword === 'enum' || keyword === 'const') return true
  return types.some((type) => RELEVANT[type].has(keyword))
}

interface Asked {
  readonly part: Part
  readonly types: readonly PlainType[]
  readonly by: Lowering
}

function isKept(keyword: string, value: JsonValue, { types, by }: Asked): boolean {
  const { subset } = by
  const { keywords, maxRepeats } = subset
  if (!keywords.any.has(keyword) && !types.some((type) => keywords[type].has(keyword))) return false
  if (keyword === 'nullable') return value === true
  if (keyword === 'enum') return isEnum(value, by)
  if (keyword === 'format') return typeof value === 'string' && (subset.formats?.has(value) ?? true)
  if (keyword === 'pattern') return typeof value === 'string' && (subset.pattern?.(value) ?? true)
  if (maxRepeats !== undefined && REPEATS.has(keyword)) return Number(value) <= maxRepeats
  return true
}

const REPEATS: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems'])

function isEnum(value: JsonValue, { subset }: Lowering): boolean {
  if (!Array.isArray(value)) return false
  if (subset.textEnums) return value.every((one) => typeof one === 'string' && one !== '')
  return !subset.closed || value.every((one) => typeof one !== 'object' || one === null)
}
