/**
 * The types of one JSON Schema as text of TypeScript. A schema is a stranger's: whatever it holds, what comes out is valid, of a
 * bounded size, and says `unknown` where it would be too large or where nothing can be said.
 *
 * Types are for people and editors, and wider than schemas in places: lengths, patterns and conditions are none of theirs.
 * Values are checked elsewhere.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { factsOf } from './schema-facts.ts'
import {
  hasShape,
  kindOfValue,
  kindsOf,
  MAX_ALTERNATIVES,
  partsOf,
  referenceOf,
  SchemaDocument,
  valuesOf,
  type Kind,
} from './schema-words.ts'
import { listType, objectType, type PartWriter } from './shape-types.ts'
import { intersection, NEVER, simple, union, UNKNOWN, type TypeText } from './type-join.ts'
import type { TypeNames } from './type-names.ts'
import { docComment, literalType } from './type-text.ts'

export interface SchemaTypesOptions {
  readonly names: TypeNames
  /** What the name of the whole is made of; those of its parts begin with it. */
  readonly parts: readonly [stranger: string, own: string]
}

export interface SchemaTypes {
  /** The name of the type of the whole. */
  readonly name: string
  /** Declarations, one after another, that of the whole first. */
  readonly text: string
  /** Something of it was too large, and is `unknown`. */
  readonly cut: boolean
}

/** Schemas and values of one document that are looked at. */
const MAX_NODES = 5_000
/** UTF-16 units of the types of one document, about. */
const MAX_UNITS: number = 256 * 1024
/** Schemas inside schemas, without a name in between. */
const MAX_DEPTH = 24

const ONLY_OBJECTS: ReadonlySet<Kind> = new Set(['object'])

/** The types of a schema of objects, as those of arguments and structured results are. */
export function schemaTypes(
  schema: JsonValue | undefined,
  options: SchemaTypesOptions,
): SchemaTypes {
  return new TypeWriter(isJsonObject(schema) ? schema : {}, options).write()
}

/** Where a type stands. */
interface Place {
  /** Of indentation. */
  readonly level: number
  /** Schemas around it, up to the one with a name. */
  readonly depth: number
  /** The named type that this is a part of, with no object or list in between. */
  readonly within: string | undefined
  /** The kinds that are possible by what stands around it. */
  readonly kinds: ReadonlySet<Kind> | undefined
}

/** One of several things that a value has to be at once. */
interface Part {
  readonly type: TypeText
  readonly alternatives: number
}

class TypeWriter {
  readonly #document: SchemaDocument
  readonly #root: JsonObject
  readonly #options: SchemaTypesOptions
  readonly #named = new Map<JsonObject, string>()
  readonly #waiting: { readonly name: string; readonly schema: JsonObject }[] = []
  /** Which named types have which others in them with nothing in between. There is no circle in it. */
  readonly #inside = new Map<string, Set<string>>()
  #nodes = 0
  #units = 0
  #cut = false

  constructor(root: JsonObject, options: SchemaTypesOptions) {
    this.#root = root
    this.#document = new SchemaDocument(root)
    this.#options = options
  }

  write(): SchemaTypes {
    const name = this.#options.names.claim(this.#options.parts)
    this.#named.set(this.#root, name)
    this.#waiting.push({ name, schema: this.#root })
    const written: string[] = []
    // It grows while it is gone through.
    for (const waiting of this.#waiting) written.push(this.#declare(waiting.name, waiting.schema))
    return { name, text: written.join('\n'), cut: this.#cut }
  }

  #declare(name: string, schema: JsonObject): string {
    const isRoot = schema === this.#root
    const kinds = isRoot ? ONLY_OBJECTS : undefined
    const type = this.#typeOf(schema, { level: 0, depth: 0, within: name, kinds })
    const whole = isRoot && type === UNKNOWN ? '{ [name: string]: unknown }' : type.text
    // The description of the whole is that of what it belongs to.
    const { description } = schema
    const said = typeof description === 'string' ? description : undefined
    const doc = isRoot ? [] : docComment([said, factsOf(schema)])
    return [...doc, `export type ${name} = ${whole};`, ''].join('\n')
  }

  #typeOf(schema: JsonValue | undefined, place: Place): TypeText {
    if (schema === false) return NEVER
    const told = isJsonObject(schema) ? schema : {}
    this.#nodes += 1
    if (place.depth > MAX_DEPTH || this.#isFull()) {
      this.#cut = true
      return UNKNOWN
    }
    const values = valuesOf(told)
    if (values !== undefined) return this.#listed(values, both(kindsOf(told), place.kinds))
    return this.#combined(told, { ...place, depth: place.depth + 1 })
  }

  #isFull(): boolean {
    return this.#nodes > MAX_NODES || this.#units > MAX_UNITS
  }

  #listed(values: readonly JsonValue[], kinds: ReadonlySet<Kind> | undefined): TypeText {
    const fitting = values.filter((value) => kinds === undefined || kinds.has(kindOfValue(value)))
    this.#nodes += fitting.length
    if (this.#nodes > MAX_NODES) {
      this.#cut = true
      return UNKNOWN
    }
    const types: TypeText[] = []
    for (const value of fitting) {
      const type = simple(literalType(value))
      this.#units += type.text.length
      if (this.#isFull()) {
        this.#cut = true
        return UNKNOWN
      }
      types.push(type)
    }
    return union(types)
  }

  /** What a schema says itself, what it refers to, and its combinations: all at once. */
  #combined(schema: JsonObject, place: Place): TypeText {
    const kinds = both(kindsOf(schema), place.kinds)
    const inner: Place = { ...place, kinds }
    const parts = [
      ...this.#referred(schema, place),
      ...partsOf(schema, 'allOf').map((part) => this.#part(part, inner)),
      ...this.#choice(schema, 'anyOf', inner),
      ...this.#choice(schema, 'oneOf', inner),
    ].filter(({ type }) => type !== UNKNOWN)
    const hasOwn = [...(kinds ?? [])].some((kind) => hasShape(schema, kind))
    // They know the kinds already.
    if (parts.length > 0 && !hasOwn) return this.#together(parts)
    const own = { type: this.#ownType(schema, kinds, place), alternatives: kinds?.size ?? 1 }
    return this.#together([own, ...parts])
  }

  #part(schema: JsonValue, place: Place): Part {
    return { type: this.#typeOf(schema, place), alternatives: this.#document.alternatives(schema) }
  }

  #choice(schema: JsonObject, word: string, place: Place): readonly Part[] {
    const parts = partsOf(schema, word).map((part) => this.#part(part, place))
    if (parts.length === 0) return []
    const alternatives = parts.reduce((sum, part) => sum + part.alternatives, 0)
    return [{ type: union(parts.map(({ type }) => type)), alternatives }]
  }

  #referred(schema: JsonObject, { within }: Place): readonly Part[] {
    const reference = referenceOf(schema)
    if (reference === undefined) return []
    const target = this.#document.target(reference)
    if (target === false) return [{ type: NEVER, alternatives: 1 }]
    if (!isJsonObject(target)) return []
    const name = this.#nameOf(target, reference)
    if (within !== undefined && !this.#comesInside(within, name)) return []
    return [{ type: simple(name), alternatives: this.#document.alternatives(target) }]
  }

  #nameOf(target: JsonObject, reference: string): string {
    const known = this.#named.get(target)
    if (known !== undefined) return known
    const { names, parts } = this.#options
    const last = reference.slice(reference.lastIndexOf('/') + 1)
    const name = names.claim([...parts, last])
    this.#named.set(target, name)
    this.#waiting.push({ name, schema: target })
    return name
  }

  /** Notes that a named type has another in it with nothing in between; false where it would contain itself by that. */
  #comesInside(outer: string, inner: string): boolean {
    const seen = new Set([inner])
    for (const name of seen) {
      if (name === outer) return false
      for (const next of this.#inside.get(name) ?? []) seen.add(next)
    }
    const names = this.#inside.get(outer)
    if (names === undefined) this.#inside.set(outer, new Set([inner]))
    else names.add(inner)
    return true
  }

  /** All parts at once, but of those with alternatives no more than a compiler can multiply out. */
  #together(parts: readonly Part[]): TypeText {
    let product = 1
    const kept = parts.filter(({ alternatives }) => {
      if (parts.length > 1 && product * alternatives > MAX_ALTERNATIVES && alternatives > 1) {
        this.#cut = true
        return false
      }
      product *= Math.max(1, alternatives)
      return true
    })
    return intersection(kept.map(({ type }) => type))
  }

  #ownType(schema: JsonObject, kinds: ReadonlySet<Kind> | undefined, place: Place): TypeText {
    if (kinds === undefined) return UNKNOWN
    const type = union([...kinds].map((kind) => this.#kindType(schema, kind, place)))
    this.#units += type.text.length
    return type
  }

  #kindType(schema: JsonObject, kind: Kind, { level, depth }: Place): TypeText {
    if (kind !== 'object' && kind !== 'array') return simple(kind)
    const isFull = (): boolean => this.#isFull()
    const writer: PartWriter = {
      write: (part, at) =>
        this.#typeOf(part, { level: at, depth, within: undefined, kinds: undefined }),
      get isFull() {
        return isFull()
      },
    }
    return kind === 'object' ? objectType(schema, level, writer) : listType(schema, level, writer)
  }
}

function both(
  one: ReadonlySet<Kind> | undefined,
  other: ReadonlySet<Kind> | undefined,
): ReadonlySet<Kind> | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return new Set([...one].filter((kind) => other.has(kind)))
}
