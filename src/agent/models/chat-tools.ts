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

interface WrittenTool {
  readonly value: JsonObject
  readonly text: string
}

const lists = new WeakMap<readonly ModelTool[], WrittenTools>()
const tools = new WeakMap<ModelTool, WrittenTool>()

/** The same for the same array, and quick for another array of the same tools. Neither may change afterwards. */
export function chatTools(list: readonly ModelTool[]): WrittenTools {
  const known = lists.get(list)
  if (known !== undefined) return known
  const each = list.map((tool) => chatTool(tool))
  const written = {
    value: each.map(({ value }) => value),
    text: `[${each.map(({ text }) => text).join(',')}]`,
  }
  lists.set(list, written)
  return written
}

function chatTool(tool: ModelTool): WrittenTool {
  const known = tools.get(tool)
  if (known !== undefined) return known
  const { name, description, parameters, strict } = tool
  const value: JsonObject = {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters,
      ...(strict === true && { strict }),
    },
  }
  const written = { value, text: JSON.stringify(value) }
  tools.set(tool, written)
  return written
}
