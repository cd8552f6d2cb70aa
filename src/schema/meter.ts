/**
 * The step counter of a check, and the kinds of nodes that a guarded copy is made of.
 *
 * The library reads `$recursiveRef` of a schema object exactly once a step; every node answers that read with a getter
 * that counts. What a step costs beyond its share (long enums, unique items, many properties) is charged by the same getter.
 * A check is synchronous, so that one meter serves all of them.
 */

import { SchemaError } from '../base/errors.ts'

/** Steps of one check; about 0.4 s of the library's work. */
export const MAX_STEPS = 200_000
/** Longest array that `uniqueItems` is asked about: it is compared pair by pair. */
const MAX_UNIQUE_ITEMS = 1_000

/**
 * A schema object of the copy, which costs one step a visit. Its own values are what the library reads under the keyword's
 * name; it inherits the counting getter and nothing else.
 */
class CountedNode {
  [keyword: string]: unknown

  get $recursiveRef(): undefined {
    spend(perVisit)
    return undefined // so that the library sees no $recursiveRef
  }
}
Object.setPrototypeOf(CountedNode.prototype, null)

export type Node = Record<string, unknown>

/** What the meter has to know about the value under check. */
export interface ValueSize {
  /** Members of the largest object. */
  readonly members: number
  /** UTF-16 units of the longest member name. */
  readonly longestName: number
  /** Values (and 256ths of characters) inside the largest item of an array. */
  readonly largestItem: number
}

const SMALL: ValueSize = { members: 0, longestName: 0, largestItem: 1 }

let left = 0
let perVisit = 1
let limit = MAX_STEPS
let size = SMALL

/** Begins a check. `steps` defaults to 200,000. */
export function startMeter(value: ValueSize, steps: number = MAX_STEPS): void {
  limit = steps
  left = steps
  size = value
  // The library lists the members of the value again at every object it applies.
  perVisit = 1 + (value.members >> 8)
}

/** Steps used since the check began. */
export function stepsUsed(): number {
  return limit - left
}

/** Counts steps down and throws when none are left. */
export function spend(steps: number): void {
  left -= steps
  if (left < 0) giveUp(`it would take more than ${limit.toLocaleString('en-US')} steps`)
}

/** Ends a check that cannot be finished within the rules. The message is the `because` of its answer. */
export function giveUp(because: string): never {
  throw new SchemaError('DP_SCHEMA_DEFINITION', because)
}

/** A fresh node. */
export function newNode(keywords?: Readonly<Node>): Node {
  const node = new CountedNode()
  return keywords === undefined ? node : Object.assign(node, keywords)
}

/** Makes each visit of a node cost more: `extra` is asked at every visit and answers in steps. */
export function chargeVisits(node: Node, extra: () => number): void {
  Object.defineProperty(node, '$recursiveRef', {
    enumerable: false,
    get: (): undefined => {
      spend(perVisit + extra())
    },
  })
}

/** Steps for matching every member name against a number of patterns; names over 1,000 characters are not matched. */
export function namesCost(patterns: number): number {
  if (size.longestName > 1_000)
    giveUp('a property name over 1,000 characters meets "patternProperties"')
  const perName = 1 + ((size.longestName * size.longestName) >> 8)
  return patterns * (2 + Math.ceil((size.members * perName) / 32))
}

/** Steps for comparing pairs of items of the largest kind: 8 ns for two plain values, 100 ns and more for two objects. */
function pairsCost(pairs: number): number {
  if (size.largestItem === 1) return pairs >> 8
  return Math.ceil((pairs * (1 + size.largestItem / 8)) / 20)
}

/**
 * Applied beside `uniqueItems`, and before the library compares: charges for the pairs of an array by its length, and ends
 * the check at one that is too long. Values that are no arrays, and short ones, cost little.
 */
export const UNIQUE_GUARD: Node = uniqueGuard()

function uniqueGuard(): Node {
  let next = newNode()
  chargeVisits(next, () =>
    giveUp(`"uniqueItems" meets more than ${MAX_UNIQUE_ITEMS.toLocaleString('en-US')} items`),
  )
  for (const longest of [MAX_UNIQUE_ITEMS, 256, 64, 16]) {
    // The charge is for the longest array that ends here; a longer one is charged by the tier before, too.
    const tier = newNode({ if: newNode({ maxItems: longest }), else: next })
    chargeVisits(tier, () => pairsCost(longest * longest))
    next = tier
  }
  return next
}
