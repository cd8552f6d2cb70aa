/**
 * A client that is connected and ready. There is no half-open one: `connect` makes it.
 */

import { asError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { ServerFacts } from '../protocol/dialect.ts'
import type { CallToolResult, Tool } from '../protocol/types/tools.ts'
import { call, callAs } from './call.ts'
import type { Change, ChangeFilter } from './change-queue.ts'
import type { Connection } from './connection.ts'
import type { CallOptions } from './options.ts'
import { listPages, type ListOptions } from './pages.ts'
import { subscribe } from './subscriptions.ts'
import { readTools } from './tools.ts'

export class Client implements AsyncDisposable {
  readonly #connection: Connection

  /** For `connect`. */
  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Revision, era, and what the server says of itself. Another one may answer after the connection was opened again. */
  get server(): ServerFacts {
    return this.#connection.caller.server
  }

  /** Names the connection in captures; a new name each time it is opened again. */
  get connection(): string {
    return this.#connection.channel.connection
  }

  /** Settles when the client is over, for whatever reason, and not when a lost connection is opened again; never rejects. */
  get closed(): Promise<void> {
    return this.#connection.closed
  }

  /** Why the client is over, once it is and if something failed. */
  get closeReason(): Error | undefined {
    return this.#connection.reason
  }

  /**
   * Every tool, from all pages, in the server's order. A tool that cannot be used as it stands is mended or left out, with
   * a note on the wire. The answer is also what later calls are checked against.
   */
  async listTools(options: ListOptions = {}): Promise<readonly Tool[]> {
    const { caller, channel } = this.#connection
    const note = channel.note.bind(channel)
    const tools = readTools(
      await listPages(caller, 'tools/list', 'tools', { ...options, note }),
      note,
    )
    this.#connection.standing.checks.learn(tools)
    return tools
  }

  /**
   * Calls a tool and gives its result; a failed tool is a result with `isError`, no throw. Questions of the server on the way
   * are answered by the `answers` of the client. Arguments are checked first when a list told the tool's schema.
   */
  callTool(name: string, args: JsonObject = {}, options?: CallOptions): Promise<CallToolResult> {
    if (!this.#connection.caller.settings.checkArguments) return this.#call(name, args, options)
    try {
      const checking = this.#connection.standing.checks.checkArguments(name, args)
      return checking === undefined
        ? this.#call(name, args, options)
        : checking.then(() => this.#call(name, args, options))
    } catch (error) {
      return Promise.reject(asError(error))
    }
  }

  #call(name: string, args: JsonObject, options: CallOptions | undefined): Promise<CallToolResult> {
    const params = { name, arguments: args }
    return callAs(this.#connection.caller, { method: 'tools/call', params, options }, (raw) => {
      const result = raw as unknown as CallToolResult // decodeResult made sure of `content`
      if (!this.#connection.caller.settings.checkResults) return result
      return (
        this.#connection.standing.checks.checkResult(name, result)?.then(() => result) ?? result
      )
    })
  }

  /**
   * Changes on the server until `signal` aborts, the loop is left, or the server ends it. Read what changed again: a change
   * says only that there was one. What changed before is never told: begin to listen, then read what you watch. After an
   * interruption everything that was asked for is told once, since it may have changed meanwhile. // SUB-13
   */
  changes(
    filter: ChangeFilter,
    options: { readonly signal?: AbortSignal } = {},
  ): AsyncIterableIterator<Change> {
    const queue = subscribe(this.#connection, filter)
    const { signal } = options
    if (signal?.aborted === true) queue.end()
    else signal?.addEventListener('abort', () => queue.end(), { once: true })
    return queue
  }

  /** Any request, for what has no method of its own here. Gives the result as it came. */
  request(method: string, params?: JsonObject, options?: CallOptions): Promise<JsonObject> {
    return call(this.#connection.caller, method, params, options)
  }

  /** A notification. `params` must be what the agreed revision wants. */
  notify(method: string, params?: JsonObject): void {
    this.#connection.caller.peer.notify(method, params)
  }

  /** Ends the connection and what was started for it; everything pending rejects. May be called more than once. */
  close(): Promise<void> {
    return this.#connection.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
