/**
 * One look over a value before the library sees it: is it JSON, and how large are its parts.
 *
 * Members that are `undefined` count as absent, as they do when the value is written to the wire; everything else that
 * JSON cannot carry ends the check.
 */

import { giveUp } from './meter.ts'
import type { ValueSize } from './meter.ts'

/** Values deeper than this are not looked at; no frame that the channel lets in is. */
const MAX_VALUE_DEPTH = 1_000
/** Values in one checked value, counting every member and item. */
const MAX_VALUE_NODES = 2_000_000

export interface ValueFacts extends ValueSize {
  /** Whether an object somewhere has an `undefined` member. */
  readonly hasGaps: boolean
}

/** Measures a value. Throws with a reason when it is not JSON or too large to be looked at. */
export function measureValue(value: unknown): ValueFacts {
  const facts = { members: 0, longestName: 0, largestItem: 1, hasGaps: false }
  let nodes = 0

  /** Answers with the size of the value. */
  function look(part: unknown, depth: number): number {
    if (++nodes > MAX_VALUE_NODES) giveUp('the value has more than 2,000,000 parts')
    if (typeof part === 'string') return 1 + (part.length >> 8)
    if (typeof part === 'number' || typeof part === 'boolean' || part === null) return 1
    if (typeof part !== 'object') giveUp(`the value holds ${noun(part)}, which JSON cannot carry`)
    if (depth > MAX_VALUE_DEPTH) giveUp('the value is nested deeper than 1,000 levels')
    return Array.isArray(part) ? lookAtItems(part, depth) : lookAtMembers(part, depth)
  }

  function lookAtItems(items: readonly unknown[], depth: number): number {
    let total = 1
    for (const item of items) {
      const itemSize = look(item, depth + 1)
      if (itemSize > facts.largestItem) facts.largestItem = itemSize
      total += itemSize
    }
    return total
  }

  function lookAtMembers(object: object, depth: number): number {
    if ('toJSON' in object && typeof object.toJSON === 'function') {
      giveUp('the value holds an object that writes itself to JSON in its own way (toJSON)')
    }
    const members = Object.entries(object)
    if (members.length > facts.members) facts.members = members.length
    let total = 1
    for (const [name, member] of members) {
      if (name.length > facts.longestName) facts.longestName = name.length
      if (member === undefined) facts.hasGaps = true
      else total += (name.length >> 8) + look(member, depth + 1)
    }
    return total
  }

  look(value, 0)
  return facts
}

/** A copy of a measured value without its `undefined` members. */
export function withoutGaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutGaps)
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = Object.create(null) as Record<string, unknown> // a fresh bare object
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) copy[name] = withoutGaps(member)
  }
  return copy
}

function noun(value: unknown): string {
  if (value === undefined) return 'an undefined item'
  return `a ${typeof value}`
}
