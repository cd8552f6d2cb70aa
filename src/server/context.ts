/**
 * The context of one request while the author's code answers it: who asks, cancellation, progress, log messages, questions.
 * Ends with the request.
 */

import { TransportError } from '../base/errors.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type { Peer } from '../jsonrpc/peer.ts'
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
import type { TaskSupport } from '../tools/define.ts'
import type { TaskWork } from '../tools/task-store.ts'
import { askerFor, ReplayingAsker, TaskAsker, type AskedCall, type Asker } from './ask.ts'
import { Budget, LatestPace, LOG_PACE, PROGRESS_PACE } from './pace.ts'
import { clientOf } from './sender.ts'
import type { Dispatched, Served } from './served.ts'
import { promiseOf } from '../tools/task-desk.ts'
import { ownMetaOf, traceOf } from './trace.ts'

/** The answers of a request that is no retry. */
export const NO_ANSWERS: JsonObject = {}

/** What an author uses is made when it is looked at, and stands for itself: `{ progress }` may be taken out of it. */
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
  #support: TaskSupport | undefined
  #work: TaskWork | undefined
  #onAnswered: ((outcome: Outcome | Promise<Outcome>) => void) | undefined

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
    return this.#work?.signal ?? this.#call.request.signal
  }

  get progress(): RequestContext['progress'] {
    return (value) => this.#tellProgress(value)
  }

  get log(): RequestContext['log'] {
    return (level, data, logger) => this.#tellLog(level, data, logger)
  }

  get ask(): RequestContext['ask'] {
    return (key, question) => this.#ask(key, question)
  }

  get closeStream(): RequestContext['closeStream'] {
    return (retryMs) => this.#closeStream(retryMs)
  }

  get becomeTask(): RequestContext['becomeTask'] {
    return () => this.#becomeTask()
  }

  /** What the request ends with when a question of this run waits for a retry: whatever the run still does is void. */
  get suspended(): Promise<Outcome> | undefined {
    return this.#suspended
  }

  /**
   * Calls back when the request is answered before its code has come to an end, at once if it is: the run was suspended, or
   * goes on as a task. One listener.
   */
  whenAnswered(run: (outcome: Outcome | Promise<Outcome>) => void): void {
    if (this.#suspended !== undefined) run(this.#suspended)
    else if (this.#work !== undefined) run(promiseOf(this.#work, this.#call))
    else this.#onAnswered = run
  }

  /** The tool that runs may become a task on its way. */
  mayBecomeTask(support: TaskSupport): void {
    this.#support = support
  }

  #becomeTask(): boolean {
    if (this.#work !== undefined || this.#suspended !== undefined) return false
    const work = this.#server.tasks?.begin(this.#call, this.#support, true)
    if (work === undefined) return false
    this.#onAnswered?.(this.enterTask(work))
    return true
  }

  /** From here on the work is a task. Gives what the call is answered with. */
  enterTask(work: TaskWork): Outcome {
    this.#pace?.flush()
    this.#work = work
    this.#asker = undefined
    return promiseOf(work, this.#call)
  }

  /** Ends the task that this is, with what its call would have given; false when it is none. */
  endTask(outcome: Outcome): boolean {
    if (outcome.kind === 'complete') this.#work?.finish({ kind: 'result', result: outcome.result })
    return this.#work !== undefined
  }

  /** The same for what was thrown. */
  failTask(error: Error): boolean {
    this.#work?.finish({ kind: 'error', error })
    return this.#work !== undefined
  }

  /** Whether the client has given the request up; costs less than looking at the signal. */
  get cancelled(): boolean {
    return this.#work === undefined ? this.#call.request.cancelled : this.#work.signal.aborted
  }

  #tellProgress({ progress, total, message }: Progress): void {
    const { inbound, request } = this.#call
    const { progressToken } = inbound
    if (this.#work !== undefined) this.#work.say(message ?? inNumbers(progress, total)) // TASKX-21
    const isOver = this.#work === undefined ? request.ended : this.#work.task.end !== undefined
    if (progressToken === undefined || this.#suspended !== undefined || isOver) return // PROG-05
    if (!(progress > this.#progress)) return // PROG-03
    this.#progress = progress
    this.#pace ??= new LatestPace(this.#server.settings.clock, PROGRESS_PACE, (params) =>
      this.#notify('notifications/progress', params),
    )
    this.#pace.offer({
      progressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }), // PROG-04
    })
  }

  #tellLog(level: LoggingLevel, data: JsonValue, logger: string | undefined): void {
    const wanted = this.#logLevel()
    if (this.#suspended !== undefined || wanted === undefined) return
    if (severityOf(level) < severityOf(wanted)) return // LOG-06
    this.#logBudget ??= new Budget(this.#server.settings.clock, LOG_PACE)
    if (!this.#logBudget.take()) {
      this.#unlogged += 1 // LOG-08
      return
    }
    const params: JsonObject = { level, data, ...(logger === undefined ? {} : { logger }) }
    this.#notify('notifications/message', params)
  }

  /** On the stream of the request; once that is answered, where the revision allows it, to its client at large. // PROG-07, TASKX-21 */
  #notify(method: string, params: JsonObject): void {
    const { dialect, request, link } = this.#call
    if (this.#work === undefined || !request.ended) request.notify(method, params)
    else if (dialect.traits.changes === 'broadcast') tellClient(link.peer, method, params)
  }

  async #ask<Q extends Question>(key: string, question: Q): Promise<AnswerTo<Q>> {
    this.#asker ??=
      this.#work === undefined
        ? askerFor(this.#asked())
        : new TaskAsker(this.#work, { dialect: this.dialect, client: this.client })
    // The asker made sure that the answer has the shape that its question asks for.
    return (await this.#asker.ask(key, question)) as unknown as AnswerTo<Q>
  }

  #closeStream(retryMs: number = 1000): boolean {
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
      this.#notify('notifications/message', { level: 'warning', data })
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
    this.#onAnswered?.(outcome)
  }
}

function inNumbers(progress: number, total: number | undefined): string {
  return total === undefined ? `${progress}` : `${progress} of ${total}`
}

/** A notification that may find nobody there: a task outlives its connection. */
function tellClient(peer: Peer, method: string, params: JsonObject): void {
  try {
    peer.notify(method, params)
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
  }
}
