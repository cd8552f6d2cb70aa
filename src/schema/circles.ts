/**
 * Finds schemas that apply themselves to the same value again for ever, before a value is ever checked.
 *
 * Loops that only some values enter are not looked for here: the meter ends those.
 */

import { giveUp } from './meter.ts'
import type { Node } from './meter.ts'

/** Refuses schemas that apply themselves to the same value again, for ever. */
export function refuseCircles(
  nodes: readonly Node[],
  targets: Readonly<Record<string, Node>>,
): void {
  const state = new Map<Node, 'open' | 'done'>()
  function visit(node: Node): void {
    const before = state.get(node)
    if (before === 'open') giveUp('it refers to itself without end')
    if (before === 'done') return
    state.set(node, 'open')
    for (const next of appliedInPlace(node, targets)) visit(next)
    state.set(node, 'done')
  }
  for (const node of nodes) visit(node)
}

/** The nodes that are always applied to the same value as this one. */
function appliedInPlace(node: Node, targets: Readonly<Record<string, Node>>): readonly Node[] {
  const { $ref, allOf, anyOf, oneOf, not, if: condition } = node
  const lists = [allOf, anyOf, oneOf].flatMap((list) =>
    Array.isArray(list) ? (list as Node[]) : [],
  ) // written by #list
  const single = [not, condition].filter((one): one is Node => one !== undefined)
  const target = typeof $ref === 'string' ? targets[$ref] : undefined
  return target === undefined ? [...lists, ...single] : [target, ...lists, ...single]
}
