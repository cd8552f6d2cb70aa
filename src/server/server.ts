/**
 * A server: what it offers, to any number of links at once, in every revision.
 *
 * It holds no conversation: what belongs to one link lives in `serve.ts` and dies with it.
 */

// For programs that read the declarations with no library of disposables of their own.
/// <reference lib="esnext.disposable" preserve="true" />

import { UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { Roster } from '../base/roster.ts'
import { isUri } from '../formats/uri.ts'
import type { Transport } from '../jsonrpc/link.ts'
import type { WireSink } from '../jsonrpc/wire.ts'
import { missingCapability } from '../protocol/capability.ts'
import type { Dialect, ServerIdentity } from '../protocol/dialect.ts'
import type { ToolDefinition } from '../tools/define.ts'
import type { PromptDefinition } from '../tools/prompt.ts'
import type { ResourceDefinition } from '../tools/resource.ts'
import type { TemplateDefinition } from '../tools/template.ts'
import { LIST_CHANGES, type ChangeNotice } from './changes.ts'
import { inEras, type ServerExtension } from './extension.ts'
import type { Features } from './features.ts'
import { Offers, type ListKind } from './offers.ts'
import { identityOf, serverSettingsOf, type ServerOptions, type ServerSettings } from './options.ts'
import { Rates } from './rates.ts'
import { Sealer } from './request-state.ts'
import type { ServedLink } from './serve.ts'
import type { MethodFunction } from './method.ts'
import type { Served, Speaker, TaskKeeper } from './served.ts'
import type { TaskOptions } from './task-options.ts'
import { usedStatesInMemory, type UsedStates } from './used-states.ts'

/** Loaded with the first link that any server accepts; later ones wait for nothing. */
let serving: typeof import('./serving.ts') | undefined

/** Hears a notification of a client, and who sent it. `params` are peer values, unchecked. */
export type NotificationListener = (
  method: string,
  params: JsonObject | undefined,
  from: Speaker,
) => void

export interface AcceptOptions {
  /** False for a link that carries one request: `initialize` opens no session on it. Default true. */
  readonly handshake?: boolean
  /** Whose link it is; `close` can end those of one group. */
  readonly group?: object
}

export class Server implements AsyncDisposable {
  /** Add and remove at any time; clients that asked for it are told. Names are unique. */
  readonly tools: Features<ToolDefinition>
  /** Resources with a URI of their own. Add and remove at any time, as with tools. */
  readonly resources: Features<ResourceDefinition>
  /** Templates, by their text. Asked in their order for a URI that is no resource's. */
  readonly templates: Features<TemplateDefinition>
  readonly prompts: Features<PromptDefinition>
  readonly #settings: ServerSettings
  readonly #methods = new Map<string, MethodFunction>()
  readonly #links = new Roster<ServedLink>()
  readonly #wire: WireSink | undefined
  readonly #maxMessageBytes: number | undefined
  readonly #offers: Offers
  readonly #sealer: Sealer
  readonly #usedStates: UsedStates | undefined
  readonly #completions: Rates
  readonly #taskOptions: boolean | TaskOptions | undefined
  #tasks: TaskKeeper | undefined
  readonly #listeners = new Set<NotificationListener>()
  readonly #served = new Map<Dialect, Set<string>>()
  #identity: ServerIdentity | undefined
  #face: Served | undefined
  /** Changes of this breath, by list or URI: each is told once. */
  readonly #untold = new Map<string, ChangeNotice>()

  constructor(options: ServerOptions) {
    this.#settings = serverSettingsOf(options)
    this.#wire = options.wire
    this.#maxMessageBytes = options.maxMessageBytes
    const { clock, random, completionsPerSecond } = this.#settings
    const { singleUse = true, stateKeys: keys } = options
    this.#taskOptions = options.tasks
    this.#sealer = new Sealer({ clock, random, ...(keys === undefined ? {} : { keys }) })
    this.#usedStates = usedStatesOf(singleUse, this.#settings)
    this.#completions = new Rates(clock, {
      burst: completionsPerSecond * 2,
      perSecond: completionsPerSecond,
    })
    this.#offers = new Offers({
      settings: this.#settings,
      self: () => this.#self(),
      changed: (kind, declaredMore) => this.#changed(kind, declaredMore),
    })
    this.tools = this.#offers.tools
    this.resources = this.#offers.resources
    this.templates = this.#offers.templates
    this.prompts = this.#offers.prompts
    if (options.tools !== undefined) this.#offers.declare('tools')
    if ((options.resources ?? options.templates) !== undefined) this.#offers.declare('resources')
    if (options.prompts !== undefined) this.#offers.declare('prompts')
    this.tools.add(...(options.tools ?? []))
    this.resources.add(...(options.resources ?? []))
    this.templates.add(...(options.templates ?? []))
    this.prompts.add(...(options.prompts ?? []))
    for (const extension of options.extensions ?? []) this.#extend(extension)
  }

  /**
   * Tells that what is at a URI has changed, to every client that watches it or something above it: whoever subscribed to
   * `file:///notes` hears of `file:///notes/monday`. Changes of one breath are told once. // RES-05, RES-06, RES-15
   */
  resourceUpdated(uri: string): void {
    if (!isUri(uri)) throw new UsageError(`${JSON.stringify(uri)} is no absolute URI.`)
    this.#tellSoon(uri, {
      method: 'notifications/resources/updated',
      uri,
      mayHear: (facts) => this.#offers.mayHear(uri, facts),
    })
  }

  /**
   * Tells the client that was asked to send a person to a URL, under this `elicitationId`, that the person is done there.
   * Only 2025-11-25 has this notice; elsewhere, and for an id that nobody was given, nothing happens. Make sure first that
   * whoever came to the URL is the one that the request was for. // ELIC-16, ELIC-24
   */
  elicitationComplete(elicitationId: string): void {
    for (const link of this.#links) link.tellVisited(elicitationId)
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

  /**
   * Hears every notification of every client that is not about a request, e.g. `notifications/roots/list_changed`. Gives a
   * function that stops it. // ROOT-05
   */
  onNotification(listener: NotificationListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Serves one link and settles when it is gone. Rejects with a `TransportError` when it cannot be opened. */
  async accept(transport: Transport, options: AcceptOptions = {}): Promise<void> {
    const { serveLink, serverTasksOf } = (serving ??= await import('./serving.ts'))
    if (this.#face === undefined) {
      this.#tasks = serverTasksOf(this.#taskOptions, this.#settings)
      this.#face = this.#madeFace()
    }
    const link = await serveLink(this.#face, transport, {
      wire: this.#wire,
      maxMessageBytes: this.#maxMessageBytes,
      handshake: options.handshake !== false,
      links: this.#links,
      group: options.group,
    })
    await link.ended
    this.#links.remove(link)
    await link.release()
  }

  /** Ends every link in order, or those of one group. The server may accept others afterwards. */
  async close(group?: object): Promise<void> {
    const links = [...this.#links].filter((link) => group === undefined || link.group === group)
    await Promise.all(links.map((link) => link.close()))
    if (group === undefined) this.#tasks?.close()
  }

  /** What it was made with, every default in place. */
  get settings(): ServerSettings {
    return this.#settings
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #madeFace(): Served {
    return {
      settings: this.#settings,
      offers: this.#offers,
      sealer: this.#sealer,
      usedStates: this.#usedStates,
      completions: this.#completions,
      methods: this.#methods,
      tasks: this.#tasks,
      identity: () => this.#self(),
      heard: (method, params, from) => {
        for (const listener of this.#listeners) listener(method, params, from)
      },
      serves: (dialect, method) => this.#serves(dialect, method),
      newId: (bytes = 6) =>
        [...this.#settings.random(bytes)]
          .map((byte) => byte.toString(16).padStart(2, '0'))
          .join(''),
    }
  }

  #extend({ extension, methods, resources }: ServerExtension): void {
    for (const [method, answer] of methods)
      this.#methods.set(method, inEras(extension, method, answer))
    if (resources === undefined) return
    this.#offers.declare('resources')
    this.resources.add(...resources)
  }

  #self(): ServerIdentity {
    this.#identity ??= identityOf(this.#settings, this.#offers.capabilities())
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

  /** What is offered may have become more, and with it what is declared. // TOOL-23, RES-07, PRMT-07 */
  #changed(kind: ListKind, declaredMore: boolean): void {
    if (declaredMore) this.#identity = undefined
    this.#tellSoon(kind, LIST_CHANGES[kind])
  }

  #tellSoon(what: string, notice: ChangeNotice): void {
    if (this.#links.size === 0) return
    if (this.#untold.size === 0) queueMicrotask(() => this.#tell())
    this.#untold.set(what, notice)
  }

  #tell(): void {
    const notices = [...this.#untold.values()]
    this.#untold.clear()
    for (const link of this.#links) for (const notice of notices) link.tell(notice)
  }
}

function usedStatesOf(
  singleUse: boolean | UsedStates,
  { clock }: ServerSettings,
): UsedStates | undefined {
  if (singleUse === false) return undefined
  return singleUse === true ? usedStatesInMemory(clock) : singleUse
}
