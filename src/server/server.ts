/**
 * A server: what it offers, to any number of links at once, in every revision.
 *
 * It holds no conversation: what belongs to one link lives in `serve.ts` and dies with it.
 */

import { UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Transport } from '../jsonrpc/link.ts'
import type { WireSink } from '../jsonrpc/wire.ts'
import { missingCapability } from '../protocol/capability.ts'
import type { Dialect, ServerIdentity } from '../protocol/dialect.ts'
import type { ToolDefinition } from '../tools/define.ts'
import type { MethodFunction, Served } from './dispatch.ts'
import { Features } from './features.ts'
import { PagedList } from './list.ts'
import { identityOf, serverSettingsOf, type ServerOptions, type ServerSettings } from './options.ts'
import { Sealer } from './request-state.ts'
import { serveLink, type ServedLink } from './serve.ts'
import { TOOLS_CHANGED } from './subscriptions.ts'

export class Server implements AsyncDisposable {
  /** Add and remove at any time; clients that asked for it are told. Names are unique. */
  readonly tools: Features<ToolDefinition>
  readonly #settings: ServerSettings
  readonly #methods = new Map<string, MethodFunction>()
  readonly #links = new Set<ServedLink>()
  readonly #wire: WireSink | undefined
  readonly #maxMessageBytes: number | undefined
  readonly #toolList: PagedList<ToolDefinition>
  readonly #sealer: Sealer
  readonly #listeners = new Set<(method: string, params: JsonObject | undefined) => void>()
  readonly #served = new Map<Dialect, Set<string>>()
  #declaresTools: boolean
  #identity: ServerIdentity | undefined
  #changed = false

  constructor(options: ServerOptions) {
    this.#settings = serverSettingsOf(options)
    this.#wire = options.wire
    this.#maxMessageBytes = options.maxMessageBytes
    this.#declaresTools = options.tools !== undefined
    this.#sealer = new Sealer({
      clock: this.#settings.clock,
      random: this.#settings.random,
      ...(options.stateKeys === undefined ? {} : { keys: options.stateKeys }),
    })
    this.#toolList = new PagedList<ToolDefinition>(
      {
        method: 'tools/list',
        member: 'tools',
        nameOf: (one) => one.tool.name,
        items: () => this.tools,
        told: (one) => one.tool as unknown as JsonObject, // a Tool holds JSON values only
        pageSize: this.#settings.pageSize,
      },
      () => this.#self(),
    )
    this.tools = new Features<ToolDefinition>(
      'tool',
      (one) => one.tool.name,
      () => this.#toolsChanged(),
    )
    this.tools.add(...(options.tools ?? []))
  }

  /**
   * Answers a method by hand: one of an extension, or one of the protocol in another way than this class does. Replaces
   * an earlier one.
   */
  handle(method: string, answer: MethodFunction): void {
    if (method === 'initialize')
      throw new UsageError('initialize cannot be answered by hand: it opens the session.')
    this.#methods.set(method, answer)
  }

  /** Hears every notification of every client that is not about a request. Gives a function that stops it. */
  onNotification(listener: (method: string, params: JsonObject | undefined) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Serves one link and settles when it is gone. Rejects with a `TransportError` when it cannot be opened. */
  async accept(transport: Transport): Promise<void> {
    let link: ServedLink | undefined
    try {
      await serveLink(this.#face(), transport, {
        wire: this.#wire,
        maxMessageBytes: this.#maxMessageBytes,
        onOpen: (opened) => {
          link = opened
          this.#links.add(opened)
        },
      })
    } finally {
      if (link !== undefined) this.#links.delete(link)
    }
  }

  /** Ends every link in order. The server may accept others afterwards. */
  async close(): Promise<void> {
    await Promise.all([...this.#links].map((link) => link.close()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #face(): Served {
    return {
      settings: this.#settings,
      tools: this.tools,
      toolList: this.#toolList,
      sealer: this.#sealer,
      methods: this.#methods,
      identity: () => this.#self(),
      heard: (method, params) => {
        for (const listener of this.#listeners) listener(method, params)
      },
      serves: (dialect, method) => this.#serves(dialect, method),
      newId: () =>
        [...this.#settings.random(6)].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    }
  }

  #self(): ServerIdentity {
    this.#identity ??= identityOf(this.#settings, this.#declaresTools)
    return this.#identity
  }

  /** Looked up once for each method of a dialect: what a server declares seldom changes. // ERR-14 */
  #serves(dialect: Dialect, method: string): boolean {
    let methods = this.#served.get(dialect)
    if (methods === undefined) this.#served.set(dialect, (methods = new Set()))
    if (methods.has(method)) return true
    const rule = dialect.methods.get(method)
    if (rule === undefined || rule.sender === 'server' || rule.kind !== 'request') return false
    // What a client asks for depends on what its receiver declared, whatever it can do itself.
    const { capabilities } = this.#self()
    const declared = { client: {}, server: capabilities, sender: 'client' } as const
    if (missingCapability(rule, declared) !== undefined) return false
    methods.add(method)
    return true
  }

  /** Changes of one breath are told once. // TOOL-23 */
  #toolsChanged(): void {
    if (!this.#declaresTools) {
      this.#declaresTools = true
      this.#identity = undefined
    }
    this.#toolList.forget()
    if (this.#changed || this.#links.size === 0) return
    this.#changed = true
    queueMicrotask(() => {
      this.#changed = false
      for (const link of this.#links) link.tell(TOOLS_CHANGED)
    })
  }
}
