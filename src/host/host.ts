/**
 * The host: many servers and the program's own tools behind one list and one gate. A server that fails takes nothing else
 * with it, and a model sees a change only between two turns.
 */

// For programs that read the declarations with no library of disposables of their own.
/// <reference lib="esnext.disposable" preserve="true" />

import { asError, describeError, UsageError } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import type { FlowLabel, ServerEntry } from '../config/entry.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import type { ToolDefinition } from '../tools/define.ts'
import { loadStdio } from '../transport/node/stdio-client.ts'
import type { AttachedServer, Offer } from './attached.ts'
import { loggedPolicyOf } from './config-policy.ts'
import type { HostCallOptions, HostOptions } from './host-options.ts'
import { openParts, protectedPathsOf, type HostParts } from './host-parts.ts'
import type { HostTool, ServerInstructions, ToolChanges, ToolIdentity } from './host-tool.ts'
import { KnownSecrets } from './known-secrets.ts'
import { answersFor } from './questions.ts'
import { firstState } from './reasons.ts'
import { withReading } from './resource-reading.ts'
import { Registry, type ReloadReport } from './registry.ts'
import { mayBecomeReady, takesCalls, type ServerStatus } from './state.ts'

export class Host implements AsyncDisposable {
  readonly #options: HostOptions
  readonly #parts: HostParts
  readonly #registry: Registry
  /** Whoever waits for servers to come to something. */
  readonly #waiting = new Set<() => void>()
  #closing: Promise<void> | undefined

  private constructor(options: HostOptions, parts: HostParts) {
    const { clock, logger, consent, seals } = parts
    const { random, wire, transport, answers = {} } = options
    this.#options = options
    this.#parts = parts
    this.#registry = new Registry({
      clock,
      logger,
      ...(random !== undefined && { random }),
      ...(wire !== undefined && { wire }),
      ...(transport !== undefined && { transport }),
      ...(parts.jobs !== undefined && { jobs: parts.jobs }),
      answers: (entry) => answersFor(entry.key, answers, { consent, clock }),
      seal: (key, way) => seals.guard(key, way),
      onStatus: (status) => this.#heard(status),
      onOffer: (key, offer) => this.#offered(key, offer),
    })
  }

  /**
   * Starts all servers of the configuration at once and waits for those that are required; the others come when they come,
   * see `settled`. Rejects when a required one fails, or when a file of the host cannot be used, and then leaves nothing behind.
   */
  static async open(config: Config, options: HostOptions = {}): Promise<Host> {
    const made: { registry?: Registry } = {}
    // Loaded while the files are read; whoever waits for it hears what is wrong with it.
    if (config.entries.some((entry) => isStarted(entry))) loadStdio().catch(() => undefined)
    const parts = await openParts(config, options, (key) => made.registry?.get(key))
    const host = new Host(options, parts)
    made.registry = host.#registry
    host.#registry.limitCalls(config.settings.totalConcurrency)
    try {
      const attached = await host.#attachAll(config.entries)
      const required = attached.filter(({ entry }) => entry.start === 'required' && !entry.disabled)
      await Promise.all(required.map((server) => server.ready()))
      return host
    } catch (error) {
      await host.close()
      throw asError(error)
    }
  }

  /** Adds a server, behind the others; it is started at once unless it is lazy. Throws a `UsageError` for a key that is there. */
  attach(entry: ServerEntry): void {
    this.#attach(entry)
  }

  /** The first process is on its way before the others are prepared, so that nothing waits for the work on them. */
  async #attachAll(entries: readonly ServerEntry[]): Promise<readonly AttachedServer[]> {
    const first = entries.findIndex((entry) => isStarted(entry))
    if (first >= 0) await loadStdio()
    const attached: AttachedServer[] = []
    for (const [at, entry] of entries.entries()) {
      attached.push(this.#attach(entry))
      if (at === first) await new Promise(setImmediate)
    }
    return attached
  }

  #attach(entry: ServerEntry): AttachedServer {
    const server = this.#registry.attach(entry)
    this.#parts.pinning.recall(entry)
    return server
  }

  /** Ends a server and forgets it; its tools are gone with the next `turn`. Calls that run fail. */
  async detach(key: string): Promise<void> {
    await this.#registry.detach(key)
    this.#parts.pinning.forget(key)
  }

  /** Starts a server that is lazy, and does nothing for one that runs. */
  start(key: string): void {
    this.#server(key).start()
  }

  /** Begins anew with a server, also with one that was given up. */
  restart(key: string): void {
    this.#server(key).restart()
  }

  /**
   * Goes over to another configuration: only servers whose entries differ are ended, begun or begun anew. Policy, secrets and
   * protected files are the new ones from here on; the lock file stays where it was.
   */
  async reload(config: Config): Promise<ReloadReport> {
    const { judge, lock, logger, pinning } = this.#parts
    judge.replace({
      ...(this.#options.policy === undefined && { policy: loggedPolicyOf(config, logger) }),
      secrets: new KnownSecrets(config.entries),
      protected: await protectedPathsOf(config, lock, this.#options.home),
    })
    this.#registry.limitCalls(config.settings.totalConcurrency)
    const report = await this.#registry.reload(config.entries)
    for (const key of [...report.removed, ...report.replaced]) pinning.forget(key)
    for (const entry of config.entries) pinning.recall(entry)
    return report
  }

  /** How each server stands, in the order of the configuration. */
  servers(): readonly ServerStatus[] {
    return this.#registry.servers().map(({ status }) => status)
  }

  /**
   * Settles when no server is being started any more, whatever came of it; lazy ones are not waited for. Bounded by the limits
   * of their starts. Rejects with the reason of `signal`.
   */
  async settled(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const { signal } = options
    while (this.#registry.starting && this.#closing === undefined) {
      signal?.throwIfAborted()
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        this.#waiting.add(wake)
        signal?.addEventListener('abort', wake, { once: true })
      })
    }
    signal?.throwIfAborted()
  }

  /**
   * Adds tools of the program itself, by their bare names; in the list from the next `turn` on. `labels` say what they do to
   * the flow of data. Throws a `UsageError` for a name that is taken or could be a server's.
   */
  mount(
    tools: readonly ToolDefinition[],
    options: { readonly labels?: readonly FlowLabel[] } = {},
  ): void {
    this.#parts.catalog.mount(tools, options.labels ?? [])
  }

  /** The tools as of the last `turn`; empty before the first. */
  tools(): readonly HostTool[] {
    return this.#parts.catalog.tools()
  }

  /**
   * Takes in what has changed. Call it before each turn of a conversation: in between, the list stays as it is, and a tool that
   * changes is only held. Order: native tools, servers as configured, tools as their server lists them; later ones at the end.
   */
  turn(): ToolChanges {
    const present = this.#registry
      .servers()
      .filter(({ state }) => takesCalls(state) || mayBecomeReady(state))
    return this.#parts.catalog.turn(present.map(({ entry }) => entry))
  }

  /**
   * Calls a tool of the list, by its name there or by what it is. The one way to a tool: by policy, grant or consent, with the
   * decision written down first. A failed tool is a result with `isError`; a refusal is a `PolicyError`.
   */
  callTool(
    id: string | ToolIdentity,
    args: unknown = {},
    options: HostCallOptions = {},
  ): Promise<CallToolResult> {
    return this.#parts.gate.call(id, args, options)
  }

  /** The servers whose resources can be read, as of the last `turn`: by `read_resource`, or as `{ server, name: 'resources/read' }`. With `held` also those whose reading is held. */
  readable(options: { readonly held?: boolean } = {}): readonly string[] {
    return this.#parts.catalog.readable(options)
  }

  /** What servers say about their use, as of the last `turn`: of those whose word was approved, cleaned and cut. */
  instructions(): readonly ServerInstructions[] {
    return this.#parts.catalog.instructions()
  }

  /** Approves what a server offers now: one tool, or all of them and its instructions. Settles when it is written down. */
  async approve(server: string, tool?: string): Promise<void> {
    const { pinning } = this.#parts
    const { entry } = this.#server(server)
    if (tool !== undefined && pinning.standing(server, tool) === undefined)
      throw new UsageError(
        `The server ${JSON.stringify(server)} offers no tool ${JSON.stringify(tool)} now.`,
      )
    pinning.approve(entry, tool)
    await pinning.save()
  }

  /** A new conversation: what was read is forgotten, and so are the grants of the session. */
  newSession(): void {
    this.#parts.judge.newSession()
  }

  /**
   * A conversation of before goes on: what its tools had given counts as read in this session. By alias, as of the last `turn`, and
   * `SERVER__resources/read` for resources; what a tool gave that is not in the list any more counts as untrusted.
   */
  recall(aliases: Iterable<string>): void {
    const { catalog, judge } = this.#parts
    for (const alias of aliases)
      judge.sent({ alias, labels: catalog.labelsOf(alias) ?? ['untrusted-content'] })
  }

  /** Ends every server and writes what is to be kept. May be called more than once. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    const { pinning, ownAudit, wire } = this.#parts
    for (const wake of this.#waiting) wake()
    try {
      await this.#registry.close()
      await pinning.save()
    } finally {
      await ownAudit?.close()
      wire.close()
    }
  }

  #server(key: string): AttachedServer {
    const server = this.#registry.get(key)
    if (server === undefined) throw new UsageError(`There is no server ${JSON.stringify(key)}.`)
    return server
  }

  #heard(status: ServerStatus): void {
    for (const wake of this.#waiting) wake()
    this.#options.onStatus?.(status)
  }

  #offered(key: string, offer: Offer | undefined): void {
    const { pinning, logger } = this.#parts
    const entry = this.#registry.get(key)?.entry
    // Without an offer the server is away: what it offered stays until it says otherwise.
    if (offer === undefined || entry === undefined) return
    pinning.offer(entry, withReading(offer))
    pinning.save().catch((error: unknown) => {
      logger.warn('what was pinned could not be written down', { error: describeError(error) })
    })
  }
}

/** Whether a process is started for it with the host. */
function isStarted(entry: ServerEntry): boolean {
  return entry.transport === 'stdio' && firstState(entry) === undefined
}
