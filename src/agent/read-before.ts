/**
 * Which tools a conversation had results of, so that a host that did not see it knows what was read. What is left out of the
 * conversation since counts as before: replies that were made of it are there still. Pure.
 */

import { isJsonObject } from '../base/json.ts'
import { READ_RESOURCE, readingName } from '../host/resource-reading.ts'
import type { ModelCall, ToolMessage } from './conversation.ts'
import { CALL_TOOL, GET_TOOL, SEARCH_TOOLS } from './find-tools-offer.ts'

export class ReadBefore {
  /** Names of which a result was no failure, or may have been none. */
  readonly #read = new Set<string>()
  readonly #failed = new Set<string>()

  /**
   * There is, or was, this result. Its call says which tool it is of; without one, as in a transcript that was damaged, only its
   * own word is left, and it counts whatever it says.
   */
  add(message: Pick<ToolMessage, 'name' | 'failed'>, call: ModelCall | undefined): void {
    const { name, isRead } = call === undefined ? { name: message.name } : sourceOf(call)
    // What these tell is the host's own list.
    if (call !== undefined && (name === SEARCH_TOOLS || name === GET_TOOL)) return
    // What a server says of a resource that it does not have is its text as well.
    if (call !== undefined && message.failed && isRead !== true) this.#failed.add(name)
    else this.#read.add(name)
  }

  clear(): void {
    this.#read.clear()
    this.#failed.clear()
  }

  /**
   * Their aliases, each once, and `readingName`s for resources. `known` are the tools that there are now: a failure of another one is
   * the host's own answer to a name that never was, unless its server may be the one that is away.
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
/** Longest name of a server that is taken from a model's words. */
const MAX_SERVER = 256

/** What stands for the server in a name; enough to see whether any tool of it is there. */
function ownerOf(alias: string): string {
  return alias.slice(0, Math.max(0, alias.indexOf(SEPARATOR)))
}

interface Source {
  readonly name: string
  readonly isRead?: boolean
}

/** What a call gave something of. One through another tool is one of the tool that is meant. */
function sourceOf({ name, argumentsText }: ModelCall): Source {
  if (name !== CALL_TOOL && name !== READ_RESOURCE) return { name }
  const args = argumentsOf(argumentsText)
  if (name === READ_RESOURCE) return readOf(args)
  const { name: inner, arguments: given } = args
  if (inner === READ_RESOURCE) return readOf(isJsonObject(given) ? given : {})
  // Without one it called nothing.
  return { name: typeof inner === 'string' ? inner : name }
}

/** Without a server that can be told it may have been any. */
function readOf({ server }: { readonly server?: unknown }): Source {
  const isNamed = typeof server === 'string' && server.length <= MAX_SERVER
  return { name: isNamed ? readingName(server) : READ_RESOURCE, isRead: true }
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const args: unknown = JSON.parse(text)
    return isJsonObject(args) ? args : {}
  } catch {
    return {}
  }
}
