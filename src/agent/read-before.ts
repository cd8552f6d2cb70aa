/**
 * Which tools a conversation had results of, so that a host that did not see it knows what was read. What is left out of the
 * conversation since counts as before: replies that were made of it are there still. Pure.
 */

import { isJsonObject } from '../base/json.ts'
import type { ModelCall, ToolMessage } from './conversation.ts'
import { CALL_TOOL, GET_TOOL, SEARCH_TOOLS } from './find-tools-offer.ts'

export class ReadBefore {
  /** Aliases whose results were no failures, or may have been none. */
  readonly #read = new Set<string>()
  readonly #failed = new Set<string>()

  /**
   * There is, or was, this result. Its call says which tool it is of; without one, as in a transcript that was damaged, only its
   * own word is left, and it counts whatever it says.
   */
  add(message: Pick<ToolMessage, 'name' | 'failed'>, call: ModelCall | undefined): void {
    const alias = call === undefined ? message.name : aliasOf(call)
    // What these tell is the host's own list.
    if (call !== undefined && (alias === SEARCH_TOOLS || alias === GET_TOOL)) return
    if (call !== undefined && message.failed) this.#failed.add(alias)
    else this.#read.add(alias)
  }

  clear(): void {
    this.#read.clear()
    this.#failed.clear()
  }

  /**
   * Their aliases, each once. `known` are the tools that there are now: a failure of another one is the host's own answer to a name
   * that never was, unless its server may be the one that is away.
   */
  aliases(known: ReadonlySet<string>): readonly string[] {
    const owners = new Set([...known].map(ownerOf))
    const failed = [...this.#failed].filter(
      (alias) => known.has(alias) || (alias.includes(SEPARATOR) && !owners.has(ownerOf(alias))),
    )
    return [...new Set([...this.#read, ...failed])]
  }
}

const SEPARATOR = '__'

/** What stands for the server in a name; enough to see whether any tool of it is there. */
function ownerOf(alias: string): string {
  return alias.slice(0, Math.max(0, alias.indexOf(SEPARATOR)))
}

/** A call through another tool is one of the tool that is meant. */
function aliasOf({ name, argumentsText }: ModelCall): string {
  if (name !== CALL_TOOL) return name
  try {
    const args: unknown = JSON.parse(argumentsText)
    const inner = isJsonObject(args) ? args['name'] : undefined
    return typeof inner === 'string' ? inner : name
  } catch {
    return name // it called nothing
  }
}
