/** The calls of tools and the reads of resources in a recorded wire, with what their servers said about the tools before. Bounded; peers' text as it came. */

import { isJsonObject, type JsonObject } from '../base/json.ts'
import { actOf, READING, RESOURCES_READ } from '../host/resource-reading.ts'
import type { Request, ResultResponse } from '../jsonrpc/message.ts'
import { readingsOf, type WireEvent } from '../jsonrpc/wire.ts'
import type { ToolAnnotations } from '../protocol/types/tools.ts'
import { hintsOf, type ToolHints } from '../tools/display.ts'

export interface RecordedCall {
  /** The name of the transport: the key of the server in the configuration, where a host recorded it. */
  readonly server: string
  readonly tool: string
  readonly args: JsonObject
  /** Undefined where the server gave none before the call. */
  readonly hints: ToolHints | undefined
}

/** Calls that are kept, lists that are waited for, and tools that are remembered. */
const MAX_CALLS = 100_000
const MAX_LISTS = 1_000
const MAX_TOOLS = 100_000

export class RecordedCalls {
  readonly #calls: RecordedCall[] = []
  /** Requests for lists that have no answer yet, by connection and ID. */
  readonly #lists = new Set<string>()
  /** By connection and name. */
  readonly #hints = new Map<string, ToolHints>()

  /** Takes events in their order. */
  push(event: WireEvent): void {
    if (event.type !== 'message') return
    const { connection, transport, direction } = event
    for (const reading of readingsOf(event)) {
      if (reading.kind === 'request' && direction === 'out')
        this.#request(reading.message, { connection, transport })
      if (reading.kind === 'result' && direction === 'in') this.#result(reading.message, connection)
    }
  }

  all(): readonly RecordedCall[] {
    return this.#calls
  }

  #request(
    { method, params, id }: Request,
    { connection, transport }: { readonly connection: string; readonly transport: string },
  ): void {
    if (method === 'tools/list' && this.#lists.size < MAX_LISTS)
      this.#lists.add(keyOf(connection, id))
    const { tool, args } = actOf({ method, params }) ?? {}
    if (typeof tool !== 'string' || isLaterRound(params)) return
    if (this.#calls.length >= MAX_CALLS) return
    this.#calls.push({
      server: transport,
      tool,
      args: isJsonObject(args) ? args : {},
      hints: tool === RESOURCES_READ ? hintsOf(READING) : this.#hints.get(keyOf(connection, tool)),
    })
  }

  #result({ id, result }: ResultResponse, connection: string): void {
    const { tools } = result
    if (!this.#lists.delete(keyOf(connection, id)) || !Array.isArray(tools)) return
    for (const tool of tools) {
      if (!isJsonObject(tool) || typeof tool['name'] !== 'string') continue
      if (!isJsonObject(tool['annotations']) || this.#hints.size >= MAX_TOOLS) continue
      // An object by the line above; odd values in it count as absent.
      const { annotations } = tool as { readonly annotations: ToolAnnotations }
      this.#hints.set(keyOf(connection, tool['name']), hintsOf({ annotations }))
    }
  }
}

/** The same call made again with the answers to what its server asked. */
function isLaterRound(params: JsonObject | undefined): boolean {
  return params?.['inputResponses'] !== undefined || params?.['requestState'] !== undefined
}

/** IDs `1` and `"1"` are different ones. */
function keyOf(connection: string, id: string | number): string {
  return JSON.stringify([connection, id])
}
