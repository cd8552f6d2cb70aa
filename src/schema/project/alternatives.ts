/** What can be said of alternatives: whether two of them can hold at once, and how they are told in words. */

import { canonicalJson } from '../../base/json.ts'
import { namesOf, typesOf, type Part } from './part.ts'

/** Whether at most one of the parts can hold for any value, as far as is plain to see. */
export function areDisjoint(parts: readonly Part[]): boolean {
  if (parts.length > 64) return false
  return parts.every((part, at) => parts.slice(at + 1).every((other) => isApart(part, other)))
}

function isApart(first: Part, second: Part): boolean {
  const types = [typesOf(first), typesOf(second)] as const
  if (types[0] !== undefined && types[1] !== undefined && !overlap(types[0], types[1])) return true
  if (valuesApart(first, second)) return true
  // Two objects are told apart by a member that both need and that is another one in each.
  const needed = namesOf(first, 'required').filter((name) =>
    namesOf(second, 'required').includes(name),
  )
  return needed.some((name) => {
    const one = first.maps.get('properties')?.get(name)
    const other = second.maps.get('properties')?.get(name)
    return one !== undefined && other !== undefined && valuesApart(one, other)
  })
}

function overlap(first: readonly string[], second: readonly string[]): boolean {
  const isNumber = (type: string): boolean => type === 'number' || type === 'integer'
  return first.some((type) => second.includes(type) || (isNumber(type) && second.some(isNumber)))
}

function valuesApart(first: Part, second: Part): boolean {
  const one = valuesOf(first)
  const other = valuesOf(second)
  if (one === undefined || other === undefined) return false
  return !one.some((value) => other.includes(value))
}

function valuesOf({ own }: Part): readonly string[] | undefined {
  const values = own.get('enum')
  if (Array.isArray(values)) return values.map((value) => canonicalJson(value))
  const value = own.get('const')
  return value === undefined ? undefined : [canonicalJson(value)]
}

/** Names of members in words, as `"a", "b"`. */
export function quotedNames(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => JSON.stringify(name.slice(0, 80)))
  return names.length > 20 ? `${shown.join(', ')}, …` : shown.join(', ')
}

/** The alternatives of an object by what each needs, as `either "path", or "url", "method"`. */
export function neededInWords(alternatives: readonly Part[]): string | undefined {
  const sets = alternatives.map((part) => namesOf(part, 'required'))
  if (sets.length < 2 || sets.length > 16 || sets.every((names) => names.length === 0))
    return undefined
  const words = sets.map((names) => (names.length === 0 ? 'none of these' : quotedNames(names)))
  return `either ${[...new Set(words)].join(', or ')}`
}
