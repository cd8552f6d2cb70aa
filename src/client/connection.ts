/**
 * What a client speaks through: one link at a time, replaced when it is lost or when the server has forgotten who speaks.
 *
 * Calls that are under way on an old link end there. Replacing it, and saving calls that failed, is in files of its own that
 * are loaded when the first thing goes wrong.
 */

import { asError, RpcError, TransportError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import {
  HEADER_MISMATCH,
  UNSUPPORTED_VERSION,
  URL_ELICITATION_REQUIRED,
} from '../protocol/errors.ts'
import type { Era } from '../protocol/revision.ts'
import { HEALTHY_MS } from './backoff.ts'
import type { Caller, FailedCall } from './request.ts'
import { saysNotInitialized } from './loss.ts'
import type { Opened, Standing } from './standing.ts'

/** Opens the same server again: in its era, which is tried first. */
export type Reopen = (era: Era, signal: AbortSignal) => Promise<Opened>

export class Connection {
  readonly standing: Standing
  /** Settles when there is no link and never will be one again; never rejects. */
  readonly closed: Promise<void>
  readonly #reopen: Reopen | undefined
  readonly #stop = new AbortController()
  readonly #retired = new Set<Opened>()
  #opened: Opened
  #openedAt: number
  /** Times that it was replaced since it last proved to be good. */
  #tries = 0
  #replacing: Promise<Caller> | undefined
  #finished = false
  #reason: Error | undefined
  #settle = (): void => undefined

  /** `reopen` is absent where a lost link is the end. */
  constructor(opened: Opened, standing: Standing, reopen: Reopen | undefined) {
    this.#opened = opened
    this.standing = standing
    this.#reopen = reopen
    this.#openedAt = standing.settings.clock.now()
    this.closed = new Promise((resolve) => (this.#settle = resolve))
    standing.rescue = (failed) => this.#rescue(failed)
    this.#watch(opened)
  }

  get caller(): Caller {
    return this.#opened.caller
  }

  get channel(): Channel {
    return this.#opened.caller.channel
  }

  /** Why it ended, once it has and if it failed. */
  get reason(): Error | undefined {
    return this.#reason
  }

  /** Whether a link that is lost is replaced. */
  get reopens(): boolean {
    return this.#reopen !== undefined && !this.#stop.signal.aborted
  }

  /** True while there is no link that can be spoken through: it is being replaced, or everything is over. */
  get isReplacing(): boolean {
    return this.#replacing !== undefined || this.caller.channel.closed
  }

  /**
   * A caller on a link that works: the one that replaced the lost one, if need be once it is there. However many ask at
   * once, it is replaced once. Rejects when that did not work, or when this was closed.
   */
  replacementOf(lost: Caller): Promise<Caller> {
    if (this.#replacing !== undefined) return this.#replacing
    if (lost !== this.caller) return Promise.resolve(this.caller)
    this.#replacing = this.#replace()
    return this.#replacing
  }

  /** Whether the link of this caller is over. */
  isLost(caller: Caller): boolean {
    return caller !== this.caller || caller.channel.closed
  }

  /** Something was answered on this link: the next loss is a new matter. */
  proven(): void {
    this.#tries = 0
  }

  /** Ends it all; settles when nothing is left. May be called more than once. */
  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all([
      this.#opened.caller.peer.close(),
      ...[...this.#retired].map(({ caller }) => caller.peer.close()),
      this.#replacing?.catch(() => undefined),
    ])
    this.#finish(undefined)
  }

  #watch(opened: Opened): void {
    void opened.caller.peer.ended.then(() => {
      this.#retired.delete(opened)
      if (opened !== this.#opened || this.#replacing !== undefined) return
      if (this.reopens) this.replacementOf(opened.caller).catch(() => undefined)
      else this.#finish(opened.caller.channel.reason)
    })
  }

  async #replace(): Promise<Caller> {
    const { standing } = this
    const old = this.#opened
    const { clock } = standing.settings
    if (clock.now() - this.#openedAt >= HEALTHY_MS) this.#tries = 0
    standing.settings.onLink?.({ kind: 'lost', reason: old.caller.channel.reason })
    try {
      const { reopen } = await import('./recovery.ts')
      const { opened, tries } = await reopen({
        reopen: (signal) => this.#open(old.caller.dialect.era, signal),
        settings: standing.settings,
        signal: this.#stop.signal,
        tries: this.#tries,
        lost: old.caller.channel,
      })
      this.#tries = tries
      this.#openedAt = clock.now()
      this.#opened = opened
    } catch (error) {
      this.#finish(this.#stop.signal.aborted ? undefined : asError(error))
      throw error
    } finally {
      this.#replacing = undefined
    }
    this.#retire(old)
    this.#watch(this.#opened)
    standing.restored(this.channel.transport)
    standing.settings.onLink?.({ kind: 'reopened' })
    return this.caller
  }

  #open(era: Era, signal: AbortSignal): Promise<Opened> {
    if (this.#reopen !== undefined) return this.#reopen(era, signal)
    return Promise.reject(new TransportError('DP_TRANSPORT_CLOSED', 'It may not be opened again.'))
  }

  /** What is under way on an old link may end there. */
  #retire(old: Opened): void {
    const { peer } = old.caller
    if (old.caller.channel.closed) return
    this.#retired.add(old)
    const look = (): void => {
      if (old.caller.channel.closed) return
      if (peer.pending === 0 || this.#finished) void peer.close()
      else this.standing.settings.clock.after(RETIRE_LOOK_MS, look)
    }
    look()
  }

  #finish(reason: Error | undefined): void {
    if (this.#finished) return
    this.#finished = true
    this.#reason = reason
    this.#stop.abort()
    for (const { caller } of [this.#opened, ...this.#retired]) void caller.peer.close(reason)
    for (const listener of this.standing.listeners) listener.end()
    this.#settle()
  }

  /** Only looks whether there is something to be done: most failures are answers. */
  #rescue(failed: FailedCall): Promise<JsonObject> | undefined {
    if (this.#stop.signal.aborted || !this.#canRescue(failed)) return undefined
    return import('./rescue.ts').then(({ rescue }) => rescue(this, failed))
  }

  #canRescue({ error, caller, calling }: FailedCall): boolean {
    if (error instanceof TransportError) return this.#reopen !== undefined
    if (!(error instanceof RpcError)) return false
    const { rpcCode } = error
    if (rpcCode === HEADER_MISMATCH) return caller.mirrors && calling.method === 'tools/call'
    if (rpcCode === URL_ELICITATION_REQUIRED)
      return (
        caller.dialect.traits.elicitationIds &&
        this.standing.settings.answers.elicitationUrl !== undefined
      )
    // Over one stream for everything there is neither a session that could be forgotten nor a server behind the server.
    const { dialect, channel } = caller
    if (this.#reopen === undefined || !channel.perRequest) return false
    return rpcCode === UNSUPPORTED_VERSION || (dialect.link.sessions && saysNotInitialized(error))
  }
}

/** How often it is looked whether an old link is done, in ms. */
const RETIRE_LOOK_MS = 1000
