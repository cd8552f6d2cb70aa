/**
 * A schema as the projection works on it: in the words of 2020-12, its references written out, every keyword with a value
 * that is allowed. Where a part stood in the original is kept for what is told of losses.
 */

import type { JsonObject, JsonValue } from '../../base/json.ts'

export interface Part {
  /** JSON pointer into the original. */
  readonly at: string
  /** No value fits: the schema `false`. */
  readonly never: boolean
  /** Keywords that hold no schemas. `$ref` leads to the definitions beside the root. */
  readonly own: ReadonlyMap<string, JsonValue>
  /** As `items` and `not`. */
  readonly one: ReadonlyMap<string, Part>
  /** As `anyOf`. */
  readonly lists: ReadonlyMap<string, readonly Part[]>
  /** As `properties`. */
  readonly maps: ReadonlyMap<string, ReadonlyMap<string, Part>>
}

/** A schema with the definitions that contain themselves. */
export interface Unfolded {
  readonly root: Part
  /** By the name that stands behind `#/$defs/`. */
  readonly defs: ReadonlyMap<string, Part>
}

type PartWords = Partial<Pick<Part, 'own' | 'one' | 'lists' | 'maps'>>

const NO_WORDS: ReadonlyMap<string, never> = new Map<string, never>()

export function newPart(at: string, { own, one, lists, maps }: PartWords = {}): Part {
  return {
    at,
    never: false,
    own: own ?? NO_WORDS,
    one: one ?? NO_WORDS,
    lists: lists ?? NO_WORDS,
    maps: maps ?? NO_WORDS,
  }
}

/** What no value fits. */
export function neverPart(at: string): Part {
  return { ...newPart(at), never: true }
}

/** The part with keywords set; those whose value is undefined are taken out. */
export function withOwn(
  part: Part,
  changes: Readonly<Record<string, JsonValue | undefined>>,
): Part {
  const own = new Map(part.own)
  for (const [keyword, value] of Object.entries(changes)) {
    if (value === undefined) own.delete(keyword)
    else own.set(keyword, value)
  }
  return { ...part, own }
}

/** The part without keywords of any kind. */
export function without(part: Part, keywords: readonly string[]): Part {
  const kept = <T>(words: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    keywords.some((keyword) => words.has(keyword))
      ? new Map([...words].filter(([keyword]) => !keywords.includes(keyword)))
      : words
  const { own, one, lists, maps } = part
  return { ...part, own: kept(own), one: kept(one), lists: kept(lists), maps: kept(maps) }
}

/** Keywords that tell something and decide nothing. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'nullable',
])

/** Whether nothing but notes for readers stands here: any value fits. */
export function isAny(part: Part): boolean {
  return !part.never && part.one.size + part.lists.size + part.maps.size === 0 && hasOnlyNotes(part)
}

/** Whether no keyword of its own decides anything; those that hold schemas are not looked at. */
function hasOnlyNotes({ own }: Part): boolean {
  for (const keyword of own.keys()) if (ASSERTIONS.has(keyword)) return false
  return true
}

/** Keywords without schemas that decide whether a value fits. */
export const ASSERTIONS: ReadonlySet<string> = new Set([
  '$ref',
  'type',
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'required',
  'minProperties',
  'maxProperties',
  'dependentRequired',
])

/** The types that a part names; undefined where it names none. */
export function typesOf({ own }: Part): readonly string[] | undefined {
  const type = own.get('type')
  if (typeof type === 'string') return [type]
  // Whatever wrote it took care that a list of types holds texts.
  return Array.isArray(type) ? (type as string[]) : undefined
}

/** A list of names of a part, as `required`. */
export function namesOf({ own }: Part, keyword: string): readonly string[] {
  const names = own.get(keyword)
  // As above: read as a list of texts when it was taken in.
  return Array.isArray(names) ? (names as string[]) : []
}

/** The keywords as JSON, in the order in which people write them. */
export function writePart(part: Part): JsonValue {
  if (part.never) return { not: {} }
  const type = part.own.get('type')
  const required = part.own.get('required')
  const members: [string, JsonValue][] = type === undefined ? [] : [['type', type]]
  for (const word of part.own) if (word[0] !== 'type' && word[0] !== 'required') members.push(word)
  for (const [keyword, parts] of part.maps)
    members.push([keyword, fromEntries([...parts].map(([name, one]) => [name, writePart(one)]))])
  for (const [keyword, parts] of part.lists) members.push([keyword, parts.map(writePart)])
  if (required !== undefined) members.push(['required', required])
  for (const [keyword, one] of part.one) members.push([keyword, writeOne(keyword, one)])
  return fromEntries(members)
}

/** Where schemas are written as `true` and `false` by custom, and read everywhere. */
const BOOLEANS: ReadonlySet<string> = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
])

function writeOne(keyword: string, part: Part): JsonValue {
  if (part.never && (BOOLEANS.has(keyword) || keyword === 'items')) return false
  if (BOOLEANS.has(keyword) && part.own.size === 0 && isAny(part)) return true
  return writePart(part)
}

/** Makes members, so that one called `__proto__` is a member as any other. */
export function fromEntries(members: readonly (readonly [string, JsonValue])[]): JsonObject {
  return Object.fromEntries(members)
}
