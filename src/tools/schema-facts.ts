/** Conditions of a schema that types cannot say, as one line for a doc comment. */

import type { JsonObject, JsonValue } from '../base/json.ts'

/** Longest value that is told. */
const MAX_VALUE = 100

const FACTS: readonly (readonly [keyword: string, words: string])[] = [
  ['default', 'default'],
  ['format', 'format'],
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'a multiple of'],
  ['minLength', 'least length'],
  ['maxLength', 'greatest length'],
  ['pattern', 'matches'],
  ['minItems', 'least number of items'],
  ['maxItems', 'greatest number of items'],
]

/** As `[default 10; at least 1]`; undefined where there is nothing to tell. May hold text of the schema, as it is. */
export function factsOf(schema: JsonObject): string | undefined {
  const told = FACTS.flatMap(([keyword, words]) => {
    const text = textOf(schema[keyword])
    return text === undefined ? [] : [`${words} ${text}`]
  })
  if (schema['type'] === 'integer') told.unshift('a whole number')
  if (schema['deprecated'] === true) told.push('deprecated')
  return told.length === 0 ? undefined : `[${told.join('; ')}]`
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined
  if (typeof value === 'string' && value.length > MAX_VALUE) return undefined
  return JSON.stringify(value)
}
