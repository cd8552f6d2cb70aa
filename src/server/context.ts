/**
 * The context of one tool call: cancellation, progress, log messages, questions. Ends with the call.
 */

import type { JsonObject, JsonValue } from '../base/json.ts'
import type { AuthFacts } from '../jsonrpc/wire.ts'
import type { ClientFacts, Dialect, Outcome } from '../protocol/dialect.ts'
import { metaOf } from '../protocol/meta.ts'
import { severityOf, type LoggingLevel, type Progress } from '../protocol/types/common.ts'
import type { AnswerTo, Question, ToolContext, TraceContext } from '../tools/context.ts'
import { askerFor, type AskedCall, type Asker } from './ask.ts'
import { clientOf, type Sender } from './sender.ts'
import { ownMetaOf, traceOf } from './trace.ts'

export interface CallContextOptions extends Omit<AskedCall, 'suspend' | 'client'> {
  readonly sender: Sender
  /** Least level wanted by the client, or nothing when it wants no log messages or the server sends none. // LOG-06 */
  readonly logLevel: LoggingLevel | undefined
}

export class CallContext implements ToolContext {
  readonly dialect: Dialect
  readonly #options: CallContextOptions
  #progress = Number.NEGATIVE_INFINITY
  #asker: Asker | undefined
  #suspended: Promise<Outcome> | undefined
  #onSuspend: ((outcome: Promise<Outcome>) => void) | undefined

  constructor(options: CallContextOptions) {
    this.dialect = options.dialect
    this.#options = options
  }

  get client(): ClientFacts {
    return clientOf(this.#options.sender)
  }

  get auth(): AuthFacts | undefined {
    return this.#options.request.facts?.auth
  }

  get trace(): TraceContext | undefined {
    return traceOf(metaOf(this.#options.inbound.params))
  }

  get meta(): JsonObject {
    return ownMetaOf(this.#options.inbound.params)
  }

  get signal(): AbortSignal {
    return this.#options.request.signal
  }

  /** What the call ends with when a question of this run waits for a retry: whatever the run still does is void. */
  get suspended(): Promise<Outcome> | undefined {
    return this.#suspended
  }

  /** Calls back when the run is suspended, at once if it is. One listener. */
  whenSuspended(run: (outcome: Promise<Outcome>) => void): void {
    if (this.#suspended === undefined) this.#onSuspend = run
    else run(this.#suspended)
  }

  /** Whether the client has given the call up; costs less than looking at the signal. */
  get cancelled(): boolean {
    return this.#options.request.cancelled
  }

  progress(value: Progress): void {
    const { progressToken } = this.#options.inbound
    if (
      this.#suspended !== undefined ||
      progressToken === undefined ||
      !(value.progress > this.#progress)
    )
      return // PROG-03
    this.#progress = value.progress
    const { progress, total, message } = value
    this.#options.request.notify('notifications/progress', {
      progressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }), // PROG-04
    })
  }

  log(level: LoggingLevel, data: JsonValue, logger?: string): void {
    const { logLevel, request } = this.#options
    if (
      this.#suspended !== undefined ||
      logLevel === undefined ||
      severityOf(level) < severityOf(logLevel)
    )
      return // LOG-06
    const params: JsonObject = { level, data, ...(logger === undefined ? {} : { logger }) }
    request.notify('notifications/message', params)
  }

  async ask<Q extends Question>(key: string, question: Q): Promise<AnswerTo<Q>> {
    this.#asker ??= askerFor({
      ...this.#options,
      client: () => this.client,
      suspend: (outcome) => this.#suspend(outcome),
    })
    // The asker made sure that the answer has the shape that its question asks for.
    return (await this.#asker.ask(key, question)) as unknown as AnswerTo<Q>
  }

  /** The call goes on in a retry: from here on this run says nothing more. */
  #suspend(outcome: Promise<Outcome>): void {
    this.#suspended = outcome
    this.#options.request.release('it waits for answers of the client')
    this.#onSuspend?.(outcome)
  }
}
