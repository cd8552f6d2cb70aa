/**
 * A client that is connected and ready. There is no half-open one: `connect` makes it.
 */

// For programs that read the declarations with no library of disposables of their own.
/// <reference lib="esnext.disposable" preserve="true" />

import { asError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { ServerFacts } from '../protocol/dialect.ts'
import type { LoggingLevel } from '../protocol/types/common.ts'
import type { GetPromptResult, Prompt } from '../protocol/types/prompts.ts'
import type { ReadResourceResult, Resource, ResourceTemplate } from '../protocol/types/resources.ts'
import type { CallToolResult, Tool } from '../protocol/types/tools.ts'
import type { CachedCallOptions } from './cached-call.ts'
import { call, callAs } from './call.ts'
import type { Change, ChangeFilter } from './change-queue.ts'
import type { Connection } from './connection.ts'
import type { ListMethod } from './entries.ts'
import type { CallOptions } from './options.ts'
import { readList, readPages, type ListOptions, type Pages } from './pages.ts'
import { complete, getPrompt, readResource, type Completion, type CompletionWish } from './reads.ts'
import { discover, ping, rootsChanged, setLogLevel, type Discovery } from './session.ts'
import { subscribe } from './subscriptions.ts'
import { taskWish } from './task-wish.ts'
import { listTools } from './tool-list.ts'

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
  listTools(options: ListOptions = {}): Promise<readonly Tool[]> {
    return listTools(this.#connection, options)
  }

  /** Every resource that the server lists, read as tools are. There may be others: templates tell of them, and links. */
  listResources(options: ListOptions = {}): Promise<readonly Resource[]> {
    return readList(this.#connection, 'resources/list', options)
  }

  listResourceTemplates(options: ListOptions = {}): Promise<readonly ResourceTemplate[]> {
    return readList(this.#connection, 'resources/templates/list', options)
  }

  listPrompts(options: ListOptions = {}): Promise<readonly Prompt[]> {
    return readList(this.#connection, 'prompts/list', options)
  }

  /**
   * A list page by page, each as soon as it is there: for lists too long to wait for. Within the same limits, and as lenient.
   * Leave the loop to stop. Tools that are read so are not what later calls are checked against.
   */
  pages<Method extends ListMethod>(method: Method, options: ListOptions = {}): Pages<Method> {
    return readPages(this.#connection.caller, method, options)
  }

  /**
   * Calls a tool and gives its result; a failed tool is a result with `isError`, no throw. Questions of the server on the way
   * are answered by the `answers` of the client. Arguments are checked first when a list told the tool's schema.
   */
  callTool(name: string, args: JsonObject = {}, options?: CallOptions): Promise<CallToolResult> {
    const { caller, standing } = this.#connection
    if (!caller.settings.checkArguments) return this.#call(name, args, options)
    try {
      const checking = standing.checks.checkArguments(name, args)
      return checking === undefined
        ? this.#call(name, args, options)
        : checking.then(() => this.#call(name, args, options))
    } catch (error) {
      return Promise.reject(asError(error))
    }
  }

  #call(name: string, args: JsonObject, options: CallOptions | undefined): Promise<CallToolResult> {
    const { caller, standing } = this.#connection
    const task = taskWish(caller, standing.checks.tool(name), options)
    const params = task === undefined ? { name, arguments: args } : { name, arguments: args, task }
    const headers = caller.mirrors ? standing.checks.headersFor(name, args) : undefined // HTTP-64
    return callAs(caller, { method: 'tools/call', params, options, headers }, (raw) => {
      const result = raw as unknown as CallToolResult // decodeResult made sure of `content`
      if (!caller.settings.checkResults) return result
      return standing.checks.checkResult(name, result)?.then(() => result) ?? result
    })
  }

  /**
   * What a resource holds: one content or several, each `text` or Base64 (`blob`). A resource that is missing is an `RpcError`
   * that `isResourceNotFound` knows.
   */
  readResource(uri: string, options?: CachedCallOptions): Promise<ReadResourceResult> {
    return readResource(this.#connection.caller, uri, options)
  }

  /** The messages of a prompt. Its arguments are strings. */
  getPrompt(
    name: string,
    args: { readonly [name: string]: string } = {},
    options?: CallOptions,
  ): Promise<GetPromptResult> {
    return getPrompt(this.#connection.caller, { name, args }, options)
  }

  /**
   * Suggestions for an argument of a prompt or a variable of a resource template: at most 100, best first. `context` holds what
   * other arguments are already.
   */
  complete(
    ref: CompletionWish['ref'],
    argument: CompletionWish['argument'],
    ...[context, options]: [context?: CompletionWish['context'], options?: CallOptions]
  ): Promise<Completion> {
    return complete(this.#connection.caller, { ref, argument, context }, options)
  }

  /**
   * Asks for a sign of life, and rejects when there is none in time. In the modern era, which has no `ping`, the server is asked
   * what it is instead: the one request that every server answers and that changes nothing. // PING-04
   */
  ping(options?: CallOptions): Promise<void> {
    return ping(this.#connection.caller, options)
  }

  /** Asks the server what it is, each time anew. `CapabilityError` where the handshake told it once and for all. */
  discover(options?: CallOptions): Promise<Discovery> {
    return discover(this.#connection.caller, options)
  }

  /**
   * The least level of log messages to be sent from now on, also after the connection was opened again. Where each request
   * asks for itself, all later ones do, unless a call names its own level.
   */
  setLogLevel(level: LoggingLevel, options?: CallOptions): Promise<void> {
    return setLogLevel(this.#connection.caller, level, options)
  }

  /**
   * Tells the server that the roots are others now. Needs `answers.roots` as a function, which is what declares that they may
   * change. Does nothing in the modern era: a server asks anew whenever it wants to know. // ROOT-05
   */
  rootsChanged(): void {
    rootsChanged(this.#connection.caller)
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
