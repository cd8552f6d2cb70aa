/**
 * A stranger's schema for a checker that is not ours. What such a checker could be made to hang with is left out, and what is left
 * never refuses more than the whole: the same arguments are checked against that, within limits, before anything is called.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'

/**
 * Regular expressions that run without a limit, references that grow or go in circles, items that are compared pair by pair, and
 * conditions that say something else once a part of them is gone.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(
  [
    'pattern patternProperties format uniqueItems',
    '$schema $id id $anchor $dynamicAnchor $recursiveAnchor $vocabulary',
    '$ref $dynamicRef $recursiveRef $defs definitions',
    'not if then else contains minContains maxContains',
    'dependencies dependentSchemas unevaluatedItems unevaluatedProperties',
  ].flatMap((line) => line.split(' ')),
)

/** Told to a model in words, where they are left out. */
const IN_WORDS = ['pattern', 'format'] as const

/** A copy that any checker can be given; a schema that is none becomes one that lets all objects through. */
export function checkableElsewhere(schema: JsonObject): JsonObject {
  const weaker = weakened(schema)
  return isJsonObject(weaker) ? weaker : { type: 'object' }
}

function weakened(schema: JsonValue | undefined): JsonValue {
  if (typeof schema === 'boolean') return schema
  if (!isJsonObject(schema)) return true
  const out: JsonObject = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (LEFT_OUT.has(keyword) || value === undefined) continue
    // Of members that only a pattern would have let through, this says nothing any more.
    if (keyword === 'additionalProperties' && Object.hasOwn(schema, 'patternProperties')) continue
    // Two weaker branches may both fit where one did.
    define(out, keyword === 'oneOf' ? freeName(schema) : keyword, part(keyword, value))
  }
  const description = inWords(schema)
  if (description !== '') out['description'] = description
  return out
}

/** `anyOf`, or nothing where there is one already: then that one is enough. */
function freeName(schema: JsonObject): string | undefined {
  return Object.hasOwn(schema, 'anyOf') ? undefined : 'anyOf'
}

function part(keyword: string, value: JsonValue): JsonValue {
  switch (keyword) {
    case 'properties':
      return isJsonObject(value) ? mapped(value) : {}
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
    case 'prefixItems':
      return Array.isArray(value) ? value.map(weakened) : [true]
    case 'items':
      return Array.isArray(value) ? value.map(weakened) : weakened(value)
    case 'additionalItems':
    case 'additionalProperties':
    case 'propertyNames':
      return weakened(value)
    default:
      return value
  }
}

function mapped(schemas: JsonObject): JsonObject {
  const out: JsonObject = {}
  for (const [name, schema] of Object.entries(schemas)) define(out, name, weakened(schema))
  return out
}

/** Names are a stranger's: none of them is a setter here. */
function define(target: JsonObject, name: string | undefined, value: JsonValue): void {
  if (name !== undefined)
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
}

function inWords(schema: JsonObject): string {
  const { description } = schema
  const hints = IN_WORDS.flatMap((keyword) => {
    const value = schema[keyword]
    return typeof value === 'string' ? [`(${keyword}: ${value})`] : []
  })
  return [typeof description === 'string' ? description : '', ...hints].filter(Boolean).join(' ')
}
