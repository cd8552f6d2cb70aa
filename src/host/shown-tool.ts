/** A tool of a list as a model may see it, and what a person should know of it. */

import { scanTool, type KnownTool } from '../policy/scan.ts'
import { forModel, toolForModel } from '../policy/shown.ts'
import type { Tool } from '../protocol/types/tools.ts'
import { hintsOf } from '../tools/display.ts'
import type { HeldTool, HostTool } from './host-tool.ts'

export interface ShownAs {
  readonly server: string | undefined
  readonly alias: string
  /** Whether the user believes what the server says of its tools; of a native tool it is so always. */
  readonly trusted: boolean
  readonly held?: HeldTool | undefined
  /** The definition that was approved, where the tool is held. */
  readonly approved?: Tool | undefined
  readonly known: KnownNames
}

/** The tools that are there, to tell names that are taken or look like others. Asked when somebody wants to know. */
export interface KnownNames {
  others(): Iterable<KnownTool>
  /** One sentence for each tool whose name looks like that of this one. */
  lookAlikes(alias: string): readonly string[]
}

/** Longest instructions of one server, in UTF-16 units. */
const MAX_INSTRUCTIONS = 8_192

/** Of a held tool what was approved is shown, and of one that never was nothing but its name. */
export function shownTool(
  tool: Tool,
  { server, alias, trusted, held, approved, known }: ShownAs,
): HostTool {
  const told: Tool =
    held === undefined ? tool : (approved ?? { name: tool.name, inputSchema: NOTHING })
  const { title, description, inputSchema, outputSchema, altered } = toolForModel(told)
  let scanned: readonly string[] | undefined
  return {
    server,
    name: tool.name,
    alias,
    ...(title !== undefined && { title: forModel(title, MAX_TITLE) }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    hints: hintsOf(told),
    trusted,
    ...(held !== undefined && { held }),
    // Looking through a definition costs more than all the rest, and only people want it.
    get warnings() {
      scanned ??= [
        ...altered.map((path) => `Characters that cannot be seen were taken out of ${path}.`),
        ...(server === undefined ? [] : scanTool(tool, { server, others: known.others() })).map(
          ({ message }) => message,
        ),
      ]
      return [...scanned, ...known.lookAlikes(alias)]
    },
  }
}

/** What a server says about its use, for a model. */
export function shownInstructions(text: string): string {
  return forModel(text, MAX_INSTRUCTIONS)
}

const NOTHING = { type: 'object' }
const MAX_TITLE = 200
