/**
 * The servers of a host, by their keys: attached and detached at run time, and brought in line with a configuration that has
 * changed. Each is on its own; the registry holds them together by nothing but limits.
 */

import { systemClock, systemRandom, type Clock, type Random } from '../base/clock.ts'
import { canonicalJson } from '../base/json.ts'
import { UsageError } from '../base/errors.ts'
import { silentLogger, type Logger } from '../base/log.ts'
import type { Answers } from '../client/options.ts'
import { launchText, type ServerEntry } from '../config/entry.ts'
import type { Transport } from '../jsonrpc/link.ts'
import type { WireSink } from '../jsonrpc/wire.ts'
import { AttachedServer } from './attached.ts'
import { lookAtProcess, type LookAtProcess } from './group-sight.ts'
import type { JobPort } from './jobs.ts'
import { Pool } from './lane.ts'
import { RUNTIME_LIMITS, type Offer, type RuntimeLimits, type ServerParts } from './server-parts.ts'
import type { ServerStatus } from './state.ts'

export interface RegistryOptions {
  readonly clock?: Clock
  readonly random?: Random
  /** Default silent. */
  readonly logger?: Logger
  /** Hears every message of every server. */
  readonly wire?: WireSink
  /** Who answers a server. Default: nobody, and nothing is declared. */
  readonly answers?: (entry: ServerEntry) => Answers | undefined
  /** Servers that are reached in a way of their own, asked before each connection. Default: all as their entries say. */
  readonly transport?: (entry: ServerEntry) => Transport | undefined
  /** The last hand on every transport before it is opened. */
  readonly seal?: (key: string, transport: Transport) => Transport
  /** Hears of every process that is started. Default: nobody. */
  readonly jobs?: JobPort
  /** Hears of every change of a state or of its reason. What it throws is logged. */
  readonly onStatus?: (status: ServerStatus) => void
  /** Hears when a server offers something else, or nothing any more. What it throws is logged. */
  readonly onOffer?: (key: string, offer: Offer | undefined) => void
  readonly limits?: Partial<RuntimeLimits>
  /** How a command that starts is looked at. Default: as the system allows. */
  readonly look?: LookAtProcess
}

/** What a new configuration came to. All by key. */
export interface ReloadReport {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** What starts or reaches them is another one, and they were started anew or stopped. */
  readonly replaced: readonly string[]
  /** Settings that need no new start. */
  readonly updated: readonly string[]
  readonly unchanged: readonly string[]
  /** Not approved: not started where that is new, and left as they were approved where they run. */
  readonly held: readonly string[]
}

export class Registry {
  readonly #parts: ServerParts
  readonly #servers = new Map<string, AttachedServer>()
  readonly #leaving = new Set<Promise<void>>()
  #order: readonly string[] = []
  #closed = false

  constructor(options: RegistryOptions = {}) {
    const limits = { ...RUNTIME_LIMITS, ...options.limits }
    this.#parts = {
      clock: options.clock ?? systemClock,
      random: options.random ?? systemRandom,
      logger: (options.logger ?? silentLogger).module('host'),
      wire: options.wire,
      answers: options.answers ?? (() => undefined),
      transport: options.transport ?? (() => undefined),
      seal: options.seal ?? ((_key, transport) => transport),
      jobs: options.jobs,
      look: options.look ?? lookAtProcess,
      pool: new Pool(limits.totalConcurrency),
      limits,
      onStatus: options.onStatus ?? (() => undefined),
      onOffer: options.onOffer ?? (() => undefined),
    }
  }

  /**
   * Adds a server and starts it, unless it is lazy, switched off or not approved. Throws `UsageError` for a key that is
   * there, and after `close`.
   */
  attach(entry: ServerEntry): AttachedServer {
    const { key } = entry
    if (this.#closed) throw new UsageError(`The host is closed; "${key}" cannot be attached.`)
    if (this.#servers.has(key))
      throw new UsageError(
        `There is a server "${key}" already. Detach it first, or use another key.`,
      )
    const server = new AttachedServer(entry, this.#parts)
    this.#servers.set(key, server)
    if (!this.#order.includes(key)) this.#order = [...this.#order, key]
    if (entry.start !== 'lazy') server.start()
    return server
  }

  /** Ends a server and forgets it; settles when nothing of it is left. One that is not there is none. */
  async detach(key: string): Promise<void> {
    const server = this.#servers.get(key)
    if (server === undefined) return
    this.#servers.delete(key)
    this.#order = this.#order.filter((one) => one !== key)
    await this.#end(server)
  }

  /**
   * Brings the servers in line with these entries. Only what changed is touched: a server that would be started or reached
   * in another way is ended and started anew, others take their new settings as they run. Settles at once, not when new
   * servers are ready.
   *
   * An entry that is not approved starts nothing. A server that runs, and that it would start in the very same way, stays
   * as it was approved, settings and all; one that it would start in another way is ended.
   */
  async reload(entries: readonly ServerEntry[]): Promise<ReloadReport> {
    const report = {
      added: [] as string[],
      removed: [] as string[],
      replaced: [] as string[],
      updated: [] as string[],
      unchanged: [] as string[],
      held: [] as string[],
    }
    const wanted = new Set(entries.map(({ key }) => key))
    for (const key of this.#servers.keys()) if (!wanted.has(key)) report.removed.push(key)
    for (const key of report.removed) this.#replace(key, undefined)
    for (const entry of entries) {
      const what = this.#take(entry)
      report[what].push(entry.key)
      if (!entry.approved && !report.held.includes(entry.key)) report.held.push(entry.key)
    }
    this.#order = [...wanted]
    return Promise.resolve(report)
  }

  /** Most calls at once over all servers from now on; `undefined` is the default. Calls that run already stay. */
  limitCalls(total: number | undefined): void {
    this.#parts.pool.resize(total ?? this.#parts.limits.totalConcurrency)
  }

  get(key: string): AttachedServer | undefined {
    return this.#servers.get(key)
  }

  /** Whether a server is being started. Asked at each change of a state. */
  get starting(): boolean {
    for (const { state } of this.#servers.values()) if (state === 'connecting') return true
    return false
  }

  /** In the order of the configuration, then of attachment. */
  servers(): readonly AttachedServer[] {
    return this.#order.flatMap((key) => this.#servers.get(key) ?? [])
  }

  /** Ends all of them, the last first; settles when nothing of any is left. May be called more than once. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([
      ...this.servers()
        .toReversed()
        .map((server) => server.stop()),
      ...this.#leaving,
    ])
  }

  #take(entry: ServerEntry): 'added' | 'replaced' | 'updated' | 'unchanged' | 'held' {
    const server = this.#servers.get(entry.key)
    if (server === undefined) {
      this.#replace(entry.key, entry)
      return 'added'
    }
    const before = server.entry
    const same = startsSame(before, entry)
    // What was approved runs on as it was approved: a file that nobody read again changes nothing of it.
    if (same && before.approved && !entry.approved) return 'held'
    if (!same || before.approved !== entry.approved || before.disabled !== entry.disabled) {
      this.#replace(entry.key, entry)
      return 'replaced'
    }
    const changed = settingsText(before) !== settingsText(entry)
    server.update(entry)
    return changed ? 'updated' : 'unchanged'
  }

  /** Ends the server of this key, if there is one, and puts another in its place once nothing is left of it. */
  #replace(key: string, entry: ServerEntry | undefined): void {
    const old = this.#servers.get(key)
    this.#servers.delete(key)
    const gone = old === undefined ? undefined : this.#end(old)
    if (entry === undefined) {
      this.#order = this.#order.filter((one) => one !== key)
      return
    }
    const server = new AttachedServer(entry, this.#parts, gone)
    this.#servers.set(key, server)
    if (entry.start !== 'lazy') server.start()
  }

  #end(server: AttachedServer): Promise<void> {
    const leaving: Promise<void> = server.stop().finally(() => this.#leaving.delete(leaving))
    this.#leaving.add(leaving)
    return leaving
  }
}

/** Whether two entries start or reach the same thing in the same way, and believe the server the same. */
function startsSame(one: ServerEntry, other: ServerEntry): boolean {
  return startText(one) === startText(other)
}

/** Holds secrets: compared, and never shown. */
function startText(entry: ServerEntry): string {
  const values = entry.transport === 'stdio' ? entry.env : entry.headers
  return canonicalJson([launchText(entry), entry.transport, { ...values }, entry.trusted])
}

/** What may change while a server runs. */
function settingsText(entry: ServerEntry): string {
  const { timeouts, concurrency, queue, onlyTools, withoutTools, labels, toolLabels, start } = entry
  return JSON.stringify([
    timeouts,
    concurrency,
    queue,
    onlyTools,
    withoutTools,
    labels,
    [...toolLabels],
    start,
  ])
}
