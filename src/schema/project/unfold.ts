/**
 * Writes a stranger's schema out in the words of 2020-12: references into the document replaced by what they lead to, old
 * drafts translated, values that are not allowed left out. Nothing is fetched.
 *
 * A definition that contains itself cannot be written out: it becomes one of `$defs`, or is cut where the dialect has none.
 */

import type { JsonValue } from '../../base/json.ts'
import { hasKeyword, isAtLeast } from '../dialect.ts'
import type { SchemaDialect } from '../dialect.ts'
import { isSchema, nestingOf, shown, SchemaDocument } from '../document.ts'
import type { RawObject, Resource, Target } from '../document.ts'
import { giveUp } from '../meter.ts'
import { reasonOf } from '../reason.ts'
import { withoutIdleCircles } from './idle-circles.ts'
import { cutText, isPattern, MAX_DEPTH, MAX_DESCRIPTION, MAX_NODES } from './limits.ts'
import { LossList } from './loss.ts'
import { ANNOTATIONS, ASSERTIONS, neverPart, newPart, type Part, type Unfolded } from './part.ts'
import { readWord } from './read-word.ts'

export interface UnfoldOptions {
  readonly losses: LossList
  /** Whether definitions may be kept beside the root. */
  readonly refs: boolean
}

/** Writes a schema out. Throws a `SchemaError` with the reason when that would be too large, or when it is none. */
export function unfold(schema: unknown, { losses, refs }: UnfoldOptions): Unfolded {
  if (!isSchema(schema)) return giveUp('it is no schema: that is an object, true or false')
  const document = new SchemaDocument(schema)
  const circular = new Set<RawObject>()
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const found = new LossList()
    const before = circular.size
    // In the end every reference is kept: that is small and right, but harder to read for a model.
    const kept = pass === MAX_PASSES - 1 && refs ? 'all' : refs ? circular : 'none'
    const unfolder = new Unfolder(document, { losses: found, kept, circular })
    try {
      const unfolded = unfolder.unfold()
      if (refs && kept !== 'all' && circular.size > before) continue
      losses.addAll(found)
      return withoutIdleCircles(unfolded, losses)
    } catch (error) {
      if (!refs || kept === 'all' || !(error instanceof TooLarge)) throw error
      pass = MAX_PASSES - 2
    }
  }
  return giveUp('its definitions contain one another in too many ways')
}

const MAX_PASSES = 6

/** Which references stay: all, those to definitions of the set, or none. */
type Kept = 'all' | 'none' | ReadonlySet<RawObject>

interface Where {
  readonly resource: Resource
  readonly at: string
  readonly depth: number
}

class TooLarge extends Error {}

class Unfolder {
  readonly #document: SchemaDocument
  readonly #losses: LossList
  readonly #kept: Kept
  readonly #circular: Set<RawObject>
  readonly #names = new Map<RawObject, string>()
  readonly #pending: { readonly target: Target; readonly name: string; readonly at: string }[] = []
  /** The objects that are being written out, outermost first. */
  #open = new Set<RawObject>()
  #nodes = 0

  constructor(
    document: SchemaDocument,
    { losses, kept, circular }: { losses: LossList; kept: Kept; circular: Set<RawObject> },
  ) {
    this.#document = document
    this.#losses = losses
    this.#kept = kept
    this.#circular = circular
  }

  unfold(): Unfolded {
    const resource = this.#document.root
    const root = this.#part(resource.root, { resource, at: '', depth: 0 })
    const defs = new Map<string, Part>()
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      const { target, name, at } = next
      this.#open = new Set()
      defs.set(name, this.#part(target.schema, { resource: target.resource, at, depth: 1 }))
    }
    return { root, defs }
  }

  #part(raw: unknown, { resource: around, at, depth }: Where): Part {
    this.#count(1)
    if (raw === true) return newPart(at)
    if (raw === false) return neverPart(at)
    if (!isSchema(raw) || typeof raw === 'boolean') {
      this.#losses.add({ pointer: at, keyword: '', kind: 'widened', message: NO_SCHEMA })
      return newPart(at)
    }
    if (depth > MAX_DEPTH) return this.#cut(raw, at, DEEP)
    const resource = this.#document.homeOf(raw, around)
    this.#open.add(raw)
    const part = this.#object(raw, { resource, at, depth })
    this.#open.delete(raw)
    return part
  }

  #object(raw: RawObject, where: Where): Part {
    const own = new Map<string, JsonValue>()
    const one = new Map<string, Part>()
    const lists = new Map<string, readonly Part[]>()
    const maps = new Map<string, ReadonlyMap<string, Part>>()
    const words: Words = { raw, where, own, one, lists, maps }
    const { dialect } = where.resource
    const ref = referenceOf(raw, dialect)
    const onlyNotes = ref !== undefined && !isAtLeast(dialect, '2019-09')
    for (const keyword of Object.keys(raw)) {
      if (NAMES_ONLY.has(keyword) || (onlyNotes && !ANNOTATIONS.has(keyword))) continue
      this.#word(keyword, raw[keyword], words)
    }
    const part = newPart(where.at, { own, one, lists, maps })
    return ref === undefined ? part : this.#referring(part, ref, where)
  }

  #word(keyword: string, value: unknown, words: Words): void {
    const { where, own, one, lists, maps } = words
    const { dialect } = where.resource
    if (value === undefined) return
    const nesting = nestingOf(keyword)
    if (nesting === undefined) {
      // What another draft means by the word is not what this one means.
      if (ASSERTIONS.has(keyword) && keyword !== 'format' && !hasKeyword(dialect, keyword)) return
      this.#plain(keyword, value, { ...words, own })
      return
    }
    if (!hasKeyword(dialect, keyword) || value === null) return
    if (keyword === 'items' && Array.isArray(value)) {
      lists.set('prefixItems', this.#list(value, this.#inside(where, keyword)))
    } else if (keyword === 'additionalItems') {
      if (Array.isArray(words.raw['items']))
        one.set('items', this.#part(value, this.#inside(where, keyword)))
    } else if (keyword === 'dependencies') {
      this.#dependencies(value, words)
    } else if (nesting === 'list') {
      if (Array.isArray(value) && value.length > 0)
        lists.set(keyword, this.#list(value, this.#inside(where, keyword)))
      else this.#bad(where, keyword)
    } else if (nesting === 'map') {
      const map = this.#map(value, this.#inside(where, keyword))
      if (map === undefined) this.#bad(where, keyword)
      else maps.set(keyword, keyword === 'patternProperties' ? this.#matching(map, where) : map)
    } else {
      one.set(keyword, this.#part(value, this.#inside(where, keyword)))
    }
  }

  #plain(keyword: string, value: unknown, { raw, where, own }: Words): void {
    const read = readWord(keyword, value, {
      raw,
      dialect: where.resource.dialect,
      count: (nodes) => this.#count(nodes),
    })
    if (read.kind === 'bad') return this.#bad(where, keyword)
    if (read.kind === 'absent') return undefined
    own.set(read.keyword ?? keyword, read.value)
    if (typeof read.value === 'string' && keyword === 'description')
      own.set(keyword, this.#description(read.value, where.at))
    return undefined
  }

  #description(text: string, at: string): string {
    const cut = cutText(text, MAX_DESCRIPTION)
    if (cut !== text) {
      const message = `The description has ${text.length} characters and is cut to ${MAX_DESCRIPTION}.`
      this.#losses.note({ pointer: at, keyword: 'description', kind: 'cut', message })
    }
    return cut
  }

  #bad({ at }: Where, keyword: string): void {
    const message = `The value of "${shown(keyword)}" is not allowed, and it is left out.`
    this.#losses.add({ pointer: at, keyword, kind: 'dropped', message })
  }

  #list(schemas: readonly unknown[], where: Where): readonly Part[] {
    return schemas.map((schema, index) => this.#part(schema, step(where, String(index))))
  }

  #map(value: unknown, where: Where): ReadonlyMap<string, Part> | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return new Map(
      Object.entries(value).map(([name, schema]) => [name, this.#part(schema, step(where, name))]),
    )
  }

  #matching(map: ReadonlyMap<string, Part>, where: Where): ReadonlyMap<string, Part> {
    const readable = [...map].filter(([pattern]) => isPattern(pattern))
    if (readable.length < map.size) this.#bad(where, 'patternProperties')
    return new Map(readable)
  }

  /** The old word for two keywords. */
  #dependencies(value: unknown, { where, own, maps }: Words): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.#bad(where, 'dependencies')
    const names: [string, JsonValue][] = []
    const schemas = new Map<string, Part>()
    const inside = this.#inside(where, 'dependencies')
    for (const [name, needed] of Object.entries(value)) {
      if (!Array.isArray(needed)) schemas.set(name, this.#part(needed, step(inside, name)))
      else if (needed.every((one) => typeof one === 'string'))
        names.push([name, [...new Set(needed)]])
      else this.#bad(inside, name)
    }
    if (names.length > 0) own.set('dependentRequired', Object.fromEntries(names))
    if (schemas.size > 0) maps.set('dependentSchemas', schemas)
    return undefined
  }

  /** A part with a reference: what it leads to, or a reference to that. */
  #referring(part: Part, reference: string, where: Where): Part {
    const target = this.#resolve(reference, where)
    if (target === undefined) return part
    const { schema } = target
    const at = pointerOf(reference, where, this.#document.root)
    if (typeof schema === 'object' && this.#isKept(schema)) {
      const own = new Map([['$ref', this.#nameOf(target, reference, at)], ...part.own])
      return { ...part, own }
    }
    if (typeof schema === 'object' && this.#open.has(schema)) {
      this.#circular.add(schema)
      return combined(part, this.#cut(schema, where.at, CIRCULAR))
    }
    const { resource } = target
    return combined(part, this.#part(schema, { resource, at, depth: where.depth + 1 }))
  }

  #resolve(reference: string, { resource, at }: Where): Target | undefined {
    try {
      return this.#document.resolve(reference, resource)
    } catch (error) {
      const message = `It cannot be followed, so that any value seems to fit: ${reasonOf(error)}.`
      this.#losses.add({ pointer: at, keyword: '$ref', kind: 'widened', message }) // JSON-04
      return undefined
    }
  }

  #isKept(schema: RawObject): boolean {
    if (typeof this.#kept === 'string') return this.#kept === 'all'
    return this.#kept.has(schema)
  }

  #nameOf(target: Target, reference: string, at: string): string {
    const { schema } = target
    if (typeof schema === 'boolean') return '#'
    let name = this.#names.get(schema)
    if (name === undefined) {
      const stem = readableName(reference)
      const taken = new Set(this.#names.values())
      name = stem
      for (let number = 2; taken.has(name); number += 1) name = `${stem}_${number}`
      this.#names.set(schema, name)
      this.#pending.push({ target, name, at })
    }
    return `#/$defs/${name}`
  }

  #cut(raw: RawObject, at: string, why: string): Part {
    this.#losses.add({ pointer: at, keyword: '', kind: 'cut', message: why })
    const read = readWord('type', raw['type'], { raw, dialect: '2020-12', count: () => {} })
    const isTold = read.kind === 'value' && raw['type'] !== undefined
    return newPart(at, isTold ? { own: new Map([['type', read.value]]) } : {})
  }

  #inside(where: Where, keyword: string): Where {
    return { ...where, at: `${where.at}/${escaped(keyword)}`, depth: where.depth + 1 }
  }

  #count(nodes: number): void {
    this.#nodes += nodes
    if (this.#nodes > MAX_NODES)
      throw new TooLarge(`written out it has more than ${MAX_NODES.toLocaleString('en-US')} parts`)
  }
}

interface Words {
  readonly raw: RawObject
  readonly where: Where
  readonly own: Map<string, JsonValue>
  readonly one: Map<string, Part>
  readonly lists: Map<string, readonly Part[]>
  readonly maps: Map<string, ReadonlyMap<string, Part>>
}

const NO_SCHEMA = 'There is something that is no schema, so that any value seems to fit.'
const DEEP = `It is nested deeper than ${MAX_DEPTH} levels, and only its type is told.`
const CIRCULAR = 'It contains itself, and only its type is told from the second time on.'

/** Words about the document itself: they mean nothing once references are written out. */
const NAMES_ONLY: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$comment',
  '$defs',
  'definitions',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
])

/** A dynamic reference is followed to where it leads by itself. */
function referenceOf(raw: RawObject, dialect: SchemaDialect): string | undefined {
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const reference = raw[keyword]
    if (typeof reference === 'string' && hasKeyword(dialect, keyword)) return reference
  }
  return undefined
}

/** Where a reference leads, as a pointer from the root; where that is not known, the way on which it was reached. */
function pointerOf(reference: string, where: Where, root: Resource): string {
  const isPlain = where.resource === root && (reference === '#' || reference.startsWith('#/'))
  return isPlain ? reference.slice(1) : `${where.at}/$ref`
}

/** Both at once: notes of the place stand over those of what it refers to. */
function combined(place: Part, target: Part): Part {
  const decides = place.one.size + place.lists.size + place.maps.size > 0 || !onlyNotesIn(place)
  if (target.never) return target
  if (!decides) return { ...target, own: new Map([...target.own, ...place.own]) }
  const lists = new Map(place.lists)
  lists.set('allOf', [target, ...(place.lists.get('allOf') ?? [])])
  return { ...place, lists }
}

function onlyNotesIn({ own }: Part): boolean {
  return [...own.keys()].every((keyword) => ANNOTATIONS.has(keyword))
}

function step(where: Where, segment: string): Where {
  return { ...where, at: `${where.at}/${escaped(segment)}` }
}

/** A name as a segment of a JSON pointer. RFC 6901 §3 */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function readableName(reference: string): string {
  const last = reference.slice(Math.max(reference.lastIndexOf('/'), reference.lastIndexOf('#')) + 1)
  const plain = last.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60)
  return /^[A-Za-z]/.test(plain) ? plain : `part${plain}`
}
