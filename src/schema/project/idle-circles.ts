/**
 * Definitions that are nothing but each other: no value was ever said to fit them, and whoever follows their references never comes
 * to an end. One reference of each such circle is taken out; a circle through members or items is left alone.
 */

import type { LossList } from './loss.ts'
import { without, type Part, type Unfolded } from './part.ts'

const START = '#/$defs/'
/** What is said of the very same value. */
const SAME_VALUE = ['not', 'if', 'then', 'else'] as const

/** The same with no circle in which nothing but references stands. */
export function withoutIdleCircles({ root, defs }: Unfolded, losses: LossList): Unfolded {
  if (defs.size === 0) return { root, defs }
  /** Which definitions stand in which others for the same value. There is no circle in it. */
  const inside = new Map<string, Set<string>>()
  const comesInside = (outer: string, inner: string): boolean => {
    const seen = new Set([inner])
    for (const name of seen) {
      if (name === outer) return false
      for (const next of inside.get(name) ?? []) seen.add(next)
    }
    inside.set(outer, (inside.get(outer) ?? new Set()).add(inner))
    return true
  }
  const checked = [...defs].map(([name, part]): [string, Part] => [
    name,
    cleared(part, (reference) => comesInside(name, reference.slice(START.length)), losses),
  ])
  return { root, defs: new Map(checked) }
}

function cleared(part: Part, mayStand: (reference: string) => boolean, losses: LossList): Part {
  const reference = part.own.get('$ref')
  let kept = part
  if (typeof reference === 'string' && !mayStand(reference)) {
    const message = 'It is nothing but itself, so that any value seems to fit.'
    losses.add({ pointer: part.at, keyword: '$ref', kind: 'cut', message })
    kept = without(part, ['$ref'])
  }
  const inner = (one: Part): Part => cleared(one, mayStand, losses)
  if (kept.lists.size === 0 && kept.one.size === 0) return kept
  const lists = [...kept.lists].map(([keyword, parts]): [string, readonly Part[]] => [
    keyword,
    keyword === 'prefixItems' ? parts : parts.map(inner),
  ])
  const one = new Map(kept.one)
  for (const keyword of SAME_VALUE) {
    const sub = one.get(keyword)
    if (sub !== undefined) one.set(keyword, inner(sub))
  }
  return { ...kept, lists: new Map(lists), one }
}
