/**
 * Nodes that many schemas share: the one that everything fits, the one that nothing fits, and those of a type and its bounds.
 *
 * A shared node knows nothing of the schema it came from, so that sharing it shows nothing.
 */

import { hasKeyword } from './dialect.ts'
import type { SchemaDialect } from './dialect.ts'
import type { RawObject } from './document.ts'
import { readAssertion } from './keyword.ts'
import { newNode } from './meter.ts'
import type { Node } from './meter.ts'

/** Fits everything. */
export const ANY: Node = newNode()
/** Fits nothing. */
export const NONE: Node = newNode({ not: ANY })

/** Nodes of schemas that say one type and its bounds, which is most of all schemas: they are alike and are made once. */
const leaves = new Map<string, Node>()
const MAX_LEAVES = 2_000

/** The shared node of a schema that asserts only a type and numbers; `undefined` for all others, malformed ones among them. */
export function leafNode(schema: RawObject, dialect: SchemaDialect): Node | undefined {
  let key = ''
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    if (value === undefined || !hasKeyword(dialect, keyword)) continue
    if (typeof value !== 'number' && !(keyword === 'type' && typeof value === 'string'))
      return undefined
    key += `${keyword} ${value} `
  }
  if (key === '') return ANY
  const known = leaves.get(key)
  if (known !== undefined || leaves.size >= MAX_LEAVES) return known
  const node = newNode()
  try {
    for (const keyword of Object.keys(schema)) {
      if (schema[keyword] === undefined || !hasKeyword(dialect, keyword)) continue
      const assertion = readAssertion(keyword, schema[keyword])
      if (assertion === undefined) return undefined
      node[keyword] = assertion.value
    }
  } catch {
    return undefined // Malformed: copied the long way it is refused with its place.
  }
  leaves.set(key, node)
  return node
}
