/**
 * What a schema of a stranger says, read leniently for writing types: its kinds of values, what its references lead to, and how many
 * alternatives there are. Only the document itself is looked into, for a bounded number of steps.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'

/** Kinds of values that TypeScript tells apart. */
export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
  ['array', 'array'],
  ['object', 'object'],
])

const COMBINING = ['allOf', 'anyOf', 'oneOf'] as const
const OBJECT_WORDS = [
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
] as const
const ARRAY_WORDS = ['items', 'prefixItems', 'additionalItems'] as const

/** More alternatives than this are taken for too many to be combined with others. */
export const MAX_ALTERNATIVES = 1_000
const MAX_COUNT_DEPTH = 24
const MAX_COUNT_STEPS = 20_000
/** Schemas that are searched for anchors. */
const MAX_SEARCHED = 20_000
/** Anchors that are searched for in one document. */
const MAX_ANCHORS = 100

/** The kinds that `type` names; those that other words are about where there is none; undefined for any. */
export function kindsOf(schema: JsonObject): ReadonlySet<Kind> | undefined {
  const { type } = schema
  const names = Array.isArray(type) ? type : [type]
  const kinds = names.flatMap((name) => (typeof name === 'string' ? (KINDS.get(name) ?? []) : []))
  if (kinds.length > 0) return new Set(kinds)
  if (hasShape(schema, 'object')) return new Set(['object'])
  return hasShape(schema, 'array') ? new Set(['array']) : undefined
}

export function kindOfValue(value: JsonValue): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const kind = typeof value
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object'
}

/** Whether it says more of a kind than its name. */
export function hasShape(schema: JsonObject, kind: Kind): boolean {
  const words = kind === 'object' ? OBJECT_WORDS : kind === 'array' ? ARRAY_WORDS : []
  return words.some((word) => schema[word] !== undefined)
}

/** The values that it lists. */
export function valuesOf(schema: JsonObject): readonly JsonValue[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']]
  const { enum: values } = schema
  return Array.isArray(values) ? values : undefined
}

/** Where a reference points. */
export function referenceOf(schema: JsonObject): string | undefined {
  for (const word of ['$ref', '$dynamicRef', '$recursiveRef'] as const) {
    const reference = schema[word]
    if (typeof reference === 'string') return reference
  }
  return undefined
}

/** Parts of one schema under a word that holds a list of them. */
export function partsOf(schema: JsonObject, word: string): readonly JsonValue[] {
  const parts = schema[word]
  return Array.isArray(parts) ? parts : []
}

export class SchemaDocument {
  readonly root: JsonValue
  readonly #anchors = new Map<string, JsonObject | undefined>()
  readonly #counts = new Map<JsonObject, number>()
  #steps = 0

  constructor(root: JsonValue) {
    this.root = root
  }

  /** What a reference within the document leads to; undefined where it leads out of it or nowhere. */
  target(reference: string): JsonValue | undefined {
    if (!reference.startsWith('#')) return undefined
    const fragment = decoded(reference.slice(1))
    if (fragment === '') return this.root
    return fragment.startsWith('/') ? this.#pointed(fragment) : this.#anchored(fragment)
  }

  #pointed(pointer: string): JsonValue | undefined {
    let at: JsonValue | undefined = this.root
    for (const part of pointer.slice(1).split('/')) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
      // Own members, as the line above made sure; a list is read by its indices.
      at = (at as JsonObject)[key]
    }
    return at
  }

  #anchored(name: string): JsonObject | undefined {
    if (!this.#anchors.has(name)) {
      if (this.#anchors.size >= MAX_ANCHORS) return undefined
      this.#anchors.set(name, this.#search(name))
    }
    return this.#anchors.get(name)
  }

  #search(name: string): JsonObject | undefined {
    const waiting: JsonValue[] = [this.root]
    for (let step = 0; step < MAX_SEARCHED; step += 1) {
      const value = waiting.pop()
      if (value === undefined) return undefined
      if (typeof value !== 'object' || value === null) continue
      if (isJsonObject(value) && (value['$anchor'] === name || value['$dynamicAnchor'] === name))
        return value
      for (const member of Object.values(value))
        if (typeof member === 'object' && member !== null) waiting.push(member)
    }
    return undefined
  }

  /** How many alternatives a schema has at its top, at most one more than `MAX_ALTERNATIVES`. */
  alternatives(schema: JsonValue | undefined, depth = 0): number {
    if (!isJsonObject(schema)) return 1
    const known = this.#counts.get(schema)
    if (known !== undefined) return known
    this.#steps += 1
    if (depth > MAX_COUNT_DEPTH || this.#steps > MAX_COUNT_STEPS) return MAX_ALTERNATIVES + 1
    // Whatever comes back here is no schema that anybody means.
    this.#counts.set(schema, MAX_ALTERNATIVES + 1)
    const below = (part: JsonValue | undefined): number => this.alternatives(part, depth + 1)
    const sum = (word: string): number => {
      const parts = partsOf(schema, word)
      return parts.length === 0
        ? 1
        : capped(parts.reduce<number>((all, part) => all + below(part), 0))
    }
    const reference = referenceOf(schema)
    let count = valuesOf(schema)?.length ?? ownAlternatives(schema)
    if (reference !== undefined) count *= below(this.target(reference))
    count = capped(count * sum('anyOf'))
    count = capped(count * sum('oneOf'))
    for (const part of partsOf(schema, 'allOf')) count = capped(count * below(part))
    this.#counts.set(schema, count)
    return count
  }
}

/** Kinds that a schema may be of by its own words. To a compiler a boolean is two. */
function ownAlternatives(schema: JsonObject): number {
  const kinds = kindsOf(schema)
  if (kinds !== undefined) return kinds.size + (kinds.has('boolean') ? 1 : 0)
  const isSaid =
    COMBINING.some((word) => schema[word] !== undefined) || referenceOf(schema) !== undefined
  // What is said around it may be any of them.
  return isSaid ? 1 : KINDS.size
}

function capped(count: number): number {
  return Math.min(count, MAX_ALTERNATIVES + 1)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a stray per cent sign stands for itself
  }
}
