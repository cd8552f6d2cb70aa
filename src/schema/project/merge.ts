/**
 * Two parts that both have to hold, as one part. What cannot be said in one is widened and told of.
 *
 * It is used where a dialect knows no `allOf`, and for the root, which has to be one plain object.
 */

import { canonicalJson, type JsonValue } from '../../base/json.ts'
import type { LossList } from './loss.ts'
import { ANNOTATIONS, neverPart, newPart, typesOf, without, type Part } from './part.ts'

/** The part with the members of its `allOf` taken into it. */
export function foldAll(part: Part, losses: LossList): Part {
  const all = part.lists.get('allOf')
  if (all === undefined) return part
  return all.reduce(
    (whole, one) => both(whole, foldAll(one, losses), losses),
    without(part, ['allOf']),
  )
}

/** Both at once. Where both say something for readers, the first does. */
export function both(first: Part, second: Part, losses: LossList): Part {
  if (first.never) return first
  if (second.never) return neverPart(first.at)
  const merging: Merging = { at: first.at === '' ? '' : second.at, losses }
  const types = bothTypes(typesOf(first), typesOf(second))
  if (types?.length === 0) return neverPart(first.at)
  const own = new Map(first.own)
  for (const [keyword, value] of second.own) {
    const here = own.get(keyword)
    own.set(keyword, here === undefined ? value : bothValues(keyword, [here, value], merging))
  }
  if (types !== undefined) own.set('type', types.length === 1 ? (types[0] ?? 'null') : [...types])
  const values = own.get('enum')
  if (Array.isArray(values) && values.length === 0) return neverPart(first.at)
  return newPart(first.at, {
    own,
    one: bothOnes(first, second, merging),
    lists: bothLists(first, second),
    maps: bothMaps(first, second, merging),
  })
}

interface Merging {
  /** Where what is merged into the other stood. */
  readonly at: string
  readonly losses: LossList
}

function lose({ at, losses }: Merging, keyword: string): void {
  const message = `Two conditions "${keyword}" hold at once, and only the first is told.`
  losses.add({ pointer: at, keyword, kind: 'widened', message })
}

/** What both allow; a whole number is a number. */
function bothTypes(
  first: readonly string[] | undefined,
  second: readonly string[] | undefined,
): readonly string[] | undefined {
  if (first === undefined || second === undefined) return first ?? second
  const isIn = (type: string, types: readonly string[]): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  const found = [
    ...first.filter((type) => isIn(type, second)),
    ...second.filter((type) => isIn(type, first)),
  ]
  return [...new Set(found)]
}

function bothValues(
  keyword: string,
  [first, second]: readonly [JsonValue, JsonValue],
  merging: Merging,
): JsonValue {
  if (canonicalJson(first) === canonicalJson(second) || ANNOTATIONS.has(keyword)) return first
  if (typeof first === 'number' && typeof second === 'number') {
    if (keyword.endsWith('inimum') || keyword.startsWith('min')) return Math.max(first, second)
    if (keyword.endsWith('aximum') || keyword.startsWith('max')) return Math.min(first, second)
    if (keyword === 'multipleOf' && first % second === 0) return first
    if (keyword === 'multipleOf' && second % first === 0) return second
  }
  if (keyword === 'uniqueItems') return true
  if (Array.isArray(first) && Array.isArray(second)) {
    if (keyword === 'required') return [...new Set([...first, ...second])]
    if (keyword === 'enum') {
      const known = new Set(second.map((one) => canonicalJson(one)))
      return first.filter((one) => known.has(canonicalJson(one)))
    }
  }
  if (keyword !== 'type') lose(merging, keyword)
  return first
}

function bothOnes(first: Part, second: Part, merging: Merging): ReadonlyMap<string, Part> {
  const one = new Map(first.one)
  for (const [keyword, part] of second.one) {
    const here = one.get(keyword)
    if (here === undefined) one.set(keyword, part)
    else if (keyword === 'not')
      one.set(keyword, newPart(here.at, { lists: new Map([['anyOf', [here, part]]]) }))
    else if (['items', 'additionalProperties', 'propertyNames'].includes(keyword))
      one.set(keyword, both(here, part, merging.losses))
    else lose(merging, keyword)
  }
  return one
}

/** Alternatives of both stay apart: a part can have several groups of them, one by itself and the rest in `allOf`. */
function bothLists(first: Part, second: Part): ReadonlyMap<string, readonly Part[]> {
  const lists = new Map(first.lists)
  for (const [keyword, parts] of second.lists) {
    const here = lists.get(keyword)
    if (here === undefined) lists.set(keyword, parts)
    else if (keyword === 'allOf') lists.set(keyword, [...here, ...parts])
    else {
      const group = newPart(second.at, { lists: new Map([[keyword, parts]]) })
      lists.set('allOf', [...(lists.get('allOf') ?? []), group])
    }
  }
  return lists
}

function bothMaps(
  first: Part,
  second: Part,
  merging: Merging,
): ReadonlyMap<string, ReadonlyMap<string, Part>> {
  const maps = new Map(first.maps)
  for (const [keyword, parts] of second.maps) {
    const merged = new Map(maps.get(keyword))
    for (const [name, part] of parts) {
      const here = merged.get(name)
      merged.set(name, here === undefined ? part : both(here, part, merging.losses))
    }
    maps.set(keyword, merged)
  }
  const properties = maps.get('properties')
  if (properties !== undefined) {
    const limited = limitedBy(first, second, { properties, merging })
    maps.set('properties', limitedBy(second, first, { properties: limited, merging }))
  }
  return maps
}

/**
 * Members that only one of the two names, as the other's `additionalProperties` wants them. Where that forbids them, nothing
 * would fit: two closed objects are told as one that has the members of both.
 */
function limitedBy(
  by: Part,
  other: Part,
  { properties, merging }: { properties: ReadonlyMap<string, Part>; merging: Merging },
): ReadonlyMap<string, Part> {
  const rest = by.one.get('additionalProperties')
  if (
    rest === undefined ||
    (!rest.never && rest.own.size + rest.one.size + rest.lists.size + rest.maps.size === 0)
  )
    return properties
  const known = by.maps.get('properties')
  // Names that fit one of them are none of the rest; patterns of strangers are not run for that.
  const hasPatterns = (by.maps.get('patternProperties')?.size ?? 0) > 0
  const limited = new Map(properties)
  for (const [name, part] of other.maps.get('properties') ?? []) {
    if (known?.has(name) === true) continue
    if (rest.never || hasPatterns) lose(merging, 'additionalProperties')
    else limited.set(name, both(part, rest, merging.losses))
  }
  return limited
}
