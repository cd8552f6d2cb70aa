/**
 * The context of one request while the author's code answers it: who asks, cancellation, progress, log messages, questions.
 * Ends with the request.
 */

import type { JsonObject, JsonValue } from '../base/json.ts'
import type { AuthFacts } from '../jsonrpc/wire.ts'
import type { ClientFacts, Dialect, Outcome } from '../protocol/dialect.ts'
import { metaOf } from '../protocol/meta.ts'
import { severityOf, type LoggingLevel, type Progress } from '../protocol/types/common.ts'
import type {
  AnswerTo,
  ElicitQuestion,
  Question,
  RequestContext,
  TraceContext,
} from '../tools/context.ts'
import { askerFor, ReplayingAsker, type AskedCall, type Asker } from './ask.ts'
import { Budget, LatestPace, LOG_PACE, PROGRESS_PACE } from './pace.ts'
import { clientOf } from './sender.ts'
import type { Dispatched, Served } from './served.ts'
import { ownMetaOf, traceOf } from './trace.ts'

/** The answers of a request that is no retry. */
export const NO_ANSWERS: JsonObject = {}

export class CallContext implements RequestContext {
  readonly #server: Served
  readonly #call: Dispatched
  readonly #earlier: JsonObject
  #progress = Number.NEGATIVE_INFINITY
  /** Made with the first notice of its kind: most requests have none. */
  #pace: LatestPace<JsonObject> | undefined
  #logBudget: Budget | undefined
  #unlogged = 0
  #asker: Asker | undefined
  #suspended: Promise<Outcome> | undefined
  #onSuspend: ((outcome: Promise<Outcome>) => void) | undefined

  /** `earlier` are the answers that a retry brings along. */
  constructor(server: Served, call: Dispatched, earlier: JsonObject) {
    this.#server = server
    this.#call = call
    this.#earlier = earlier
  }

  get dialect(): Dialect {
    return this.#call.dialect
  }

  get client(): ClientFacts {
    return clientOf(this.#call.sender)
  }

  get auth(): AuthFacts | undefined {
    return this.#call.request.facts?.auth
  }

  get trace(): TraceContext | undefined {
    return traceOf(metaOf(this.#call.inbound.params))
  }

  get meta(): JsonObject {
    return ownMetaOf(this.#call.inbound.params)
  }

  get signal(): AbortSignal {
    return this.#call.request.signal
  }

  /** What the request ends with when a question of this run waits for a retry: whatever the run still does is void. */
  get suspended(): Promise<Outcome> | undefined {
    return this.#suspended
  }

  /** Calls back when the run is suspended, at once if it is. One listener. */
  whenSuspended(run: (outcome: Promise<Outcome>) => void): void {
    if (this.#suspended === undefined) this.#onSuspend = run
    else run(this.#suspended)
  }

  /** Whether the client has given the request up; costs less than looking at the signal. */
  get cancelled(): boolean {
    return this.#call.request.cancelled
  }

  progress({ progress, total, message }: Progress): void {
    const { inbound, request } = this.#call
    const { progressToken } = inbound
    if (progressToken === undefined || this.#suspended !== undefined || request.ended) return // PROG-05
    if (!(progress > this.#progress)) return // PROG-03
    this.#progress = progress
    this.#pace ??= new LatestPace(this.#server.settings.clock, PROGRESS_PACE, (params) =>
      request.notify('notifications/progress', params),
    )
    this.#pace.offer({
      progressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }), // PROG-04
    })
  }

  log(level: LoggingLevel, data: JsonValue, logger?: string): void {
    const wanted = this.#logLevel()
    if (this.#suspended !== undefined || wanted === undefined) return
    if (severityOf(level) < severityOf(wanted)) return // LOG-06
    this.#logBudget ??= new Budget(this.#server.settings.clock, LOG_PACE)
    if (!this.#logBudget.take()) {
      this.#unlogged += 1 // LOG-08
      return
    }
    const params: JsonObject = { level, data, ...(logger === undefined ? {} : { logger }) }
    this.#call.request.notify('notifications/message', params)
  }

  async ask<Q extends Question>(key: string, question: Q): Promise<AnswerTo<Q>> {
    this.#asker ??= askerFor(this.#asked())
    // The asker made sure that the answer has the shape that its question asks for.
    return (await this.#asker.ask(key, question)) as unknown as AnswerTo<Q>
  }

  closeStream(retryMs: number = 1000): boolean {
    return this.#call.request.pauseStream(retryMs)
  }

  /**
   * What the request ends with when people have to visit URLs before it can be answered, where questions travel in results;
   * undefined when one was refused already.
   */
  visits(questions: readonly ElicitQuestion[]): Promise<Outcome> | undefined {
    const asker =
      this.#asker instanceof ReplayingAsker ? this.#asker : new ReplayingAsker(this.#asked())
    return asker.visits(questions)
  }

  /** Gives ids to visits that need them, and remembers whom to tell when one is over. // ELIC-16 */
  nameVisits(questions: readonly ElicitQuestion[]): JsonObject[] {
    return questions.map(({ params }) => {
      const given = 'elicitationId' in params ? params.elicitationId : undefined
      const elicitationId = typeof given === 'string' ? given : this.#server.newId(16)
      this.#call.link.elicitations.add(elicitationId)
      return { ...(params as unknown as JsonObject), elicitationId } // questions are JSON by their types
    })
  }

  /** Says what was held back. Called right before the answer. // PROG-06 */
  finish(): void {
    this.#pace?.flush()
    if (this.#unlogged === 0) return
    const data = `${this.#unlogged} log messages were left out: they came too fast`
    this.#unlogged = 0
    const wanted = this.#logLevel()
    if (wanted !== undefined && severityOf('warning') >= severityOf(wanted))
      this.#call.request.notify('notifications/message', { level: 'warning', data })
  }

  #asked(): AskedCall {
    return {
      server: this.#server,
      call: this.#call,
      client: () => this.client,
      earlier: this.#earlier,
      suspend: (outcome) => this.#suspend(outcome),
    }
  }

  /**
   * The least level of log messages that the client wants: of this request, or of its session; nothing when the server sends
   * none. // LOG-05, LOG-06
   */
  #logLevel(): LoggingLevel | undefined {
    if (!this.#server.settings.logging) return undefined
    const { dialect, inbound, link } = this.#call
    return dialect.traits.logLevel === 'request' ? inbound.logLevel : (link.logLevel ?? 'info')
  }

  /** The request goes on in a retry: from here on this run says nothing more. */
  #suspend(outcome: Promise<Outcome>): void {
    this.finish()
    this.#suspended = outcome
    this.#call.request.release('it waits for answers of the client')
    this.#onSuspend?.(outcome)
  }
}
