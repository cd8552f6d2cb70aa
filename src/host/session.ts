/**
 * One connection of one server, from its first list to its end: what it offers, whether it still answers, and what it says of
 * changes. It knows nothing of restarts; what goes wrong is told to its owner.
 */

import { asError, describeError, TimeoutError, TransportError } from '../base/errors.ts'
import { canonicalJson, type JsonValue } from '../base/json.ts'
import type { Client } from '../client/client.ts'
import type { ServerEntry } from '../config/entry.ts'
import type { Tool } from '../protocol/types/tools.ts'
import { Listening, Refresher } from './changes.ts'
import { Health, SignsOfLife } from './health.ts'
import type { Opened } from './opening.ts'
import type { Offer, ServerParts } from './server-parts.ts'

/** What is wrong with a server that takes calls. */
export type TroubleKind = 'lists-failed' | 'no-sign-of-life' | 'flood'

export interface SessionOwner {
  readonly onTrouble: (kind: TroubleKind, why: string, error?: Error) => void
  readonly onWell: (kind: TroubleKind) => void
  /** A list was read; `changed` says whether it is another one than before. */
  readonly onOffer: (offer: Omit<Offer, 'count'>, changed: boolean) => void
  /** It hangs, and is to be ended. */
  readonly onDead: (error: Error) => void
  /** The connection is over by itself. */
  readonly onOver: (error: Error) => void
  /** Whether calls wait for an answer. */
  readonly busy: () => boolean
}

export interface SessionOptions {
  readonly entry: ServerEntry
  readonly parts: ServerParts
  readonly owner: SessionOwner
  /** What it offered last, to tell whether that has changed. */
  readonly known: Offer | undefined
}

export class Session {
  readonly client: Client
  readonly reopens: boolean
  readonly #options: SessionOptions
  #mark: string | undefined
  #health: Health | undefined
  readonly #signs: SignsOfLife
  #refresher: Refresher | undefined
  #listening: Listening | undefined
  #stopped = false

  constructor({ client, reopens }: Opened, options: SessionOptions) {
    this.client = client
    this.reopens = reopens
    this.#options = options
    const { known, parts } = options
    this.#signs = new SignsOfLife(client, parts.limits.pingLimitMs)
    this.#mark = known === undefined ? undefined : markOf(known)
    void client.closed.then(() => this.#over())
  }

  /** Reads the list for the first time. Settles in any case; a list that could not be read is a trouble. */
  async begin(): Promise<void> {
    const { parts, entry, owner } = this.#options
    const { clock, random, limits } = parts
    const refresher = new Refresher({ clock, refresh: () => this.#refresh() })
    this.#refresher = refresher
    const onChange = (): void => refresher.poke()
    // What changes while the first list is read must not be missed.
    this.#listening = new Listening({ clock, random, client: this.client, onChange })
    if (!(await this.#refresh()) && !this.#stopped) refresher.poke()
    if (this.#stopped) return
    this.#health = new Health({
      clock,
      server: entry.key,
      everyMs: entry.transport === 'stdio' ? limits.stdioPingMs : limits.urlPingMs,
      limitMs: limits.pingLimitMs,
      ping: () => this.#signs.ask(),
      busy: owner.busy,
      onSick: (why) => owner.onTrouble('no-sign-of-life', why),
      onWell: () => owner.onWell('no-sign-of-life'),
      onDead: owner.onDead,
    })
  }

  /** The list may be another one. */
  poke(): void {
    this.#refresher?.poke()
  }

  /** A call was answered. */
  heard(): void {
    this.#health?.heard()
  }

  /** A call got no answer in time. */
  suspect(): void {
    this.#health?.suspect()
  }

  /** Ends the connection; settles when nothing of it is left. */
  async close(): Promise<void> {
    this.#stop()
    await this.client.close()
  }

  #stop(): void {
    this.#stopped = true
    this.#health?.stop()
    this.#refresher?.stop()
    this.#listening?.stop()
  }

  #over(): void {
    if (this.#stopped) return
    this.#stop()
    const { key } = this.#options.entry
    const gone = `The connection to "${key}" was closed by the server.`
    this.#options.owner.onOver(
      this.client.closeReason ??
        new TransportError('DP_TRANSPORT_CLOSED', gone, {
          server: key,
          detail: { kind: 'lost' },
        }),
    )
  }

  /** False when it failed, and trying again may help. */
  async #refresh(): Promise<boolean> {
    const { owner } = this.#options
    try {
      const tools = await this.#readTools()
      if (this.#stopped) return true
      const { instructions, info, revision, capabilities } = this.client.server
      const resources = capabilities.resources !== undefined
      const offer = { tools, instructions, resources, info, revision }
      const mark = markOf(offer)
      const changed = mark !== this.#mark
      this.#mark = mark
      this.heard()
      owner.onOffer(offer, changed)
      owner.onWell('lists-failed')
      return true
    } catch (error) {
      // A connection that is over says so itself.
      if (this.#stopped) return true
      owner.onTrouble(
        'lists-failed',
        `Its list of tools could not be read: ${describeError(error)}`,
        asError(error),
      )
      return false
    }
  }

  /** Only what the server declares is asked for. */
  async #readTools(): Promise<readonly Tool[]> {
    if (this.client.server.capabilities.tools === undefined) return []
    const { clock, limits } = this.#options.parts
    const ms = limits.listMs
    const stop = new AbortController()
    const timer = clock.after(ms, () => stop.abort())
    try {
      return await this.client.listTools({ fresh: true, signal: stop.signal })
    } catch (error) {
      if (!stop.signal.aborted) throw error
      const message = `tools/list ran into its total timer of ${ms} ms, set by default.`
      const facts = { timer: 'total', ms, setBy: 'default', method: 'tools/list' } as const
      throw new TimeoutError(message, { ...facts, cause: error })
    } finally {
      timer.cancel()
    }
  }
}

/** Equal for equal offers, whatever the order of keys within a tool. */
function markOf({ tools, instructions, resources }: Omit<Offer, 'count'>): string {
  // Tools come from JSON, so that they hold nothing else.
  return canonicalJson([tools as unknown as JsonValue, instructions ?? null, resources])
}
