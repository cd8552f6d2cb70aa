/** Conditions that a dialect has no keyword for, told in a description instead: the model can still heed them. */

import type { JsonValue } from '../../base/json.ts'
import { cutText, MAX_DESCRIPTION } from './limits.ts'
import { withOwn, type Part } from './part.ts'

/** Most characters that are added to one description. */
const MAX_TOLD = 400

/** The part with facts at the end of its description, in brackets. */
export function addToDescription(part: Part, facts: readonly string[]): Part {
  if (facts.length === 0) return part
  const told = cutText(facts.join('; '), MAX_TOLD)
  const before = part.own.get('description')
  const text = typeof before === 'string' ? before : ''
  const room = Math.max(0, MAX_DESCRIPTION - told.length - 3)
  const description = text === '' ? `(${told})` : `${cutText(text, room)} (${told})`
  return withOwn(part, { description })
}

/** A condition in words, as `at least 3 characters`; undefined for what would take too many. */
export function factOf(keyword: string, value: JsonValue): string | undefined {
  const words = WORDS.get(keyword)
  if (words === undefined) return undefined
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length > 200) return undefined
  return value === true ? words : `${words} ${text}`
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['minLength', 'least length'],
  ['maxLength', 'greatest length'],
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['exclusiveMinimum', 'more than'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'a multiple of'],
  ['minItems', 'least number of items'],
  ['maxItems', 'greatest number of items'],
  ['uniqueItems', 'no item twice'],
  ['minProperties', 'least number of members'],
  ['maxProperties', 'greatest number of members'],
  ['pattern', 'has to match'],
  ['format', 'format'],
  ['default', 'default'],
  ['enum', 'one of'],
  ['examples', 'examples'],
  ['dependentRequired', 'members that need others:'],
])
