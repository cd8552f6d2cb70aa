/** What a host tells of its tools, and of what changed between two turns. Types only. */

import type { JsonObject } from '../base/json.ts'
import type { ToolHints } from '../tools/display.ts'

/** A tool is known by who has it and what it is called there; an alias only stands for that. */
export interface ToolIdentity {
  /** Config key; undefined for a native tool. */
  readonly server: string | undefined
  readonly name: string
}

/** Never approved, of a server that is started in another way, not as it was approved, or another one in between. */
export type HeldWhy = 'never-approved' | 'moved' | 'changed' | 'returned'

/** Why a tool cannot be called for now. */
export interface HeldTool {
  readonly reason: string
  /** A word for the reason, to switch on and to translate. */
  readonly why?: HeldWhy
  /** Lines of text with `-` and `+`; they hold peer text, escaped for a terminal. */
  readonly diff: readonly string[]
}

/** A tool as a model may see it: what hides in its texts is taken out. */
export interface HostTool extends ToolIdentity {
  /** The name for models: at most 64 of `A-Z a-z 0-9 _ -`, the same in every session. */
  readonly alias: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  /** What it says of itself; nobody is to be less careful for it unless `trusted`. // TOOL-18 */
  readonly hints: ToolHints
  /** Whether its hints may be believed: those of a server that the user calls trusted, and those of a native tool. */
  readonly trusted: boolean
  /**
   * There when the tool is not the one that was approved. Calls are refused, and what is shown is the approved definition;
   * of a tool that was never approved it is the name alone. Leave it out of what a model gets.
   */
  readonly held?: HeldTool
  /** There for the host's own `read_resource`: a call of it is a read from the server that it names. */
  readonly readsResources?: true
  /** What is odd about the definition, one sentence each, for people. */
  readonly warnings: readonly string[]
}

/** What one `turn()` took in. All by alias. */
export interface ToolChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** The definition is another one, or the tool is held now, or no longer. */
  readonly changed: readonly string[]
}

/** What a server says about how to use it; cleaned for a model and cut to a limit. */
export interface ServerInstructions {
  readonly server: string
  readonly text: string
}
