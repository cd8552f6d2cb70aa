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
  const look = new Look(rules)
  if (!look.isOrdinary(schema)) return undefined
  const { units } = look
  // A unit takes 3 bytes at most, or 6 where it is escaped; exact counting is left to the slow way.
  if (units * 6 > MAX_BYTES && isLarge(schema)) return undefined
  if ($schema === undefined) return { parameters: schema, units }
  const { $schema: _told, ...parameters } = schema
  return { parameters, units }
}

function isLarge(schema: JsonObject): boolean {
  return JSON.stringify(schema).length * 3 > MAX_BYTES
}

/** A walk through one schema. It allocates nothing: it is taken for every tool of a catalogue before the first request. */
class Look {
  readonly #rules: Rules
  #nodes = 0
  #units = 0
  #depth = -1

  constructor(rules: Rules) {
    this.#rules = rules
  }

  /** UTF-16 units as JSON, about. */
  get units(): number {
    return this.#units + this.#nodes * 8
  }

  isOrdinary(schema: JsonValue | undefined): boolean {
    if (!isJsonObject(schema) || !this.#enter()) return false
    for (const keyword in schema) {
      this.#units += keyword.length
      if (!this.#isOrdinaryWord(keyword, schema)) return false
    }
    this.#depth -= 1
    return true
  }

  #enter(): boolean {
    this.#depth += 1
    this.#nodes += 1
    return this.#depth <= MAX_DEPTH && this.#nodes <= MAX_NODES
  }

  #isOrdinaryWord(keyword: string, schema: JsonObject): boolean {
    const value = schema[keyword]
    switch (keyword) {
      case 'type':
        return this.#isOneType(value, schema)
      case 'description':
      case 'title':
        return this.#isShort(value)
      case 'properties':
        return this.#areMembers(value)
      case 'required':
        return this.#areNames(value)
      case 'items':
        return this.isOrdinary(value)
      case 'additionalProperties':
        return typeof value === 'boolean' || this.isOrdinary(value)
      case 'enum':
        return this.#mayStand(keyword) && this.#areScalars(value)
      case 'anyOf':
        return this.#mayStand(keyword) && this.#areAlternatives(value)
      case 'const':
        return this.#mayStand(keyword) && this.#isSmall(value)
      case '$schema':
        return this.#depth === 0
      default:
        return this.#isRareWord(keyword, value)
    }
  }

  #isRareWord(keyword: string, value: JsonValue | undefined): boolean {
    switch (keyword) {
      case 'default':
        return this.#isSmall(value)
      case 'examples':
        return Array.isArray(value) && this.#isSmall(value)
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
        return this.#isShort(value)
      case 'pattern':
        return typeof value === 'string' && this.#isShort(value) && isPattern(value)
      default:
        return keyword.startsWith('x-') && this.#isSmall(value)
    }
  }

  #mayStand(keyword: string): boolean {
    return this.#depth > 0 || !this.#rules.notAtRoot.includes(keyword)
  }

  #isOneType(value: JsonValue | undefined, schema: JsonObject): boolean {
    switch (value) {
      case 'string':
      case 'number':
      case 'integer':
      case 'boolean':
      case 'object':
      case 'null':
        return true
      case 'array':
        return !this.#rules.itemsNeeded || isJsonObject(schema['items'])
      default:
        return false
    }
  }

  #isShort(value: JsonValue | undefined): boolean {
    if (typeof value !== 'string' || value.length > MAX_DESCRIPTION) return false
    this.#units += value.length
    return true
  }

  #areMembers(value: JsonValue | undefined): boolean {
    if (!isJsonObject(value)) return false
    const { memberName } = this.#rules
    for (const name in value) {
      this.#units += name.length
      if (memberName !== undefined && !memberName.test(name)) return false
      if (!this.isOrdinary(value[name])) return false
    }
    return true
  }

  #areNames(value: JsonValue | undefined): boolean {
    return (
      Array.isArray(value) &&
      value.every((name) => typeof name === 'string') &&
      this.#areScalars(value, 0)
    )
  }

  /** Texts and numbers, none of them twice. */
  #areScalars(values: JsonValue | undefined, least = 1): boolean {
    if (!Array.isArray(values) || values.length < least) return false
    this.#nodes += values.length
    for (const value of values) {
      if (typeof value === 'object' && value !== null) return false
      if (typeof value === 'string') this.#units += value.length
    }
    if (values.length > 8) return new Set(values).size === values.length
    return values.every((value, at) => !values.includes(value, at + 1))
  }

  #areAlternatives(value: JsonValue | undefined): boolean {
    return Array.isArray(value) && value.length > 0 && value.every((one) => this.isOrdinary(one))
  }

  #isSmall(value: JsonValue | undefined): boolean {
    if (typeof value === 'string') this.#units += value.length
    if (typeof value !== 'object' || value === null) return value !== undefined
    if (!this.#enter()) return false
    const isWhole = Array.isArray(value)
      ? value.every((item) => this.#isSmall(item))
      : Object.keys(value).every((name) => {
          this.#units += name.length
          return this.#isSmall(value[name])
        })
    this.#depth -= 1
    return isWhole
  }
}
