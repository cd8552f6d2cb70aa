/**
 * A client that is connected and ready. There is no half-open one: `connect` makes it.
 */

import { asError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import type { ServerFacts } from '../protocol/dialect.ts'
import type { CallToolResult, Tool } from '../protocol/types/tools.ts'
import { call, callAs, type Caller } from './call.ts'
import type { CallOptions } from './options.ts'
import { listPages, type ListOptions } from './pages.ts'
import { hear, listen, type Change, type ChangeFilter, type ChangeQueue } from './subscriptions.ts'
import { readTools, ToolChecks } from './tools.ts'

export class Client implements AsyncDisposable {
  /** Revision, era, and what the server says of itself. */
  readonly server: ServerFacts
  readonly #caller: Caller
  readonly #channel: Channel
  readonly #listeners: Set<ChangeQueue>
  readonly #checks = new ToolChecks()

  /** For `connect`; `listeners` are fed with broadcast changes by whoever hears them. */
  constructor(caller: Caller, channel: Channel, listeners: Set<ChangeQueue>) {
    this.#caller = caller
    this.#channel = channel
    this.#listeners = listeners
    this.server = caller.server
    void caller.peer.ended.then(() => {
      for (const listener of listeners) listener.end()
    })
  }

  /** Names the connection in captures. */
  get connection(): string {
    return this.#channel.connection
  }

  /** Settles when the connection is over, for whatever reason; never rejects. */
  get closed(): Promise<void> {
    return this.#caller.peer.ended
  }

  /** Why the connection ended, once it has and if it failed. */
  get closeReason(): Error | undefined {
    return this.#channel.reason
  }

  /**
   * Every tool, from all pages, in the server's order. A tool that cannot be used as it stands is mended or left out, with
   * a note on the wire. The answer is also what later calls are checked against.
   */
  async listTools(options: ListOptions = {}): Promise<readonly Tool[]> {
    const note = this.#channel.note.bind(this.#channel)
    const tools = readTools(
      await listPages(this.#caller, 'tools/list', 'tools', { ...options, note }),
      note,
    )
    this.#checks.learn(tools)
    return tools
  }

  /**
   * Calls a tool and gives its result; a failed tool is a result with `isError`, no throw. Questions of the server on the way
   * are answered by the `answers` of the client. Arguments are checked first when a list told the tool's schema.
   */
  callTool(name: string, args: JsonObject = {}, options?: CallOptions): Promise<CallToolResult> {
    if (!this.#caller.settings.checkArguments) return this.#call(name, args, options)
    try {
      const checking = this.#checks.checkArguments(name, args)
      return checking === undefined
        ? this.#call(name, args, options)
        : checking.then(() => this.#call(name, args, options))
    } catch (error) {
      return Promise.reject(asError(error))
    }
  }

  #call(name: string, args: JsonObject, options: CallOptions | undefined): Promise<CallToolResult> {
    const params = { name, arguments: args }
    return callAs(this.#caller, { method: 'tools/call', params, options }, (raw) => {
      const result = raw as unknown as CallToolResult // decodeResult made sure of `content`
      if (!this.#caller.settings.checkResults) return result
      return this.#checks.checkResult(name, result)?.then(() => result) ?? result
    })
  }

  /**
   * Changes on the server until `signal` aborts, the loop is left, or the server ends it. Read what changed again: a change
   * says only that there was one. What changed before, or between two streams, is never told: begin to listen, then read
   * what you watch, each time anew. // SUB-13
   */
  changes(
    filter: ChangeFilter,
    options: { readonly signal?: AbortSignal } = {},
  ): AsyncIterableIterator<Change> {
    const queue =
      this.#caller.dialect.traits.changes === 'listen'
        ? listen(this.#caller, filter, (kind, data) => this.#channel.note({ kind, data }))
        : hear(this.#caller, filter, this.#listeners)
    const { signal } = options
    if (signal?.aborted === true) queue.end()
    else signal?.addEventListener('abort', () => queue.end(), { once: true })
    return queue
  }

  /** Any request, for what has no method of its own here. Gives the result as it came. */
  request(method: string, params?: JsonObject, options?: CallOptions): Promise<JsonObject> {
    return call(this.#caller, method, params, options)
  }

  /** A notification. `params` must be what the agreed revision wants. */
  notify(method: string, params?: JsonObject): void {
    this.#caller.peer.notify(method, params)
  }

  /** Ends the connection and what was started for it; everything pending rejects. May be called more than once. */
  close(): Promise<void> {
    return this.#caller.peer.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
