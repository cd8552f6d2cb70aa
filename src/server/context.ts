/**
 * The context of one tool call: cancellation, progress, log messages, questions. Ends with the call.
 */

import type { JsonObject, JsonValue } from '../base/json.ts'
import type { InboundRequest } from '../jsonrpc/inbound-request.ts'
import type { ClientFacts, Dialect, Inbound, Outcome } from '../protocol/dialect.ts'
import { severityOf, type LoggingLevel, type Progress } from '../protocol/types/common.ts'
import type { AnswerTo, Question, ToolContext } from '../tools/context.ts'
import type { Asker } from './ask.ts'

export interface CallContextOptions {
  readonly dialect: Dialect
  readonly client: ClientFacts
  readonly inbound: Inbound
  readonly request: InboundRequest
  readonly asker: Asker
  /** Least level wanted by the client, or nothing when it wants no log messages or the server sends none. // LOG-06 */
  readonly logLevel: LoggingLevel | undefined
}

export class CallContext implements ToolContext {
  readonly dialect: Dialect
  readonly client: ClientFacts
  readonly #options: CallContextOptions
  #progress = Number.NEGATIVE_INFINITY
  #suspended = false

  constructor(options: CallContextOptions) {
    this.dialect = options.dialect
    this.client = options.client
    this.#options = options
  }

  get signal(): AbortSignal {
    return this.#options.request.signal
  }

  /** Whether the client has given the call up; costs less than looking at the signal. */
  get cancelled(): boolean {
    return this.#options.request.cancelled
  }

  progress(value: Progress): void {
    const { progressToken } = this.#options.inbound
    if (this.#suspended || progressToken === undefined || !(value.progress > this.#progress)) return // PROG-03
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
    if (this.#suspended || logLevel === undefined || severityOf(level) < severityOf(logLevel))
      return // LOG-06
    const params: JsonObject = { level, data, ...(logger === undefined ? {} : { logger }) }
    request.notify('notifications/message', params)
  }

  async ask<Q extends Question>(key: string, question: Q): Promise<AnswerTo<Q>> {
    // The asker made sure that the answer has the shape that its question asks for.
    return (await this.#options.asker.ask(key, question)) as unknown as AnswerTo<Q>
  }

  /** The call goes on in a retry: from here on this run says nothing more. */
  suspend(outcome: Outcome): Outcome {
    this.#suspended = true
    this.#options.request.release('it waits for answers of the client')
    return outcome
  }
}
