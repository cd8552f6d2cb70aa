/**
 * What a tool's code is given while it runs, and the questions it may ask. Types and the makers of questions;
 * the server fulfils them.
 */

import type { JsonValue } from '../base/json.ts'
import type { ClientFacts } from '../protocol/dialect.ts'
import type { LoggingLevel, Progress } from '../protocol/types/common.ts'
import type {
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
} from '../protocol/types/elicitation.ts'
import type { ListRootsResult } from '../protocol/types/roots.ts'
import type { CreateMessageParams, CreateMessageResult } from '../protocol/types/sampling.ts'

/** A question to the client, by the method that carries it. */
export type Question = ElicitQuestion | SampleQuestion | RootsQuestion

export interface ElicitQuestion {
  readonly method: 'elicitation/create'
  readonly params: ElicitFormParams | ElicitUrlParams
}

export interface SampleQuestion {
  readonly method: 'sampling/createMessage'
  readonly params: CreateMessageParams
}

export interface RootsQuestion {
  readonly method: 'roots/list'
}

/** What the client answers to a kind of question. */
export type AnswerTo<Q extends Question> = Q extends ElicitQuestion
  ? ElicitResult
  : Q extends SampleQuestion
    ? CreateMessageResult
    : ListRootsResult

/** Asks a person to fill in a form, or to visit a URL. */
export function elicit(params: ElicitFormParams | ElicitUrlParams): ElicitQuestion {
  return { method: 'elicitation/create', params }
}

/** Asks the client's model for a message. */
export function sample(params: CreateMessageParams): SampleQuestion {
  return { method: 'sampling/createMessage', params }
}

/** Asks which places of the file system the client opens. */
export function listRoots(): RootsQuestion {
  return { method: 'roots/list' }
}

/** What a running tool may use. Valid until `run` has settled; afterwards everything here does nothing. */
export interface ToolContext {
  /** Aborts when the client gives the call up or is gone. */
  readonly signal: AbortSignal
  /** Who asks, by its own account: display data, never a basis for a decision. // META-11 */
  readonly client: ClientFacts
  /** Tells how far the call has come. Does nothing when the client did not ask for it. Values must grow. // PROG-02, PROG-03 */
  progress(value: Progress): void
  /** Sends a log message of this call, if the client wants this level. // LOG-06 */
  log(level: LoggingLevel, data: JsonValue, logger?: string): void
  /**
   * Asks the client and waits. In the modern era the call ends here and **runs again from its start** with the answer at
   * hand, so keep what precedes an `ask` free of effects; code behind an unanswered `ask` never runs, nor does `finally`.
   * `key` names the question within this tool and must be the same on every run. Rejects with a `CapabilityError` when the
   * client cannot be asked that, and with an `RpcError` when it refuses.
   */
  ask<Q extends Question>(key: string, question: Q): Promise<AnswerTo<Q>>
}
