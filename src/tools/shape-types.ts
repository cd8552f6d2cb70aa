/** Types of objects and lists as text: their members and positions, and what may come beside those. */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { factsOf } from './schema-facts.ts'
import { partsOf } from './schema-words.ts'
import { enclosed, NEVER, simple, union, UNKNOWN, type TypeText } from './type-join.ts'
import { docComment, isWritable, memberName } from './type-text.ts'

/** What writes the types of parts. */
export interface PartWriter {
  /** The type of a part, and whether nothing more of this document is written. */
  write(schema: JsonValue | undefined, level: number): TypeText
  readonly isFull: boolean
}

/** Positions of a tuple. */
const MAX_POSITIONS = 50
/** Types of members that an index signature repeats, and how long each may be. */
const MAX_INDEXED = 10
const MAX_INDEXED_UNITS = 200

interface Member {
  readonly name: string
  readonly schema: JsonValue | undefined
  readonly needed: boolean
}

/** The members that are named, and a signature for others: only where the schema speaks of others, or of no members. */
export function objectType(schema: JsonObject, level: number, writer: PartWriter): TypeText {
  const all = membersOf(schema)
  const members = all.filter(({ name }) => isWritable(name))
  const lines: string[] = []
  const types: TypeText[] = []
  let isWhole = members.length === all.length
  for (const { name, schema: part, needed } of members) {
    if (writer.isFull) {
      isWhole = false
      break
    }
    const type = writer.write(part, level + 1)
    types.push(type)
    const doc = isJsonObject(part) ? docComment([textOf(part['description']), factsOf(part)]) : []
    lines.push(...doc, `${memberName(name)}${needed ? '' : '?'}: ${type.text};`)
  }
  const others = isWhole ? othersOf(schema, level, writer) : [UNKNOWN]
  const isEmpty = others === undefined && lines.length === 0
  if (others !== undefined || isEmpty) {
    const isOptional = members.some(({ needed }) => !needed)
    const index = indexType(isEmpty ? [isClosed(schema) ? NEVER : UNKNOWN] : (others ?? []), types)
    const text = isOptional && index !== UNKNOWN ? `${index.text} | undefined` : index.text
    lines.push(`[name: string]: ${text};`)
  }
  const indent = '  '.repeat(level)
  return simple(`{\n${lines.map((line) => `${indent}  ${line}`).join('\n')}\n${indent}}`)
}

function membersOf(schema: JsonObject): readonly Member[] {
  const { properties, required } = schema
  const named = isJsonObject(properties) ? Object.entries(properties) : []
  const needed = new Set(Array.isArray(required) ? required : [])
  const members = named.map(([name, part]): Member => ({
    name,
    schema: part,
    needed: needed.has(name),
  }))
  for (const [name] of named) needed.delete(name)
  const unnamed = [...needed].filter((name) => typeof name === 'string')
  return [...members, ...unnamed.map((name): Member => ({ name, schema: undefined, needed: true }))]
}

/** The types of members that are not named; undefined where there are none, or the schema does not speak of them. */
function othersOf(
  schema: JsonObject,
  level: number,
  writer: PartWriter,
): readonly TypeText[] | undefined {
  const { additionalProperties: further, patternProperties } = schema
  const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : []
  const parts = [...patterns, ...(further === undefined || further === false ? [] : [further])]
  if (parts.length === 0) return undefined
  return parts.slice(0, MAX_INDEXED + 1).map((part) => writer.write(part, level + 1))
}

function isClosed({ additionalProperties }: JsonObject): boolean {
  return additionalProperties === false
}

/** What all members are, named ones too: a signature may not contradict them. */
function indexType(others: readonly TypeText[], named: readonly TypeText[]): TypeText {
  const types = [...others, ...named]
  const texts = new Set(types.map(({ text }) => text))
  const isLong = [...texts].some((text) => text.length > MAX_INDEXED_UNITS)
  if (named.length === 0) return others.length > MAX_INDEXED ? UNKNOWN : union(others)
  return isLong || texts.size > MAX_INDEXED ? UNKNOWN : union(types)
}

export function listType(schema: JsonObject, level: number, writer: PartWriter): TypeText {
  const { items, prefixItems, additionalItems } = schema
  // Older dialects have tuples in `items`.
  const word = Array.isArray(prefixItems) ? 'prefixItems' : 'items'
  const positions = partsOf(schema, word)
  const rest = word === 'prefixItems' ? items : additionalItems
  if (positions.length > 0) return tupleType(schema, { positions, rest, level, writer })
  const item = Array.isArray(items) ? rest : items
  return simple(item === false ? '[]' : `${enclosed(writer.write(item, level))}[]`)
}

interface Tuple {
  readonly positions: readonly JsonValue[]
  readonly rest: JsonValue | undefined
  readonly level: number
  readonly writer: PartWriter
}

function tupleType(schema: JsonObject, { positions, rest, level, writer }: Tuple): TypeText {
  const { minItems, maxItems } = schema
  const least = typeof minItems === 'number' ? minItems : 0
  const most = typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY
  const shown = positions.slice(0, Math.min(MAX_POSITIONS, most))
  const types = shown.map((part, at) => {
    const type = enclosed(writer.write(part, level))
    return at < least ? type : `${type}?`
  })
  const isAll = shown.length === positions.length
  const mayGoOn = !isAll ? most > shown.length : rest !== false && most > positions.length
  if (mayGoOn) types.push(`...${isAll ? enclosed(writer.write(rest, level)) : UNKNOWN.text}[]`)
  return simple(`[${types.join(', ')}]`)
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
