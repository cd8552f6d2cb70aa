/** Objects and arrays in the words of a dialect: their members and items one by one. */

import type { JsonValue } from '../../base/json.ts'
import type { Lowering, Spot } from './lowering.ts'
import { acceptsNull, orNull } from './null-form.ts'
import { ITEMS } from './null-paths.ts'
import { isAny, namesOf, newPart, neverPart, withOwn, type Part } from './part.ts'
import { addToDescription } from './told.ts'

/** An object. Its own words are those of the dialect already. */
export function lowerObject(part: Part, spot: Spot, by: Lowering): Part {
  const { subset, losses } = by
  const given = part.maps.get('properties')
  const properties = new Map<string, Part>()
  const required = new Set(namesOf(part, 'required'))
  for (const [name, member] of given ?? []) {
    const lowered = by.inner(member, { ...spot, path: [...spot.path, name] })
    if (lowered === undefined) required.delete(name)
    else properties.set(name, lowered)
  }
  for (const name of required) {
    if (properties.has(name)) continue
    const any = by.inner(newPart(part.at), { ...spot, path: [...spot.path, name] })
    if (any !== undefined) properties.set(name, any)
  }
  if (subset.closed) {
    for (const [name, member] of properties) {
      const path = [...spot.path, name]
      const place = { name, isOptional: !required.has(name), before: given?.get(name), path }
      properties.set(name, closedMember(member, place, { spot, by }))
    }
    const isEmpty = part.one.get('additionalProperties')?.never === true && !subset.membersNeeded
    if (properties.size === 0 && spot.path.length > 0 && !isEmpty) {
      const message = 'An object without named members cannot be said there.'
      losses.add({ pointer: part.at, keyword: 'properties', kind: 'dropped', message })
    }
  }
  const names = subset.closed
    ? [...properties.keys()]
    : [...required].filter((name) => properties.has(name))
  const isListed = names.length > 0 || subset.closed
  const named = withOwn(part, { required: isListed ? names : undefined })
  const isBare = properties.size === 0 && given === undefined
  const maps = isBare ? [] : [['properties', properties] as const]
  return withFurther({ ...named, maps: new Map(maps) }, { spot, by })
}

interface Around {
  readonly spot: Spot
  readonly by: Lowering
}

interface Place {
  readonly name: string
  readonly isOptional: boolean
  readonly before: Part | undefined
  readonly path: readonly string[]
}

/** A member of an object that requires all of them: one that may be left out is null instead. */
function closedMember(
  member: Part,
  { name, isOptional, before, path }: Place,
  { spot, by }: Around,
): Part {
  const lose = (message: string): void =>
    by.losses.add({ pointer: member.at, keyword: 'required', kind: 'changed', message })
  const hasNull = acceptsNull(member)
  if (isOptional && hasNull && before?.own.get('default') !== null)
    lose(`${JSON.stringify(name.slice(0, 80))} may be left out or null, which would be the same.`)
  const isAdded = isOptional && !hasNull
  if (isAdded && spot.isInDefs)
    lose('In a definition that contains itself every member would have to be given.')
  else if ((isAdded || hasNull) && !by.nulls.note(path, isAdded))
    lose('Null would mean two things, in different alternatives.')
  return isAdded ? orNull(member, member.at, by.subset) : member
}

/** What is said of members without a name. */
function withFurther(part: Part, { spot, by }: Around): Part {
  const { subset, losses } = by
  const further = part.one.get('additionalProperties')
  const bare = { ...part, one: new Map<string, Part>(), lists: new Map() }
  if (subset.furtherMembers === 'never') {
    if (further !== undefined && !further.never) {
      const message = 'Members without a name cannot be said there.'
      losses.add({ pointer: part.at, keyword: 'additionalProperties', kind: 'dropped', message })
    }
    return { ...bare, one: new Map([['additionalProperties', neverPart(part.at)]]) }
  }
  if (further === undefined) return bare
  if (subset.furtherMembers === 'schema') {
    const path = [...spot.path, ITEMS]
    const lowered = further.never || isAny(further) ? further : by.inner(further, { ...spot, path })
    return { ...bare, one: new Map([['additionalProperties', lowered ?? neverPart(part.at)]]) }
  }
  const message = 'What is said of members without a name has no place.'
  const loss = {
    pointer: part.at,
    keyword: 'additionalProperties',
    kind: 'dropped',
    message,
  } as const
  if (further.never) {
    losses.note(loss)
    return bare
  }
  losses.add(loss)
  return addToDescription(bare, ['further members are allowed'])
}

/** An array. Its own words are those of the dialect already. */
export function lowerArray(part: Part, spot: Spot, by: Lowering): Part {
  const items = part.one.get('items')
  const inside = { ...spot, path: [...spot.path, ITEMS] }
  const bare = newPart(part.at, { own: part.own })
  if (items?.never === true) return emptyArray(bare, by)
  if (items === undefined && !by.rules.itemsNeeded) return bare
  const lowered = by.inner(items ?? newPart(part.at), inside)
  if (lowered === undefined) return emptyArray(bare, by)
  return { ...bare, one: new Map([['items', lowered]]) }
}

/** An array that has no items. */
function emptyArray(part: Part, { rules, subset, losses }: Lowering): Part {
  const zero: JsonValue = 0
  const isSayable = subset.keywords.array.has('maxItems')
  if (!isSayable) {
    const message = 'That it stays empty cannot be said there.'
    losses.add({ pointer: part.at, keyword: 'items', kind: 'dropped', message })
  }
  const text = newPart(part.at, { own: new Map([['type', 'string']]) })
  return {
    ...(isSayable ? withOwn(part, { maxItems: zero }) : part),
    one: new Map(rules.itemsNeeded ? [['items', text]] : []),
  }
}
