/**
 * One outbound request from the moment it is made until it has ended: its answer, its timers, its cancellation.
 *
 * It ends exactly once. The peer owns the table of exchanges; this file knows only one of them.
 */

import type { Clock } from '../base/clock.ts'
import type { Deadline } from '../base/deadline.ts'
import { CancelledError, TimeoutError, type Sent, type TimerName } from '../base/errors.ts'
import type { JsonObject, JsonText } from '../base/json.ts'
import { watchAbort } from './abort-watch.ts'
import type { Receipt } from './link.ts'
import type { Notification, RequestId } from './message.ts'
import type { Chain, Facts } from './wire.ts'

/** A time limit and where it was set, so that an error can say both. */
export interface TimerSetting {
  readonly ms: number
  readonly setBy: string
}

export interface RequestOptions {
  /** Gives the request up when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Longest wait without a sign of life. Default 60 s; `undefined` members mean the default, Infinity none. */
  readonly idle?: TimerSetting | undefined
  /** Longest wait in all, whatever happens. Default 10 min. */
  readonly total?: TimerSetting | undefined
  /** Whether a notification that belongs to the request starts the idle timer anew. Default true. // LIFE-20 */
  readonly resetOnProgress?: boolean | undefined
  /** The name that a timeout gives its timer. Default `idle` or `total`, whichever ran out. */
  readonly timer?: TimerName | undefined
  /** Never tell the peer that it was given up. For the opening move, which must not be cancelled. // LIFE-09 */
  readonly uncancellable?: boolean | undefined
  /** Hears each notification that belongs to this request, in order, before the answer. */
  readonly onNotification?: ((notification: Notification) => void) | undefined
  readonly facts?: Facts | undefined
  readonly chain?: Chain | undefined
}

/** A request that writes its own params and reads its own answer: one object, where functions would be three. */
export interface Requested<Result> {
  /** Params for the wire. The id is given for revisions that repeat it inside (as a progress token). */
  encode(id: RequestId): JsonObject | JsonText | undefined
  /** What the carrier has to know beside the text. Called after `encode`, and only on links with a stream for each request. */
  facts?(): Facts | undefined
  /**
   * Makes of the raw result what the caller gets, before anyone else sees it; a throw rejects. The request began at
   * `startedAt` of the clock.
   */
  read(raw: JsonObject, startedAt: number): Result | Promise<Result>
  /**
   * The request failed, having begun at this time of the clock. A returned promise settles it in place of the error. Must
   * not throw. Requests that go well pay nothing for it. `text` is the answer, when one came that is no valid message.
   */
  rescue?(error: Error, startedAt: number, text?: string): Promise<Result> | undefined
}

/** What a caller holds of its request. */
export interface Exchange<Result = JsonObject> {
  readonly id: RequestId
  /** Rejects with `RpcError`, `TimeoutError`, `CancelledError`, `ProtocolError` or `TransportError`. */
  readonly result: Promise<Result>
  /** Gives the request up: tells the peer and rejects `result`. Does nothing once it has ended. */
  cancel(reason?: unknown): void
  /** The same without telling the peer, for a request that it has ended in its own way. */
  abandon(reason?: unknown): void
}

/** How an exchange tells its owner that it ended by itself. */
export interface ExchangeOwner {
  readonly clock: Clock
  readonly transport: string
  /** Called once, before `result` rejects: forget it, and tell the peer unless that is not allowed. */
  givenUp(exchange: PendingExchange<unknown>, reason: string, tellPeer: boolean): void
  /** True while a question of the far side waits for an answer from here: its silence is ours then. */
  held(): boolean
}

const IDLE: TimerSetting = { ms: 60_000, setBy: 'default' }
const TOTAL: TimerSetting = { ms: 600_000, setBy: 'default' }

/** One request, as the peer makes it. `requested` is absent when the raw result is what the caller wants. */
export interface PendingExchangeOptions<Result> {
  readonly id: RequestId
  readonly method: string
  readonly options: RequestOptions
  readonly requested: Requested<Result> | undefined
}

export class PendingExchange<Result = JsonObject> implements Exchange<Result>, Deadline {
  readonly id: RequestId
  readonly method: string
  readonly options: RequestOptions
  readonly result: Promise<Result>
  dueAt: number
  receipt: Receipt | undefined
  readonly #owner: ExchangeOwner
  readonly #requested: Requested<Result> | undefined
  readonly #startedAt: number
  #progressAt: number | undefined
  #resolve: (result: unknown) => void = ignore
  #reject: (error: unknown) => void = ignore
  #unwatch: (() => void) | undefined
  #ended = false

  constructor(
    owner: ExchangeOwner,
    { id, method, options, requested }: PendingExchangeOptions<Result>,
  ) {
    this.#owner = owner
    this.#requested = requested
    this.id = id
    this.method = method
    this.options = options
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve as (result: unknown) => void // only `settle` calls it, with a Result
      this.#reject = reject
    })
    this.#startedAt = owner.clock.now()
    this.dueAt = this.#startedAt + Math.min((options.idle ?? IDLE).ms, (options.total ?? TOTAL).ms)
  }

  /** Whether the request has left: what a caller needs to know before it repeats it. */
  get sent(): Sent {
    return this.receipt?.sent ?? 'no'
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Params that the request writes itself, if it does. */
  encode(): JsonObject | JsonText | undefined {
    return this.#requested?.encode(this.id)
  }

  /** What the carrier has to know of it. */
  facts(): Facts | undefined {
    return this.#requested?.facts?.() ?? this.options.facts
  }

  /** Starts to obey the caller's signal. Gives false when it was aborted before anything was sent. */
  watch(): boolean {
    const { signal } = this.options
    if (signal === undefined) return true
    if (signal.aborted) return false
    this.#unwatch = watchAbort(signal, () => this.cancel(signal.reason))
    return true
  }

  /** A notification came that belongs to this request. */
  hear(notification: Notification): void {
    if (this.#ended) return
    this.#progressAt = this.#owner.clock.now()
    if (this.options.resetOnProgress !== false) {
      const { idle, total } = this.options
      this.dueAt = Math.min(
        this.#progressAt + (idle ?? IDLE).ms,
        this.#startedAt + (total ?? TOTAL).ms,
      )
    }
    this.options.onNotification?.(notification)
  }

  settle(raw: JsonObject): void {
    if (!this.#end()) return
    if (this.#requested === undefined) return this.#resolve(raw)
    try {
      this.#resolve(this.#requested.read(raw, this.#startedAt))
    } catch (error) {
      this.#reject(error)
    }
  }

  fail(error: Error, text?: string): void {
    if (!this.#end()) return
    const rescued = this.#requested?.rescue?.(error, this.#startedAt, text)
    if (rescued === undefined) this.#reject(error)
    else this.#resolve(rescued)
  }

  cancel(reason?: unknown): void {
    this.#leave(reason, true)
  }

  abandon(reason?: unknown): void {
    this.#leave(reason, false)
  }

  #leave(reason: unknown, tellPeer: boolean): void {
    if (this.#ended) return
    const sent = this.sent
    const told = typeof reason === 'string' ? reason : 'the caller gave the request up'
    this.#owner.givenUp(this, told, tellPeer)
    const outcome = sent === 'no' ? 'It was not sent.' : 'Whether it took effect is not known.'
    this.fail(
      new CancelledError(`${this.method} was cancelled. ${outcome}`, {
        reason,
        server: this.#owner.transport,
        method: this.method,
        id: this.id,
        cause: reason,
      }),
    )
  }

  /** The deadline queue calls this when `dueAt` has passed. */
  expire(): void {
    if (this.#ended) return
    const total = this.options.total ?? TOTAL
    const idle = this.options.idle ?? IDLE
    const now = this.#owner.clock.now()
    const isTotal = this.dueAt >= this.#startedAt + total.ms
    if (!isTotal && this.#owner.held()) {
      this.dueAt = Math.min(now + idle.ms, this.#startedAt + total.ms)
      return
    }
    const timer: TimerName = this.options.timer ?? (isTotal ? 'total' : 'idle')
    const { ms, setBy } = isTotal ? total : idle
    this.#owner.givenUp(this, `no answer within ${ms} ms`, true)
    const sinceProgressMs =
      this.#progressAt === undefined ? undefined : Math.round(now - this.#progressAt)
    this.fail(
      new TimeoutError(timeoutMessage(this.method, timer, ms, setBy, sinceProgressMs), {
        timer,
        ms,
        setBy,
        sinceProgressMs,
        sent: this.sent,
        server: this.#owner.transport,
        method: this.method,
        id: this.id,
      }),
    )
  }

  #end(): boolean {
    if (this.#ended) return false
    this.#ended = true
    this.#unwatch?.()
    return true
  }
}

function ignore(): void {}

function timeoutMessage(
  ...[method, timer, ms, setBy, since]: [string, TimerName, number, string, number | undefined]
): string {
  const progress =
    since === undefined ? 'no progress was reported' : `the last progress came ${since} ms before`
  return `${method} ran into its ${timer} timer of ${ms} ms, set by ${setBy}; ${progress}. Whether it took effect is not known.`
}
