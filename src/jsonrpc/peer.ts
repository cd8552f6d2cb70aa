/**
 * One end of a JSON-RPC conversation: ids, answers, dispatch, deadlines, cancellation. Symmetric.
 *
 * It knows no method by name: what a notification belongs to and how a cancellation is spelled is told by its
 * owner. Invariant: requests made = ended + pending, at every moment and whatever the far side does.
 */

import { systemClock, type Clock } from '../base/clock.ts'
import { DeadlineQueue } from '../base/deadline.ts'
import { asError, CancelledError, describeError, RpcError } from '../base/errors.ts'
import type { JsonObject, JsonText } from '../base/json.ts'
import { silentLogger, type Logger } from '../base/log.ts'
import { AnswerSender, withStatus, type Debt } from './answer-sender.ts'
import type { Channel, Frame, SendOptions, TooLarge } from './channel.ts'
import {
  PendingExchange,
  type Exchange,
  type ExchangeOwner,
  type Requested,
  type RequestOptions,
} from './exchange.ts'
import {
  failedRequest,
  lostAnswer,
  malformedAnswer,
  tooLargeAnswer,
  tooManyPending,
} from './failure.ts'
import { IdTable } from './id-table.ts'
import { InboundRequest } from './inbound-request.ts'
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  writeError,
  writeNotification,
  writeRequest,
  writeResult,
  type ErrorObject,
  type Malformed,
  type Notification,
  type Request,
  type RequestId,
} from './message.ts'
import type { Facts } from './wire.ts'

export type Answer = JsonObject | JsonText

/** An error answer, and the HTTP status that goes with it where the carrier has one. */
export interface EncodedError {
  readonly error: ErrorObject
  readonly status?: number | undefined
}

export interface PeerOptions {
  /** Answers a request. A throw becomes an error answer by `encodeError`. */
  onRequest(request: Request, inbound: InboundRequest): Answer | Promise<Answer>
  /** Hears notifications that belong to no request of ours. Must not throw; if it does, it is logged. */
  onNotification?(notification: Notification, facts: Facts | undefined): void
  /** The id of our request that a notification belongs to, if any. */
  belongsTo?(notification: Notification): RequestId | undefined
  /** The id of the peer's request that a notification cancels, if it is a cancellation. // CANC-02 */
  cancels?(notification: Notification): { id: RequestId; reason?: string } | undefined
  /** Tells the peer that our request is given up, e.g. by a notification. */
  cancel?(id: RequestId, reason: string): void
  /** The error object for a throw of `onRequest`. */
  encodeError?(error: unknown, inbound: InboundRequest): EncodedError
  /** Whether requests of the far side are answered at all. Default true. // RPC-17 */
  answersRequests?(): boolean
  /** Whether an inbound text that is no message is answered with an error. Default: it is only noted. */
  answersMalformed?(malformed: Malformed): boolean
  /** Hears every inbound text that is no message. Must not throw. */
  onStray?(text: string): void
  /** Write `"id": null` in such an answer when no id could be read. Default false. */
  nullId?(): boolean
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
  /** Requests of ours that may wait at once. Default 1,024; one more is refused here. */
  readonly maxPending?: number | undefined
  /** Requests of the peer that may run at once. Default 1,024; one more is answered with an error. */
  readonly maxActive?: number | undefined
}

/** Ids given up whose answers may still come, remembered to call those late. */
const MAX_FORGOTTEN = 1024
const UNKNOWN_ERROR: EncodedError = {
  error: { code: INTERNAL_ERROR, message: 'Internal error' },
}

export class Peer {
  readonly #channel: Channel
  readonly #options: PeerOptions
  readonly #logger: Logger
  readonly #clock: Clock
  /** Made when the first request is sent: most servers never ask. */
  #owner: ExchangeOwner | undefined
  #deadlines: DeadlineQueue | undefined
  readonly #pending = new IdTable<PendingExchange<unknown>>()
  readonly #active = new IdTable<InboundRequest>()
  #forgotten: Set<RequestId> | undefined
  readonly #answers: AnswerSender
  readonly #maxPending: number
  readonly #maxActive: number
  /** Settles when the channel has ended and every exchange with it; never rejects. */
  readonly ended: Promise<void>
  #lastId = 0

  constructor(channel: Channel, options: PeerOptions) {
    this.#channel = channel
    this.#options = options
    this.#logger = options.logger ?? silentLogger
    this.#maxPending = options.maxPending ?? 1024
    this.#maxActive = options.maxActive ?? 1024
    this.#clock = options.clock ?? systemClock
    this.#answers = new AnswerSender(channel, this.#clock)
    this.ended = this.#run()
  }

  /** Requests of ours that wait for an answer. */
  get pending(): number {
    return this.#pending.size
  }

  /** Requests of the peer that are being worked on. */
  get active(): number {
    return this.#active.size
  }

  /** Whether the far side is gone, or the end was begun here. */
  get closed(): boolean {
    return this.#channel.closed
  }

  /** Sends a request and gives its raw result. Never throws: what goes wrong rejects `result`. */
  request(method: string, params?: JsonObject | JsonText, options: RequestOptions = {}): Exchange {
    const exchange = this.#begin<JsonObject>(method, options, undefined)
    return this.#send(exchange, params)
  }

  /** The same for a request that writes its own params and reads its own result. */
  ask<Result>(
    method: string,
    requested: Requested<Result>,
    options: RequestOptions,
  ): Exchange<Result> {
    return this.#send(this.#begin(method, options, requested), undefined)
  }

  #begin<Result>(
    method: string,
    options: RequestOptions,
    requested: Requested<Result> | undefined,
  ): PendingExchange<Result> {
    this.#lastId += 1
    this.#owner ??= this.#ownerOfExchanges()
    return new PendingExchange(this.#owner, { id: this.#lastId, method, options, requested }) // RPC-03, RPC-04, RPC-05
  }

  #ownerOfExchanges(): ExchangeOwner {
    return {
      clock: this.#clock,
      transport: this.#channel.transport,
      givenUp: (exchange, reason, tellPeer) => this.#giveUp(exchange, reason, tellPeer),
      held: () => this.#active.size > 0,
    }
  }

  #send<Result>(
    exchange: PendingExchange<Result>,
    params: JsonObject | JsonText | undefined,
  ): Exchange<Result> {
    const { id, method, options } = exchange
    if (!exchange.watch()) {
      const reason: unknown = options.signal?.reason
      exchange.fail(
        new CancelledError(`${method} was cancelled before it was sent.`, { reason, method, id }),
      )
      return exchange
    }
    if (this.#pending.size >= this.#maxPending) {
      exchange.fail(tooManyPending(exchange, this.#channel.transport, this.#pending.size))
      return exchange
    }
    this.#pending.add(exchange)
    try {
      exchange.receipt = this.#channel.send({
        text: writeRequest(id, method, exchange.encode() ?? params),
        kind: 'request',
        id,
        facts: this.#channel.perRequest ? exchange.facts() : options.facts,
        chain: options.chain,
      })
      this.#deadlines ??= new DeadlineQueue(this.#clock, () => this.#pending)
      this.#deadlines.watch(exchange.dueAt)
    } catch (error) {
      this.#pending.take(id)
      exchange.fail(asError(error))
    }
    return exchange
  }

  /** Sends a notification. Throws `TransportError` when nothing can be sent any more. */
  notify(method: string, params?: JsonObject | JsonText, options?: SendOptions): void {
    this.#channel.send({
      text: writeNotification(method, params),
      kind: 'notification',
      id: undefined,
      facts: options?.facts,
      chain: options?.chain,
    })
  }

  /** Lets the sender of an inbound request fetch its answer later; see `InboundRequest.pauseStream`. */
  pauseStream(facts: Facts | undefined, retryMs: number): boolean {
    return this.#channel.pauseStream(facts, retryMs)
  }

  /** Ends the channel; everything pending rejects. Settles when nothing is left. */
  async close(reason?: Error): Promise<void> {
    await this.#channel.close(reason)
    await this.ended
  }

  async #run(): Promise<void> {
    try {
      while (await this.#channel.ready()) {
        // What came in one piece is taken in one go.
        for (let frame = this.#channel.poll(); frame !== undefined; frame = this.#channel.poll()) {
          this.#take(frame)
          if (this.#channel.congested && asksForAnswer(frame)) await this.#answers.settle()
        }
      }
    } finally {
      this.#finish()
    }
  }

  #take(frame: Frame): void {
    const { reading } = frame
    switch (reading.kind) {
      case 'result': {
        const exchange = this.#settleable(reading.message.id)
        exchange?.settle(reading.message.result)
        return
      }
      case 'error':
        return this.#takeError(reading.message.id, reading.message.error)
      case 'notification':
        return this.#takeNotification(reading.message, frame.facts)
      case 'request':
        return this.#takeRequest(reading.message, frame)
      case 'malformed':
        return this.#takeMalformed(reading, frame)
      case 'too-large':
        return this.#takeTooLarge(reading)
      case 'failed': {
        if (!this.#pending.has(reading.id)) return
        const exchange = this.#settleable(reading.id)
        exchange?.fail(failedRequest(exchange, this.#channel.transport, reading.error))
        return
      }
    }
  }

  /** The exchange that an answer ends, taken out of the table; a note when there is none. // RPC-29, CANC-04 */
  #settleable(id: RequestId): PendingExchange<unknown> | undefined {
    const exchange = this.#pending.take(id)
    if (exchange === undefined) {
      this.#channel.note({ kind: this.#strangeAnswer(id), data: { id }, direction: 'in' })
      return undefined
    }
    return exchange
  }

  #strangeAnswer(id: RequestId): string {
    if (this.#forgotten?.delete(id) === true) return 'late'
    return typeof id === 'number' && id >= 1 && id <= this.#lastId ? 'duplicate' : 'unknown-id'
  }

  #takeError(id: RequestId | null | undefined, error: ErrorObject): void {
    if (id === undefined || id === null) {
      // An error that names no request ends none, also when only one is open. // RPC-08
      this.#channel.note({
        kind: 'error-without-id',
        data: { code: error.code, message: error.message },
        direction: 'in',
      })
      return
    }
    const exchange = this.#settleable(id)
    exchange?.fail(
      new RpcError(error.code, error.message, {
        ...(error.data === undefined ? {} : { data: error.data }),
        server: this.#channel.transport,
        method: exchange.method,
        id,
      }),
    )
  }

  #takeNotification(notification: Notification, facts: Facts | undefined): void {
    try {
      const owner = this.#options.belongsTo?.(notification)
      const exchange = owner === undefined ? undefined : this.#pending.get(owner)
      if (exchange !== undefined) return exchange.hear(notification)
      const cancelled = this.#options.cancels?.(notification)
      if (cancelled !== undefined) return this.#active.get(cancelled.id)?.cancel(cancelled.reason) // CANC-03
      this.#options.onNotification?.(notification, facts)
    } catch (error) {
      this.#logger.error('a listener for notifications failed', {
        method: notification.method,
        error: describeError(error),
      })
    }
  }

  #takeRequest(request: Request, frame: Frame): void {
    if (this.#options.answersRequests?.() === false) {
      this.#channel.note({
        kind: 'unexpected-request',
        data: { method: request.method, id: request.id },
        direction: 'in',
      }) // RPC-17
      return
    }
    const debt: Debt = { id: request.id, facts: frame.facts, batch: frame.batch }
    if (this.#active.has(request.id) || this.#active.size >= this.#maxActive) {
      const busy = this.#active.size >= this.#maxActive
      const message = busy
        ? `Busy: ${this.#maxActive} requests are being worked on`
        : 'The id of a running request was used again' // RPC-04
      this.#answers.send(
        writeError(request.id, { code: busy ? INTERNAL_ERROR : INVALID_REQUEST, message }),
        debt,
      )
      return
    }
    const inbound = new InboundRequest(request.id, request.method, frame.facts, this)
    this.#active.add(inbound)
    let answer: Answer | Promise<Answer>
    try {
      answer = this.#options.onRequest(request, inbound)
    } catch (error) {
      return this.#refuse(inbound, error, debt)
    }
    if (answer instanceof Promise) {
      answer.then(
        (result) => this.#answer(inbound, result, debt),
        (error: unknown) => this.#refuse(inbound, error, debt),
      )
    } else this.#answer(inbound, answer, debt)
  }

  #answer(inbound: InboundRequest, result: Answer, debt: Debt): void {
    let text: string
    try {
      text = writeResult(inbound.id, result)
    } catch (error) {
      return this.#refuse(inbound, error, debt) // a result that JSON cannot hold: a cycle, a BigInt
    }
    this.#conclude(inbound, text, debt)
  }

  #refuse(inbound: InboundRequest, thrown: unknown, debt: Debt): void {
    const { error, status } = this.#options.encodeError?.(thrown, inbound) ?? UNKNOWN_ERROR
    this.#conclude(inbound, writeError(inbound.id, error), withStatus(debt, status))
  }

  #conclude(inbound: InboundRequest, text: string, debt: Debt): void {
    this.#active.take(inbound.id)
    if (inbound.cancelled) this.#withhold(debt)
    else this.#answers.send(text, debt)
    inbound.end()
  }

  /** A cancelled request gets no answer; what the carrier holds open for it may go. // CANC-02, STDIO-15 */
  #withhold({ id, facts, batch }: Debt): void {
    const whole = batch?.drop()
    if (whole !== undefined) this.#answers.send(whole, { id, facts, batch: undefined })
    else if (id !== undefined && batch?.settled !== false) this.#channel.unanswered(id, facts)
  }

  #takeMalformed(malformed: Malformed, frame: Frame): void {
    const { id, reason, requirement, code } = malformed
    if (malformed.answer === true) {
      this.#channel.note({
        kind: 'malformed',
        text: frame.text,
        data: { reason, requirement },
        direction: 'in',
      })
      if (id === undefined || !this.#pending.has(id)) return
      const exchange = this.#settleable(id)
      exchange?.fail(
        malformedAnswer(exchange, this.#channel.transport, { ...malformed, text: frame.text }),
        frame.text,
      )
      return
    }
    this.#channel.note({
      kind: 'stray',
      text: frame.text,
      data: { reason, requirement },
      direction: 'in',
    })
    this.#options.onStray?.(frame.text)
    if (this.#options.answersMalformed?.(malformed) !== true) return
    const text = writeError(id, { code, message: reason }, this.#options.nullId?.() === true)
    this.#answers.send(text, withStatus({ id, facts: frame.facts, batch: frame.batch }, 400))
  }

  #takeTooLarge(reading: TooLarge): void {
    const { id, size } = reading
    if (id === undefined) return
    if (reading.answer) {
      if (!this.#pending.has(id)) return
      const exchange = this.#settleable(id)
      exchange?.fail(tooLargeAnswer(exchange, this.#channel.transport, size))
      return
    }
    this.#answers.send(
      writeError(id, {
        code: INVALID_REQUEST,
        message: `The request has ${size} bytes, more than are accepted`,
      }),
      { id, facts: undefined, batch: undefined },
    )
  }

  #giveUp(exchange: PendingExchange<unknown>, reason: string, tellPeer: boolean): void {
    if (this.#pending.take(exchange.id) === undefined) return
    const told = this.#channel.abandon(exchange.id)
    const forgotten = (this.#forgotten ??= new Set())
    forgotten.add(exchange.id)
    if (forgotten.size > MAX_FORGOTTEN) {
      for (const oldest of forgotten) {
        forgotten.delete(oldest)
        break
      }
    }
    if (told || !tellPeer || exchange.options.uncancellable === true || this.#channel.closed) return
    try {
      this.#options.cancel?.(exchange.id, reason) // CANC-01, STDIO-14
    } catch (error) {
      this.#logger.warn('a cancellation could not be sent', {
        id: exchange.id,
        error: describeError(error),
      })
    }
  }

  #finish(): void {
    this.#deadlines?.stop()
    const reason = this.#channel.reason
    for (const exchange of this.#pending)
      exchange.fail(lostAnswer(exchange, this.#channel.transport, reason))
    this.#pending.clear()
    for (const inbound of this.#active) inbound.cancel('the connection is gone')
    this.#active.clear()
    this.#forgotten = undefined
  }
}

/** Whether taking a frame makes an answer: reading more of these is what a congested link must not do. */
function asksForAnswer({ reading }: Frame): boolean {
  return reading.kind === 'request' || reading.kind === 'malformed'
}
