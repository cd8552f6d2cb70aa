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
  const walk: Walk = { rules, nodes: 0, length: 0, depth: -1 }
  if (!isOrdinary(walk, schema)) return undefined
  const units = walk.length + walk.nodes * 8
  // A unit takes 3 bytes at most, or 6 where it is escaped; exact counting is left to the slow way.
  if (units * 6 > MAX_BYTES && isLarge(schema)) return undefined
  if ($schema === undefined) return { parameters: schema, units }
  const { $schema: _told, ...parameters } = schema
  return { parameters, units }
}

function isLarge(schema: JsonObject): boolean {
  return JSON.stringify(schema).length * 3 > MAX_BYTES
}

/**
 * A walk through one schema. It is taken for every tool of a catalogue before the first request, when nothing of it is compiled
 * yet, and what compiles it costs as much as the walk. So it allocates nothing, its loops are plain, and a keyword is looked up
 * and not compared with others in a row.
 */
interface Walk {
  readonly rules: Rules
  nodes: number
  /** Of names and texts, in UTF-16 units. */
  length: number
  depth: number
}

/** Whether a keyword is used in the ordinary way. */
type Word = (walk: Walk, value: JsonValue | undefined, schema: JsonObject) => boolean

function isOrdinary(walk: Walk, schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema) || !enter(walk)) return false
  for (const keyword in schema) {
    walk.length += keyword.length
    const word = WORDS.get(keyword) ?? unknownWord(keyword)
    if (word === undefined || !word(walk, schema[keyword], schema)) return false
  }
  walk.depth -= 1
  return true
}

function enter(walk: Walk): boolean {
  walk.depth += 1
  walk.nodes += 1
  return walk.depth <= MAX_DEPTH && walk.nodes <= MAX_NODES
}

function unknownWord(keyword: string): Word | undefined {
  return keyword.startsWith('x-') ? isSmall : undefined
}

const TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'null',
])

const isOneType: Word = ({ rules }, value, schema) =>
  TYPES.has(value) || (value === 'array' && (!rules.itemsNeeded || isJsonObject(schema['items'])))

const isShort: Word = (walk, value) => {
  if (typeof value !== 'string' || value.length > MAX_DESCRIPTION) return false
  walk.length += value.length
  return true
}

const isNumber: Word = (_walk, value) => typeof value === 'number'

const isCount: Word = (_walk, value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0

const isFlag: Word = (_walk, value) => typeof value === 'boolean'

const areMembers: Word = (walk, value) => {
  if (!isJsonObject(value)) return false
  const { memberName } = walk.rules
  for (const name in value) {
    walk.length += name.length
    if (memberName !== undefined && !memberName.test(name)) return false
    if (!isOrdinary(walk, value[name])) return false
  }
  return true
}

const areNames: Word = (walk, value, schema) => {
  if (!Array.isArray(value)) return false
  for (let at = 0; at < value.length; at += 1) if (typeof value[at] !== 'string') return false
  return value.length === 0 || areScalars(walk, value, schema)
}

/** So many are compared with each other sooner than they are put into a set. */
const FEW = 8

/** Texts and numbers, at least one, none of them twice. */
const areScalars: Word = (walk, values) => {
  if (!Array.isArray(values) || values.length === 0) return false
  const { length } = values
  walk.nodes += length
  for (let at = 0; at < length; at += 1) {
    const value = values[at] ?? null
    if (typeof value === 'object' && value !== null) return false
    if (typeof value === 'string') walk.length += value.length
    if (length <= FEW && values.indexOf(value, at + 1) >= 0) return false
  }
  return length <= FEW || new Set(values).size === length
}

const areAlternatives: Word = (walk, value) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isOrdinary(walk, one))

function isSmall(walk: Walk, value: JsonValue | undefined): boolean {
  if (typeof value === 'string') walk.length += value.length
  if (typeof value !== 'object' || value === null) return value !== undefined
  if (!enter(walk)) return false
  const isWhole = Array.isArray(value)
    ? value.every((item) => isSmall(walk, item))
    : Object.keys(value).every((name) => {
        walk.length += name.length
        return isSmall(walk, value[name])
      })
  walk.depth -= 1
  return isWhole
}

/** A keyword that some dialects do not take at the root. */
function belowRoot(keyword: string, word: Word): Word {
  return (walk, value, schema) =>
    (walk.depth > 0 || !walk.rules.notAtRoot.includes(keyword)) && word(walk, value, schema)
}

const WORDS: ReadonlyMap<string, Word> = new Map<string, Word>([
  ['type', isOneType],
  ['description', isShort],
  ['title', isShort],
  ['properties', areMembers],
  ['required', areNames],
  ['items', isOrdinary],
  ['additionalProperties', (walk, value) => typeof value === 'boolean' || isOrdinary(walk, value)],
  ['enum', belowRoot('enum', areScalars)],
  ['anyOf', belowRoot('anyOf', areAlternatives)],
  ['const', belowRoot('const', isSmall)],
  ['$schema', ({ depth }) => depth === 0],
  ['default', isSmall],
  ['examples', (walk, value) => Array.isArray(value) && isSmall(walk, value)],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['multipleOf', (_walk, value) => typeof value === 'number' && value > 0],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['minProperties', isCount],
  ['maxProperties', isCount],
  ['uniqueItems', isFlag],
  ['deprecated', isFlag],
  ['readOnly', isFlag],
  ['writeOnly', isFlag],
  ['format', isShort],
  [
    'pattern',
    (walk, value, schema) =>
      typeof value === 'string' && isShort(walk, value, schema) && isPattern(value),
  ],
])
