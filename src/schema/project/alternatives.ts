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
  return listed(names.slice(0, MAX_NAMES).map(quoted), names.length)
}

/** The alternatives of an object by what each needs, as `either "path", or "kind" = "web" and "url"`. */
export function neededInWords(alternatives: readonly Part[]): string | undefined {
  if (alternatives.length < 2 || alternatives.length > 16) return undefined
  const words = alternatives.map((part) => {
    const names = namesOf(part, 'required')
    const needed = names.slice(0, MAX_NAMES).map((name) => memberInWords(name, part))
    return needed.length === 0 ? 'none of these' : listed(needed, names.length)
  })
  const different = [...new Set(words)]
  return different.length < 2 ? undefined : `either ${different.join(', or ')}`
}

const MAX_NAMES = 20

function memberInWords(name: string, part: Part): string {
  const member = part.maps.get('properties')?.get(name)
  const [value, ...others] = member === undefined ? [] : (valuesOf(member) ?? [])
  const isOne = value !== undefined && others.length === 0 && value.length <= 60
  return isOne ? `${quoted(name)} = ${value}` : quoted(name)
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 80))
}

function listed(words: readonly string[], count: number): string {
  return count > words.length ? `${words.join(', ')}, …` : words.join(', ')
}
