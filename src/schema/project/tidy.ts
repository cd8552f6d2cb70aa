/**
 * The few changes that dialects want which read all of JSON Schema: arrays that say what their items are, names that may be
 * names, one-member `allOf` written out.
 */

import { giveUp } from '../meter.ts'
import { quotedNames } from './alternatives.ts'
import type { LossList } from './loss.ts'
import { isAny, namesOf, newPart, typesOf, type Part } from './part.ts'
import type { Rules } from './rules.ts'

/** Throws a `SchemaError` with the reason when a member is needed that the dialect cannot name. */
export function tidy(part: Part, rules: Rules, losses: LossList): Part {
  const inner = (one: Part): Part => tidy(one, rules, losses)
  const whole = unwrapped(part)
  const one = new Map([...whole.one].map(([keyword, sub]) => [keyword, inner(sub)]))
  if (rules.itemsNeeded && typesOf(whole)?.includes('array') === true && !one.has('items'))
    tellItems(one, whole, losses)
  const maps = [...whole.maps].map(([keyword, parts]): [string, ReadonlyMap<string, Part>] => {
    const tidied = new Map([...parts].map(([name, sub]) => [name, inner(sub)]))
    return [keyword, keyword === 'properties' ? nameable(tidied, whole, { rules, losses }) : tidied]
  })
  const lists = [...whole.lists].map(([keyword, parts]): [string, readonly Part[]] => [
    keyword,
    parts.map(inner),
  ])
  return { ...whole, one, maps: new Map(maps), lists: new Map(lists) }
}

/**
 * Says what the items of an array are. `unevaluatedItems` speaks of the items that nothing else does: where nothing else does at all,
 * it says just that, and beside an `items` it would say nothing.
 */
function tellItems(one: Map<string, Part>, { at, lists }: Part, losses: LossList): void {
  const rest = one.get('unevaluatedItems')
  one.set('items', rest ?? newPart(at))
  if (rest === undefined) return
  one.delete('unevaluatedItems')
  const others = ['contains', 'not', 'if', 'then', 'else'].filter((keyword) => one.has(keyword))
  const isAlone = [...lists.keys()].every((keyword) => keyword === 'prefixItems')
  if (others.length === 0 && isAlone) return
  one.set('items', newPart(at))
  const message =
    '"unevaluatedItems" cannot stand beside what is said of all items. It is checked before the call.'
  losses.add({ pointer: at, keyword: 'unevaluatedItems', kind: 'dropped', message })
}

/** What generators of schemas write as `allOf` with one member is that member, with the notes of the place. */
function unwrapped(part: Part): Part {
  const [only, ...others] = part.lists.get('allOf') ?? []
  if (only === undefined || others.length > 0 || only.never) return part
  if (part.lists.size > 1 || !isAny({ ...part, lists: new Map() })) return part
  return { ...only, own: new Map([...only.own, ...part.own]) }
}

function nameable(
  members: ReadonlyMap<string, Part>,
  part: Part,
  { rules: { memberName }, losses }: { readonly rules: Rules; readonly losses: LossList },
): ReadonlyMap<string, Part> {
  if (memberName === undefined) return members
  const odd = [...members.keys()].filter((name) => !memberName.test(name))
  if (odd.length === 0) return members
  const needed = odd.filter((name) => namesOf(part, 'required').includes(name))
  if (needed.length > 0)
    giveUp(`it needs members whose names are not allowed there: ${quotedNames(needed)}`)
  const message = `Members whose names are not allowed there are left out: ${quotedNames(odd)}.`
  losses.add({ pointer: part.at, keyword: 'properties', kind: 'dropped', message })
  return new Map([...members].filter(([name]) => memberName.test(name)))
}
