/**
 * Definitions of tools in the words of Chat Completions, written once: the same tools are the same bytes in each request, which
 * is what caches of providers go by, and cost nothing after the first.
 */

import type { JsonObject } from '../../base/json.ts'
import type { ModelTool } from '../model.ts'

export interface WrittenTools {
  readonly value: JsonObject[]
  /** The JSON of `value`. */
  readonly text: string
}

const lists = new WeakMap<readonly ModelTool[], WrittenTools>()

/** The same for the same array, which may not change afterwards. Written in one go: thousands one by one take twice as long. */
export function chatTools(list: readonly ModelTool[]): WrittenTools {
  const known = lists.get(list)
  if (known !== undefined) return known
  const value = list.map((tool) => chatTool(tool))
  const written = { value, text: JSON.stringify(value) }
  lists.set(list, written)
  return written
}

function chatTool({ name, description, parameters, strict }: ModelTool): JsonObject {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters,
      ...(strict === true && { strict }),
    },
  }
}
