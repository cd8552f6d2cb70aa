/**
 * Says a schema in the few words of a dialect: alternatives, types and objects one by one, what has no word told in a
 * description. The losses say what the model no longer sees.
 */

import type { JsonValue } from '../../base/json.ts'
import { areDisjoint, neededInWords } from './alternatives.ts'
import { lowerArray, lowerObject } from './lower-nested.ts'
import { keepWords, RELEVANT } from './lower-words.ts'
import type { LossList } from './loss.ts'
import { both, foldAll } from './merge.ts'
import type { Lowering, Spot } from './lowering.ts'
import { acceptsNull, isNull, orNull } from './null-form.ts'
import type { NullPaths } from './null-paths.ts'
import {
  ANNOTATIONS,
  isAny,
  newPart,
  typesOf,
  withOwn,
  without,
  writePart,
  type Part,
  type Unfolded,
} from './part.ts'
import type { PlainType, Rules, Subset } from './rules.ts'
import { addToDescription } from './told.ts'

export interface LowerOptions {
  readonly rules: Rules
  readonly subset: Subset
  readonly losses: LossList
  readonly nulls: NullPaths
}

/** A schema in the words of the dialect; no root when no value fits. */
export function lowerSchema(
  { root, defs }: Unfolded,
  options: LowerOptions,
): {
  readonly root: Part | undefined
  readonly defs: ReadonlyMap<string, Part>
} {
  const by: Lowering = { ...options, inner: (part, spot) => lower(part, spot, by) }
  const lowered = lower(root, { path: [], isInDefs: false }, by)
  const inDefs = [...defs].map(([name, part]): [string, Part] => {
    const found = lower(part, { path: [IN_DEFS], isInDefs: true }, by)
    return [name, found ?? newPart(part.at)]
  })
  return { root: lowered, defs: new Map(inDefs) }
}

/** Stands for the way to a definition, of which there are many. */
const IN_DEFS = '$defs'

/** The part in the words of the dialect; undefined when no value fits. */
function lower(part: Part, spot: Spot, by: Lowering): Part | undefined {
  let now = foldAll(part, by.losses)
  if (now.never) return undefined
  if (now.own.has('$ref')) return reference(now, by)
  now = withoutUnsayable(tupleAsItems(oneOfAsAnyOf(constAsEnum(now), by), by), by)
  return now.lists.has('anyOf') ? alternatives(now, spot, by) : typed(now, spot, by)
}

/** Most alternatives that are kept of one part. */
const MAX_ALTERNATIVES = 64

function reference(part: Part, { losses }: Lowering): Part {
  const { at, own } = part
  const others = [...own.keys()].filter(
    (keyword) => keyword !== '$ref' && !ANNOTATIONS.has(keyword),
  )
  if (others.length + part.one.size + part.lists.size + part.maps.size > 0) {
    const message = 'What stands beside a reference cannot be told.'
    losses.add({ pointer: at, keyword: '$ref', kind: 'widened', message })
  }
  return newPart(at, { own: new Map([['$ref', own.get('$ref') ?? '#']]) })
}

function constAsEnum(part: Part): Part {
  const value = part.own.get('const')
  if (value === undefined) return part
  // Beside an `enum` the one value is the narrower condition.
  return withOwn(part, { const: undefined, enum: [value] })
}

function oneOfAsAnyOf(part: Part, { losses }: Lowering): Part {
  const oneOf = part.lists.get('oneOf')
  if (oneOf === undefined) return part
  const pointer = part.at
  if (areDisjoint(oneOf)) {
    const message =
      'Exactly one alternative holds; it is written as "anyOf", as they exclude each other.'
    losses.note({ pointer, keyword: 'oneOf', kind: 'changed', message })
  } else {
    const message =
      'Exactly one alternative may hold; it is written as "anyOf", which lets several hold.'
    losses.add({ pointer, keyword: 'oneOf', kind: 'widened', message })
  }
  const lists = new Map(without(part, ['oneOf']).lists)
  const anyOf = lists.get('anyOf')
  if (anyOf === undefined) lists.set('anyOf', oneOf)
  else lists.set('allOf', [newPart(part.at, { lists: new Map([['anyOf', oneOf]]) })])
  return { ...part, lists }
}

/** A tuple as a list in which any item may be one of its kinds. */
function tupleAsItems(part: Part, { losses }: Lowering): Part {
  const first = part.lists.get('prefixItems')
  if (first === undefined) return part
  const message = 'Items by their place cannot be told: any item may be of any of their kinds.'
  losses.add({ pointer: part.at, keyword: 'prefixItems', kind: 'widened', message })
  const rest = part.one.get('items')
  const kinds =
    rest === undefined ? [...first, newPart(part.at)] : rest.never ? first : [...first, rest]
  const one = new Map(part.one)
  if (kinds.some(isAny)) one.delete('items')
  else one.set('items', newPart(part.at, { lists: new Map([['anyOf', different(kinds)]]) }))
  const most = part.own.get('maxItems')
  const limited = rest?.never === true && (typeof most !== 'number' || most > first.length)
  const bare = { ...without(part, ['prefixItems']), one }
  return limited ? withOwn(bare, { maxItems: first.length }) : bare
}

const SAYABLE: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'anyOf',
  'properties',
])

function withoutUnsayable(part: Part, { losses }: Lowering): Part {
  const unsayable = [...part.one.keys(), ...part.lists.keys(), ...part.maps.keys()].filter(
    (keyword) => !SAYABLE.has(keyword),
  )
  for (const keyword of unsayable) {
    const message = `"${keyword}" is not known there. It is checked before the call.`
    losses.add({ pointer: part.at, keyword, kind: 'dropped', message })
  }
  return unsayable.length === 0 ? part : without(part, unsayable)
}

function alternatives(part: Part, spot: Spot, by: Lowering): Part | undefined {
  const { losses } = by
  const listed = part.lists.get('anyOf') ?? []
  const base = without(part, ['anyOf'])
  const onlyNeeds = listed.every((one) => isOnlyNeeds(one))
  if (onlyNeeds || listed.length > MAX_ALTERNATIVES) {
    const message = onlyNeeds
      ? 'Which members go together is told in the description.'
      : `There are ${listed.length} alternatives, too many to tell.`
    losses.add({ pointer: part.at, keyword: 'anyOf', kind: 'widened', message })
    const words = onlyNeeds ? neededInWords(listed) : undefined
    return typed(words === undefined ? base : addToDescription(base, [`needs ${words}`]), spot, by)
  }
  const notes = new Map([...base.own].filter(([keyword]) => ANNOTATIONS.has(keyword)))
  const conditions = without(base, [...ANNOTATIONS])
  const whole = conditions.own.size + conditions.one.size + conditions.maps.size === 0
  const kinds = listed.flatMap((one) => {
    const kind = lower(whole ? one : both(one, conditions, losses), spot, by)
    return kind === undefined ? [] : [kind]
  })
  return union(newPart(part.at, { own: notes }), kinds, by)
}

/** Whether an alternative says nothing but which members it needs. */
function isOnlyNeeds(part: Part): boolean {
  const { own, one, lists, maps } = part
  if (part.never || !own.has('required') || one.size + lists.size + maps.size > 0) return false
  return [...own.keys()].every(
    (keyword) => keyword === 'required' || ANNOTATIONS.has(keyword) || keyword === 'type',
  )
}

/** One of several kinds, with the notes of the place. */
function union(place: Part, kinds: readonly Part[], by: Lowering): Part | undefined {
  const flat = kinds.flatMap((kind) => flatKinds(kind, by))
  const hasNull = kinds.some((kind) => isNull(kind) || kind.own.get('nullable') === true)
  const others = different(flat.filter((kind) => !isNull(kind)))
  const notes = keepWords(place, RELEVANT_NOTES, by)
  const [only] = others
  if (only === undefined) return hasNull ? orNull(undefined, place.at, by.subset) : undefined
  const found =
    others.length === 1
      ? { ...only, own: new Map([...only.own, ...notes.own]) }
      : newPart(place.at, { own: notes.own, lists: new Map([['anyOf', others]]) })
  return hasNull && !acceptsNull(found) ? orNull(found, place.at, by.subset) : found
}

const RELEVANT_NOTES: readonly PlainType[] = []

/** An alternative, or those that it is itself, unless that would cost what is said of them together. */
function flatKinds(kind: Part, { subset, losses }: Lowering): readonly Part[] {
  const inner = kind.lists.get('anyOf')
  if (inner === undefined) return [kind]
  if (!kind.own.has('description')) return inner
  if (subset.typedAlternatives !== true) return [kind]
  const message = 'It describes alternatives within alternatives, which have no place of their own.'
  losses.note({ pointer: kind.at, keyword: 'description', kind: 'dropped', message })
  return inner
}

function different(parts: readonly Part[]): readonly Part[] {
  return [...new Map(parts.map((part) => [JSON.stringify(writePart(part)), part])).values()]
}

function typed(part: Part, spot: Spot, by: Lowering): Part | undefined {
  const { subset } = by
  const types = typesFor(part, by)
  if (types.length === 0) return anyValue(part, by)
  const hasNull = types.includes('null') && allowsNull(part)
  const others = types.filter((type) => type !== 'null')
  if (others.length === 0) return hasNull ? union(notesOf(part), [nullPart(part)], by) : undefined
  const isList = others.length > 1 && subset.typeLists && !others.some(isNested)
  if (isList) {
    const kept = keepWords(withOwn(part, { type: [...others] }), others, by)
    return hasNull ? orNull(kept, part.at, subset) : kept
  }
  const kinds = others.flatMap((type) => single(part, type, { spot, by }) ?? [])
  if (others.length > 1)
    return union(notesOf(part), [...kinds, ...(hasNull ? [nullPart(part)] : [])], by)
  const [kind] = kinds
  if (kind === undefined || !hasNull || acceptsNull(kind)) return kind
  return orNull(kind, part.at, subset)
}

function nullPart({ at }: Part): Part {
  return newPart(at, { own: new Map([['type', 'null']]) })
}

function notesOf({ at, own }: Part): Part {
  return newPart(at, { own: new Map([...own].filter(([keyword]) => ANNOTATIONS.has(keyword))) })
}

function isNested(type: PlainType): boolean {
  return type === 'object' || type === 'array'
}

function allowsNull({ own }: Part): boolean {
  const values = own.get('enum')
  return !Array.isArray(values) || values.includes(null)
}

/** One type of a part, in the words for it. */
function single(
  part: Part,
  type: PlainType,
  { spot, by }: { readonly spot: Spot; readonly by: Lowering },
): Part | undefined {
  const isSplit = typesOf(part)?.length !== 1
  const values = part.own.get('enum')
  const fitting = Array.isArray(values) ? values.filter((value) => isOf(value, type)) : undefined
  if (fitting?.length === 0) return undefined
  const notes: Record<string, undefined> = {}
  if (isSplit && (typesOf(part)?.filter((one) => one !== 'null').length ?? 0) > 1)
    for (const keyword of ANNOTATIONS) notes[keyword] = undefined
  const own = withOwn(part, { ...notes, type, ...(fitting !== undefined && { enum: fitting }) })
  const kept = keepWords(own, [type], by)
  if (type === 'object') return lowerObject(kept, spot, by)
  if (type === 'array') return lowerArray(kept, spot, by)
  return newPart(kept.at, { own: kept.own })
}

function isOf(value: JsonValue, type: PlainType): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

const ALL_TYPES: readonly PlainType[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]

/** The types that a part is about: those it names, else those its other words are about. None: any value. */
function typesFor(part: Part, { losses }: Lowering): readonly PlainType[] {
  const named = typesOf(part)
  const nullable = part.own.get('nullable') === true ? (['null'] as const) : []
  if (named !== undefined) {
    const known = ALL_TYPES.filter((type) => named.includes(type))
    const types = known.includes('number') ? known.filter((type) => type !== 'integer') : known
    return types.includes('null') ? types : [...types, ...nullable]
  }
  const values = part.own.get('enum')
  if (Array.isArray(values)) {
    const found = ALL_TYPES.filter((type) => values.some((value) => isOf(value, type)))
    const hasFraction = values.some(
      (value) => typeof value === 'number' && !Number.isInteger(value),
    )
    return found.filter((type) => type !== (hasFraction ? 'integer' : 'number'))
  }
  const words = [...part.own.keys(), ...part.one.keys(), ...part.maps.keys()]
  const told = (['object', 'array', 'string', 'number'] as const).filter((type) =>
    words.some((word) => RELEVANT[type].has(word)),
  )
  if (told.length > 0) {
    const message = `It names no type and is taken for ${told.join(' or ')}, which its other words are about.`
    losses.add({ pointer: part.at, keyword: 'type', kind: 'changed', message })
  }
  return told
}

/** A part that lets any value be. */
function anyValue(part: Part, { subset, losses }: Lowering): Part {
  const { at } = part
  const description = part.own.get('description')
  const notes = new Map<string, JsonValue>(
    description === undefined ? [] : [['description', description]],
  )
  if (subset.untyped === 'type-list')
    return newPart(at, {
      own: new Map([
        ['type', ['string', 'number', 'boolean', 'object', 'array', 'null']],
        ...notes,
      ]),
    })
  const message = 'Any value fits, for which there are no words.'
  losses.add({ pointer: at, keyword: 'type', kind: 'changed', message })
  if (subset.untyped === 'refused') return newPart(at, { own: notes })
  const kind = (type: string): Part => newPart(at, { own: new Map([['type', type]]) })
  // "Or null" is a word beside a type: one of them has it.
  const text = withOwn(kind('string'), { nullable: true })
  const list = newPart(at, {
    own: new Map([['type', 'array']]),
    one: new Map([['items', kind('string')]]),
  })
  const kinds = [text, ...['number', 'boolean', 'object'].map(kind), list]
  return newPart(at, { own: notes, lists: new Map([['anyOf', kinds]]) })
}
