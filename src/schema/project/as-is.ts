/**
 * A quick look at a schema that answers "can go as it is" or nothing.
 *
 * Most tools have an object of typed members, and every dialect that reads all of JSON Schema takes that as the server wrote
 * it. Then nothing is copied, so that a catalogue of thousands costs little. Whatever is out of the ordinary is left to the
 * slow way, which also finds the words for it.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import { isPattern, MAX_BYTES, MAX_DEPTH, MAX_DESCRIPTION, MAX_NODES } from './limits.ts'
import type { Rules } from './rules.ts'

const SAME_WORDS: ReadonlySet<unknown> = new Set([
  undefined,
  'http://json-schema.org/draft-07/schema#',
  'http://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft/2020-12/schema',
  'https://json-schema.org/draft/2020-12/schema#',
])

/** The parameters and their length, about, when the dialect takes the schema as it is, its `$schema` left out; else undefined. */
export function asIs(
  schema: unknown,
  rules: Rules,
): { readonly parameters: JsonObject; readonly units: number } | undefined {
  if (rules.subset !== undefined || !isJsonObject(schema)) return undefined
  const { $schema, type, properties } = schema
  if (type !== 'object' || !SAME_WORDS.has($schema) || !isJsonObject(properties)) return undefined
  for (const keyword of rules.notAtRoot) if (Object.hasOwn(schema, keyword)) return undefined
  const look = { rules, nodes: 0, units: 0 }
  if (!isOrdinary(schema, look, 0) || look.nodes > MAX_NODES) return undefined
  // A unit takes 3 bytes at most, or 6 where it is escaped; exact counting is left to the slow way.
  if (look.units * 6 + look.nodes * 8 > MAX_BYTES && isLarge(schema)) return undefined
  const units = look.units + look.nodes * 8
  if ($schema === undefined) return { parameters: schema, units }
  const { $schema: _told, ...parameters } = schema
  return { parameters, units }
}

interface Look {
  readonly rules: Rules
  nodes: number
  /** UTF-16 units of names and texts. */
  units: number
}

function isLarge(schema: JsonObject): boolean {
  return JSON.stringify(schema).length * 3 > MAX_BYTES
}

function isOrdinary(schema: JsonObject, look: Look, depth: number): boolean {
  look.nodes += 1
  if (depth > MAX_DEPTH || look.nodes > MAX_NODES) return false
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    look.units += keyword.length
    if (!isOrdinaryWord(keyword, value, { schema, look, depth })) return false
  }
  return true
}

interface Around {
  readonly schema: JsonObject
  readonly look: Look
  readonly depth: number
}

function isOrdinaryWord(keyword: string, value: JsonValue | undefined, around: Around): boolean {
  switch (keyword) {
    case 'type':
      return isOneType(value, around)
    case 'description':
    case 'title':
      return isShort(value, around.look)
    case 'properties':
      return areMembers(value, around)
    case 'required':
      return areNames(value, around.look)
    case 'items':
      return isJsonObject(value) && isOrdinary(value, around.look, around.depth + 1)
    case 'additionalProperties':
      if (typeof value === 'boolean') return true
      return isJsonObject(value) && isOrdinary(value, around.look, around.depth + 1)
    case 'enum':
      return Array.isArray(value) && value.length > 0 && areScalars(value, around.look)
    case '$schema':
      return around.depth === 0
    case 'anyOf':
      return around.depth > 0 && areAlternatives(value, around)
    default:
      return isRareWord(keyword, value, around.look)
  }
}

function isRareWord(keyword: string, value: JsonValue | undefined, look: Look): boolean {
  switch (keyword) {
    case 'default':
    case 'const':
      return isSmall(value, look, 0)
    case 'examples':
      return Array.isArray(value) && isSmall(value, look, 0)
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return typeof value === 'number'
    case 'multipleOf':
      return typeof value === 'number' && value > 0
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0
    case 'uniqueItems':
    case 'deprecated':
    case 'readOnly':
    case 'writeOnly':
      return typeof value === 'boolean'
    case 'format':
      return isShort(value, look)
    case 'pattern':
      return typeof value === 'string' && isShort(value, look) && isPattern(value)
    default:
      return keyword.startsWith('x-') && isSmall(value, look, 0)
  }
}

function isOneType(value: JsonValue | undefined, { schema, look }: Around): boolean {
  switch (value) {
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'object':
    case 'null':
      return true
    case 'array':
      return !look.rules.itemsNeeded || isJsonObject(schema['items'])
    default:
      return false
  }
}

function isShort(value: JsonValue | undefined, look: Look): boolean {
  if (typeof value !== 'string' || value.length > MAX_DESCRIPTION) return false
  look.units += value.length
  return true
}

function areMembers(value: JsonValue | undefined, { look, depth }: Around): boolean {
  if (!isJsonObject(value)) return false
  const { memberName } = look.rules
  for (const name of Object.keys(value)) {
    const member = value[name]
    look.units += name.length
    if (memberName !== undefined && !memberName.test(name)) return false
    if (!isJsonObject(member) || !isOrdinary(member, look, depth + 1)) return false
  }
  return true
}

function areNames(value: JsonValue | undefined, look: Look): boolean {
  if (!Array.isArray(value)) return false
  for (const name of value) {
    if (typeof name !== 'string') return false
    look.units += name.length
  }
  look.nodes += value.length
  return value.length < 2 || new Set(value).size === value.length
}

function areScalars(values: readonly JsonValue[], look: Look): boolean {
  for (const value of values) {
    if (typeof value === 'object' && value !== null) return false
    if (typeof value === 'string') look.units += value.length
  }
  look.nodes += values.length
  return new Set(values).size === values.length
}

function areAlternatives(value: JsonValue | undefined, { look, depth }: Around): boolean {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every((one) => isJsonObject(one) && isOrdinary(one, look, depth + 1))
}

function isSmall(value: JsonValue | undefined, look: Look, depth: number): boolean {
  look.nodes += 1
  if (value === undefined || depth > MAX_DEPTH || look.nodes > MAX_NODES) return false
  if (typeof value === 'string') look.units += value.length
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every((item) => isSmall(item, look, depth + 1))
  return Object.keys(value).every((name) => {
    look.units += name.length
    return isSmall(value[name], look, depth + 1)
  })
}
