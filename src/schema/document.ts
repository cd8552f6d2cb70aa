/**
 * The map of a schema document: its resources (`$id`), their anchors, and what a reference leads to.
 *
 * References are resolved inside of the document, and inside of documents that the caller supplied. Nothing is ever
 * fetched (JSON-04); a reference that leads elsewhere is refused with its address (JSON-05).
 */

import { DEFAULT_DIALECT, dialectOf, hasKeyword, isAtLeast } from './dialect.ts'
import type { SchemaDialect } from './dialect.ts'
import { giveUp } from './meter.ts'

/** Values that a schema may consist of, those that assert nothing left aside. */
const MAX_SCHEMA_NODES = 20_000
/** Levels of nesting of a schema, objects and arrays counted. */
export const MAX_SCHEMA_DEPTH = 128

/** A schema as it came: a boolean or an object of unknown members. */
export type RawObject = Readonly<Record<string, unknown>>
export type RawSchema = boolean | RawObject

/** A schema with an address of its own, and the names that it gives to its parts. */
export interface Resource {
  readonly uri: string
  readonly root: RawSchema
  readonly dialect: SchemaDialect
  readonly anchors: Map<string, RawObject>
  /** Anchors that the dynamic scope can override. The empty name stands for `$recursiveAnchor`. */
  readonly dynamicAnchors: Map<string, RawObject>
}

/** What a reference leads to. `anchor` is the name when it was a plain one. */
export interface Target {
  readonly schema: RawSchema
  readonly resource: Resource
  readonly anchor?: string
}

/** How the members of a keyword are schemas. */
export type Nesting = 'schema' | 'list' | 'map' | 'either'

const NESTING: ReadonlyMap<string, Nesting> = new Map<string, Nesting>([
  ...pairs('schema', ['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalItems']),
  ...pairs('schema', ['additionalProperties', 'unevaluatedItems', 'unevaluatedProperties']),
  ...pairs('list', ['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  ...pairs('map', ['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas']),
  ...pairs('map', ['dependencies']),
  ['items', 'either'],
])

/** Where schemas stand inside of a keyword, if they do. */
export function nestingOf(keyword: string): Nesting | undefined {
  return NESTING.get(keyword)
}

/** The address of a document that names none; it exists nowhere (RFC 2606). */
const NOWHERE = 'https://document.invalid/schema'

export interface DocumentOptions {
  readonly dialect?: SchemaDialect | undefined
  /** Further documents that references may lead to, by address. */
  readonly documents?: Readonly<Record<string, unknown>> | undefined
  readonly maxNodes?: number | undefined
}

/** Maps a document. Throws with the reason when it breaks a limit or cannot be read. */
export class SchemaDocument {
  readonly root: Resource
  readonly #resources = new Map<string, Resource>()
  /** The objects that begin a resource; what stands inside of one belongs to it. */
  readonly #roots = new Map<RawObject, Resource>()
  readonly #walkedLate = new Set<RawObject>()
  readonly #supplied: ReadonlyMap<string, unknown>
  readonly #maxNodes: number
  readonly #dialect: SchemaDialect
  #nodes = 0

  constructor(schema: RawSchema, options: DocumentOptions = {}) {
    this.#supplied = new Map(
      Object.entries(options.documents ?? {}).map(([uri, document]) => [
        withoutFragment(uri),
        document,
      ]),
    )
    this.#maxNodes = options.maxNodes ?? MAX_SCHEMA_NODES
    this.#dialect = options.dialect ?? DEFAULT_DIALECT
    this.root = this.#addDocument(schema, NOWHERE)
  }

  /** The resource of an object that stands in `around`. */
  homeOf(schema: RawObject, around: Resource): Resource {
    return this.#roots.get(schema) ?? around
  }

  /** Counts values against the limit of the document. */
  count(values: number): void {
    this.#nodes += values
    if (this.#nodes > this.#maxNodes) {
      giveUp(`it has more than ${this.#maxNodes.toLocaleString('en-US')} parts`)
    }
  }

  /** Finds what a reference leads to. Throws with the reason when that is not in the document. */
  resolve(reference: string, from: Resource): Target {
    const hash = reference.indexOf('#')
    const address = hash < 0 ? reference : reference.slice(0, hash)
    const fragment = hash < 0 ? '' : decoded(reference.slice(hash + 1))
    const resource = address === '' ? from : this.#resourceAt(address, from)
    if (fragment === '') return { schema: resource.root, resource }
    if (fragment.startsWith('/')) return this.#follow(fragment, resource)
    const schema = resource.anchors.get(fragment)
    if (schema === undefined) giveUp(`"${shown(reference)}" leads nowhere: there is no such anchor`)
    return { schema, resource, anchor: fragment }
  }

  #resourceAt(address: string, from: Resource): Resource {
    const uri = absolute(address, from.uri)
    const known = this.#resources.get(uri)
    if (known !== undefined) return known
    const supplied = this.#supplied.get(uri)
    if (!isSchema(supplied)) {
      giveUp(
        `"${shown(address)}" leads out of the schema, and nothing is fetched; put it into "$defs"`,
      ) // JSON-04
    }
    const resource = this.#addDocument(supplied, uri)
    this.#resources.set(uri, resource)
    return resource
  }

  #addDocument(schema: RawSchema, uri: string): Resource {
    const resource = this.#newResource(schema, uri, this.#dialect)
    this.#walk(schema, resource, 0)
    if (typeof schema === 'boolean') return resource
    return this.homeOf(schema, resource)
  }

  #newResource(root: RawSchema, uri: string, inherited: SchemaDialect): Resource {
    const declared = typeof root === 'boolean' ? undefined : root['$schema']
    const dialect = typeof declared === 'string' ? dialectOf(declared) : inherited
    if (dialect === undefined) {
      giveUp(`its dialect "${shown(String(declared))}" is not one of ${KNOWN_DIALECTS}`) // ERR-21
    }
    const namesake = this.#resources.get(uri)
    if (namesake !== undefined && namesake.root !== root)
      giveUp(`two of its parts have the "$id" "${shown(uri)}"`)
    const resource = { uri, root, dialect, anchors: new Map(), dynamicAnchors: new Map() }
    this.#resources.set(uri, resource)
    return resource
  }

  /** Notes ids and anchors, and counts. */
  #walk(schema: unknown, inside: Resource, depth: number): void {
    this.count(1)
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
    if (depth > MAX_SCHEMA_DEPTH) giveUp('it is nested deeper than 128 levels')
    const object = schema as RawObject // an object that is no array: its members are read as unknown
    const resource = this.#name(object, inside)
    if (resource !== inside) this.#roots.set(object, resource)
    for (const keyword of Object.keys(object)) {
      if (!hasKeyword(resource.dialect, keyword)) continue
      for (const inner of schemasIn(nestingOf(keyword), object[keyword])) {
        this.#walk(inner, resource, depth + 2)
      }
    }
  }

  /** The resource of an object by its `$id`, with its anchors added. */
  #name(schema: RawObject, inside: Resource): Resource {
    const { dialect } = inside
    const isOld = !isAtLeast(dialect, '2019-09')
    // Beside `$ref` nothing counts in the older drafts.
    if (isOld && typeof schema['$ref'] === 'string') return inside
    const id = schema[dialect === 'draft-04' ? 'id' : '$id']
    let resource = inside
    if (typeof id === 'string' && isOld && id.startsWith('#')) {
      inside.anchors.set(decoded(id.slice(1)), schema)
    } else if (typeof id === 'string' && withoutFragment(id) !== '') {
      resource = this.#newResource(schema, absolute(withoutFragment(id), inside.uri), dialect)
    }
    if (isOld) return resource
    const { $anchor, $dynamicAnchor, $recursiveAnchor } = schema
    if (typeof $anchor === 'string') resource.anchors.set($anchor, schema)
    if (typeof $dynamicAnchor === 'string' && dialect === '2020-12') {
      resource.anchors.set($dynamicAnchor, schema)
      resource.dynamicAnchors.set($dynamicAnchor, schema)
    }
    if ($recursiveAnchor === true && schema === resource.root)
      resource.dynamicAnchors.set('', schema)
    return resource
  }

  #follow(pointer: string, from: Resource): Target {
    let at: unknown = from.root
    let resource = from
    // What the next segment names: a keyword of a schema, or a schema in a list or map. Nothing below an unknown keyword is known.
    let next: 'keyword' | 'schema' | 'anything' = 'keyword'
    for (const segment of pointer.slice(1).split('/')) {
      const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) {
        giveUp(`"#${shown(pointer)}" leads nowhere: there is no "${shown(key)}"`)
      }
      at = (at as RawObject)[key] // an object that has this member of its own
      if (next === 'schema') next = 'keyword'
      else if (next === 'keyword') next = namedBy(key, at, resource.dialect)
      if (next === 'keyword' && isSchema(at) && typeof at === 'object')
        resource = this.homeOf(at, resource)
    }
    if (!isSchema(at)) giveUp(`"#${shown(pointer)}" leads to something that is no schema`)
    if (next === 'keyword' || typeof at === 'boolean') return { schema: at, resource }
    // Below a keyword that is not known nothing was walked yet.
    if (!this.#walkedLate.has(at)) {
      this.#walkedLate.add(at)
      this.#walk(at, resource, 0)
    }
    return { schema: at, resource: this.homeOf(at, resource) }
  }
}

/** What a pointer's next segment names when this one was a keyword. */
function namedBy(
  keyword: string,
  value: unknown,
  dialect: SchemaDialect,
): 'keyword' | 'schema' | 'anything' {
  const nesting = hasKeyword(dialect, keyword) ? nestingOf(keyword) : undefined
  if (nesting === undefined) return 'anything'
  if (nesting === 'either') return Array.isArray(value) ? 'schema' : 'keyword'
  return nesting === 'schema' ? 'keyword' : 'schema'
}

const KNOWN_DIALECTS = '2020-12, 2019-09, draft-07, draft-06, draft-04'

export function isSchema(value: unknown): value is RawSchema {
  return (
    typeof value === 'boolean' ||
    (typeof value === 'object' && value !== null && !Array.isArray(value))
  )
}

/** Text of a stranger, short and escaped, to stand between quotes. */
export function shown(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return JSON.stringify(short).slice(1, -1)
}

/** The schemas inside the value of a keyword. */
function schemasIn(nesting: Nesting | undefined, value: unknown): readonly unknown[] {
  if (nesting === undefined || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return nesting === 'list' || nesting === 'either' ? value : []
  return nesting === 'map' ? Object.values(value) : [value]
}

function pairs(nesting: Nesting, keywords: readonly string[]): (readonly [string, Nesting])[] {
  return keywords.map((keyword) => [keyword, nesting])
}

function withoutFragment(uri: string): string {
  const hash = uri.indexOf('#')
  return hash < 0 ? uri : uri.slice(0, hash)
}

function absolute(address: string, base: string): string {
  try {
    return withoutFragment(new URL(address, base).href)
  } catch {
    return giveUp(`"${shown(address)}" is no address`)
  }
}

function decoded(fragment: string): string {
  if (!fragment.includes('%')) return fragment
  try {
    return decodeURIComponent(fragment)
  } catch {
    return giveUp(`"#${shown(fragment)}" is no URI fragment`)
  }
}
