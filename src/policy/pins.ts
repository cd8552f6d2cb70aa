/**
 * Pins: what was approved of a server, and what has changed since. A pin is over everything of a tool that a model or a person
 * sees; the order of keys is no part of it. Keeping pins and holding tools is the host's part.
 */

import { canonicalJson, type JsonObject, type JsonValue } from '../base/json.ts'
import type { Tool } from '../protocol/types/tools.ts'
import type { Sha256 } from '../tools/names.ts'
import { definitionDiff } from './definition-diff.ts'

export interface Pin {
  /** Over `definition` with its keys sorted, in hexadecimal digits. */
  readonly sha256: string
  /** What was seen, to show a difference by. Peer text. */
  readonly definition: JsonValue
}

/** All that is pinned of one server. */
export interface ServerPins {
  readonly instructions?: Pin
  /** By the name of the tool. */
  readonly tools: ReadonlyMap<string, Pin>
}

/** What a server offers, as far as it is pinned. */
export interface Offered {
  readonly tools: readonly Tool[]
  readonly instructions?: string | undefined
}

const PINNED = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'icons',
  'execution',
] as const

/** The parts of a tool that are pinned; all but `_meta` and what no revision knows. */
export function definitionOf(tool: Tool): JsonObject {
  const parts = PINNED.flatMap((part) => (tool[part] === undefined ? [] : [[part, tool[part]]]))
  return Object.fromEntries(parts) as JsonObject // a tool is read from JSON
}

/** What a tool is pinned by: the same text for the same definition, however its keys are ordered. */
export function definitionText(tool: Tool): string {
  return canonicalJson(definitionOf(tool))
}

/** A pin over any value, as one read from a file or the instructions of a server. */
function pinOf(definition: JsonValue, sha256: Sha256): Pin {
  return { sha256: sha256(canonicalJson(definition)), definition }
}

export function pinOfTool(tool: Tool, sha256: Sha256): Pin {
  return pinOf(definitionOf(tool), sha256)
}

/** All pins of a server. A name that comes more than once is pinned with all its definitions, in their order. */
export function pinsOf({ tools, instructions }: Offered, sha256: Sha256): ServerPins {
  const definitions = new Map<string, JsonObject[]>()
  for (const tool of tools) {
    const same = definitions.get(tool.name)
    if (same === undefined) definitions.set(tool.name, [definitionOf(tool)])
    else same.push(definitionOf(tool))
  }
  const pins = [...definitions].map(([name, all]): [string, Pin] => {
    const [first = null] = all
    return [name, pinOf(all.length === 1 ? first : all, sha256)]
  })
  return {
    tools: new Map(pins),
    ...(instructions !== undefined && { instructions: pinOf(instructions, sha256) }),
  }
}

export interface ToolChange {
  readonly tool: string
  /** Lines with `-`, `+` or two blanks in front, safe for a terminal; see `definitionDiff`. */
  readonly diff: readonly string[]
}

/** What is different. Names in the order of the server; those that are gone in the order they had. */
export interface PinChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly ToolChange[]
  /** There when the instructions are others, there are some now, or there are none any more. */
  readonly instructions?: readonly string[]
}

/** Compares what was pinned with what is there. Hashes decide; definitions only explain. */
export function comparePins(before: ServerPins, after: ServerPins): PinChanges {
  const names = [...after.tools.keys()]
  const changed = names.flatMap((tool): readonly ToolChange[] => {
    const [old, now] = [before.tools.get(tool), after.tools.get(tool)]
    if (old === undefined || now === undefined || old.sha256 === now.sha256) return []
    return [{ tool, diff: definitionDiff(old.definition, now.definition) }]
  })
  const [told, tells] = [before.instructions, after.instructions]
  return {
    added: names.filter((tool) => !before.tools.has(tool)),
    removed: [...before.tools.keys()].filter((tool) => !after.tools.has(tool)),
    changed,
    ...(told?.sha256 !== tells?.sha256 && {
      instructions: definitionDiff(told?.definition, tells?.definition),
    }),
  }
}

/** Whether nothing is different, additions included. */
export function isUnchanged({ added, removed, changed, instructions }: PinChanges): boolean {
  return (
    added.length === 0 && removed.length === 0 && changed.length === 0 && instructions === undefined
  )
}
