/**
 * Makes the guarded copy of a schema: the only thing of a stranger's schema that the library ever sees.
 *
 * The copy holds known keywords with allowed values only, written in the words of 2020-12 whatever its dialect was. Its references
 * are keys of our own table, its patterns marks that lead to our own matchers, and every object of it counts its visits.
 */

import { refuseCircles } from './circles.ts'
import { hasKeyword, isAtLeast } from './dialect.ts'
import type { SchemaDialect } from './dialect.ts'
import { MAX_SCHEMA_DEPTH, SchemaDocument, isSchema, nestingOf, shown } from './document.ts'
import type { DocumentOptions, RawObject, RawSchema, Resource, Target } from './document.ts'
import { readAssertion } from './keyword.ts'
import { ANY, NONE, leafNode } from './leaf-node.ts'
import { UNIQUE_GUARD, chargeVisits, giveUp, namesCost, newNode } from './meter.ts'
import type { Node } from './meter.ts'
import { requireNative } from './pattern.ts'
import { PatternMark } from './pattern-mark.ts'

export interface GuardedSchema {
  readonly dialect: SchemaDialect
  readonly root: Node
  /** What the `$ref` of a node names. */
  readonly targets: Readonly<Record<string, Node>>
  /** Patterns, each still to be bound to an engine. */
  readonly patterns: readonly PatternMark[]
}

/** Copies a schema. Throws a `SchemaError` whose message is the reason when it cannot be checked against. */
export function guardSchema(schema: unknown, options: DocumentOptions = {}): GuardedSchema {
  if (!isSchema(schema)) giveUp('a schema is an object, true or false')
  return new SchemaCopier(new SchemaDocument(schema, options)).copyAll()
}

/** The overridable anchors in effect, outermost first, and the copies made under them: one object is copied once for each scope. */
interface DynamicScope {
  readonly anchors: ReadonlyMap<string, Target>
  readonly copies: Map<RawObject, Node>
  readonly keys: Map<RawObject, string>
}

/** Where a copy is being made. */
interface Place {
  readonly resource: Resource
  readonly scope: DynamicScope
}

/** A copy under way: what its keywords leave for the end. */
interface Draft extends Place {
  readonly node: Node
  readonly raw: RawObject
  readonly extra: Node[]
  parts: number
  characters: number
}

class SchemaCopier {
  readonly #document: SchemaDocument
  readonly #scopes = new Map<string, DynamicScope>()
  readonly #numbers = new Map<RawSchema, number>()
  readonly #targets = Object.create(null) as Record<string, Node> // bare, filled by us alone
  readonly #pending: {
    readonly key: string
    readonly raw: RawObject
    readonly place: Place
    readonly path: string
  }[] = []
  readonly #patterns: PatternMark[] = []
  #path: string[] = []
  #pendingCount = 0

  constructor(document: SchemaDocument) {
    this.#document = document
  }

  copyAll(): GuardedSchema {
    const { root } = this.#document
    const outermost: DynamicScope = { anchors: new Map(), copies: new Map(), keys: new Map() }
    try {
      const node = this.#copy(root.root, { resource: root, scope: outermost })
      for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
        this.#path = [next.path]
        this.#targets[next.key] = this.#copy(next.raw, next.place)
      }
      this.#path = []
      if (this.#pendingCount > 0)
        refuseCircles([node, ...Object.values(this.#targets)], this.#targets)
      return { dialect: root.dialect, root: node, targets: this.#targets, patterns: this.#patterns }
    } catch (error) {
      throw this.#located(error)
    }
  }

  #located(error: unknown): unknown {
    if (this.#path.length === 0 || !(error instanceof Error) || error instanceof RangeError)
      return error
    error.message = `at "#${shown(this.#path.map((part) => `/${part}`).join(''))}": ${error.message}`
    return error
  }

  #copy(schema: unknown, outer: Place): Node {
    if (schema === true) return ANY
    if (schema === false) return NONE
    if (!isSchema(schema) || typeof schema === 'boolean')
      return giveUp('it must be a schema: an object, true or false')
    const place = this.#enter(this.#document.homeOf(schema, outer.resource), outer.scope)
    const leaf = leafNode(schema, place.resource.dialect)
    if (leaf !== undefined) {
      this.#document.count(1)
      return leaf
    }
    const known = place.scope.copies.get(schema)
    if (known !== undefined) return known
    if (this.#path.length > MAX_SCHEMA_DEPTH) giveUp('it is nested deeper than 128 levels')
    this.#document.count(1)
    const node = newNode()
    place.scope.copies.set(schema, node)
    const { resource, scope } = place
    const draft: Draft = { resource, scope, node, raw: schema, extra: [], parts: 0, characters: 0 }
    const ref = schema['$ref']
    const onlyRef = typeof ref === 'string' && !isAtLeast(place.resource.dialect, '2019-09')
    for (const keyword of onlyRef ? ['$ref'] : Object.keys(schema)) {
      const value = schema[keyword]
      if (value === undefined || !hasKeyword(place.resource.dialect, keyword)) continue
      if (value === null && keyword !== 'const') continue // Written out by serialisers for "not set".
      this.#path.push(keyword)
      this.#keyword(draft, keyword, value)
      this.#path.pop()
    }
    finish(draft)
    return node
  }

  #keyword(draft: Draft, keyword: string, value: unknown): void {
    const { node } = draft
    switch (keyword) {
      case '$ref':
      case '$dynamicRef':
      case '$recursiveRef':
        return this.#reference(draft, keyword, value)
      case 'pattern':
        return this.#pattern(node, value)
      case 'patternProperties':
        node[keyword] = this.#map(value, draft, requireNative)
        return undefined
      case 'dependencies':
        draft.extra.push(this.#dependencies(value, draft))
        return undefined
      case 'items':
        return this.#items(draft, value)
      case 'additionalItems':
        if (Array.isArray(draft.raw['items'])) node['items'] = this.#copy(value, draft)
        return undefined
      case '$defs':
      case 'definitions':
        this.#map(value, draft) // Copied to be checked and counted; found again when a reference leads there.
        return undefined
      default:
        return this.#plain(draft, keyword, value)
    }
  }

  #plain(draft: Draft, keyword: string, value: unknown): void {
    const { node } = draft
    const nesting = nestingOf(keyword)
    if (nesting === 'schema') node[keyword] = this.#copy(value, draft)
    else if (nesting === 'list') node[keyword] = this.#list(value, draft)
    else if (nesting === 'map') node[keyword] = this.#map(value, draft)
    if (nesting !== undefined) return
    if (
      typeof value === 'boolean' &&
      keyword.startsWith('exclusive') &&
      draft.resource.dialect === 'draft-04'
    ) {
      if (value) node[keyword] = draft.raw[keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum']
      return
    }
    const assertion = readAssertion(keyword, value)
    if (assertion === undefined) return
    this.#document.count(assertion.parts)
    draft.parts += assertion.parts
    draft.characters += assertion.characters
    node[keyword] = assertion.value
  }

  #items(draft: Draft, value: unknown): void {
    if (!Array.isArray(value)) {
      draft.node['items'] = this.#copy(value, draft)
    } else if (draft.node['prefixItems'] !== undefined || draft.raw['prefixItems'] !== undefined) {
      giveUp('a list beside "prefixItems" belongs to no dialect')
    } else {
      draft.node['prefixItems'] = this.#each(value, draft)
    }
  }

  #list(value: unknown, place: Place): Node[] {
    if (!Array.isArray(value) || value.length === 0) return giveUp('it must be a list of schemas')
    return this.#each(value, place)
  }

  #each(schemas: readonly unknown[], place: Place): Node[] {
    return schemas.map((schema, index) => this.#at(String(index), () => this.#copy(schema, place)))
  }

  #map(value: unknown, place: Place, checkName?: (name: string) => void): Record<string, Node> {
    return this.#members(value, (name, schema) => {
      checkName?.(name)
      return this.#copy(schema, place)
    })
  }

  /** The old word for two keywords, told apart by what stands in it. */
  #dependencies(value: unknown, place: Place): Node {
    const names = Object.create(null) as Record<string, unknown> // bare, as the library's own would not be
    const schemas = Object.create(null) as Record<string, Node> // likewise
    this.#members(value, (name, needed) => {
      if (Array.isArray(needed)) names[name] = readAssertion('required', needed)?.value
      else schemas[name] = this.#copy(needed, place)
    })
    return newNode({ dependentRequired: names, dependentSchemas: schemas })
  }

  #members<T>(value: unknown, copy: (name: string, member: unknown) => T): Record<string, T> {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return giveUp('it must be an object')
    const copies = Object.create(null) as Record<string, T> // bare: `__proto__` is a name like any other
    for (const [name, member] of Object.entries(value))
      copies[name] = this.#at(name, () => copy(name, member))
    return copies
  }

  #at<T>(segment: string, copy: () => T): T {
    this.#path.push(segment)
    const copied = copy()
    this.#path.pop()
    return copied
  }

  #pattern(node: Node, value: unknown): void {
    if (typeof value !== 'string') return giveUp('it must be a text')
    const mark = new PatternMark(value)
    this.#patterns.push(mark)
    node['format'] = mark
    return undefined
  }

  #reference(draft: Draft, keyword: string, value: unknown): void {
    if (typeof value !== 'string') return giveUp('it must be a text')
    const target = this.#document.resolve(value, draft.resource)
    const key = this.#keyOf(
      keyword === '$ref' ? target : overridden(target, keyword, draft.scope),
      draft,
    )
    if (keyword === '$ref') draft.node['$ref'] = key
    else draft.extra.push(newNode({ $ref: key }))
    return undefined
  }

  #keyOf({ schema, resource }: Target, from: Place): string {
    if (typeof schema === 'boolean') {
      this.#targets[String(schema)] = schema ? ANY : NONE
      return String(schema)
    }
    const place = this.#enter(this.#document.homeOf(schema, resource), from.scope)
    const known = place.scope.keys.get(schema)
    if (known !== undefined) return known
    const key = `to ${this.#pendingCount++}`
    place.scope.keys.set(schema, key)
    this.#pending.push({ key, raw: schema, place, path: this.#path.join('/') })
    return key
  }

  /** The place inside a resource: its overridable anchors join those in effect, unless an outer one has the name. */
  #enter(resource: Resource, scope: DynamicScope): Place {
    if (resource.dynamicAnchors.size === 0) return { resource, scope }
    const anchors = new Map(scope.anchors)
    for (const [name, schema] of resource.dynamicAnchors) {
      if (!anchors.has(name)) anchors.set(name, { schema, resource })
    }
    if (anchors.size === scope.anchors.size) return { resource, scope }
    const id = [...anchors]
      .map(([name, { schema }]) => `${name} ${String(this.#numberOf(schema))}`)
      .toSorted()
      .join('\n')
    let inner = this.#scopes.get(id)
    if (inner === undefined) {
      inner = { anchors, copies: new Map(), keys: new Map() }
      this.#scopes.set(id, inner)
    }
    return { resource, scope: inner }
  }

  #numberOf(raw: RawSchema): number {
    const known = this.#numbers.get(raw)
    if (known !== undefined) return known
    this.#numbers.set(raw, this.#numbers.size)
    return this.#numbers.size - 1
  }
}

/** Where a dynamic reference leads in a scope: to the outermost anchor of the name, if the plain target is such an anchor too. */
function overridden(target: Target, keyword: string, scope: DynamicScope): Target {
  const anchor = keyword === '$recursiveRef' ? '' : target.anchor
  if (anchor === undefined) return target
  if (target.resource.dynamicAnchors.get(anchor) !== target.schema) return target
  return scope.anchors.get(anchor) ?? target
}

/** Adds what belongs to the node as a whole: guards beside keywords, and what a visit costs. */
function finish(draft: Draft): void {
  const { node, extra } = draft
  if (node['uniqueItems'] === true) extra.push(UNIQUE_GUARD)
  if (extra.length > 0) {
    const own = node['allOf']
    node['allOf'] = Array.isArray(own) ? [...(own as Node[]), ...extra] : extra // written by #list
  }
  let characters = draft.characters
  let parts = draft.parts
  for (const map of [node['properties'], node['dependentSchemas']]) {
    if (map === undefined) continue
    for (const name of Object.keys(map as object)) {
      // written by #map
      parts += 1
      characters += name.length
    }
  }
  const weight = (parts >> 5) + (characters >> 10)
  const patterns = Object.keys((node['patternProperties'] as object | undefined) ?? {}).length // likewise
  if (patterns > 0) chargeVisits(node, () => weight + namesCost(patterns))
  else if (weight > 0) chargeVisits(node, () => weight)
}
