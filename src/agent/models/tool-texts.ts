/**
 * Definitions of tools as JSON, written once: the same tools are the same bytes in each request, which is what caches of providers
 * go by, and cost nothing after the first.
 */

import type { JsonObject } from '../../base/json.ts'
import type { ModelTool } from '../model.ts'

export interface ToolTexts {
  readonly value: JsonObject[]
  /** The JSON of `value`. */
  readonly text: string
}

/** What writes a list of tools, each tool by `write`, and remembers it by the array. The arrays may not change afterwards. */
export function toolWriter(
  write: (tool: ModelTool, isLast: boolean) => JsonObject,
): (tools: readonly ModelTool[]) => ToolTexts {
  const known = new WeakMap<readonly ModelTool[], ToolTexts>()
  return (tools) => {
    const before = known.get(tools)
    if (before !== undefined) return before
    const value = tools.map((tool, at) => write(tool, at === tools.length - 1))
    const written = { value, text: JSON.stringify(value) }
    known.set(tools, written)
    return written
  }
}
