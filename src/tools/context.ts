/**
 * What an author's code is given while it answers a request, and the questions it may ask. Types and the makers of
 * questions; the server fulfils them.
 */

import { RpcRefusal } from '../base/errors.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type { AuthFacts } from '../jsonrpc/wire.ts'
import type { ClientFacts } from '../protocol/dialect.ts'
import { URL_ELICITATION_REQUIRED } from '../protocol/errors.ts'
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

/**
 * Asks a person to fill in a form, or to visit a URL. Never ask for passwords, keys or card numbers in a form: the client,
 * and perhaps its model, sees what is typed. Send the person to a URL for those, and make sure there that it is the same
 * person. // ELIC-12, ELIC-13, ELIC-24
 */
export function elicit(params: ElicitFormParams | ElicitUrlParams): ElicitQuestion {
  return { method: 'elicitation/create', params }
}

/** Asks the client's model for a message. The newest revision advises against it: call a model of your own. */
export function sample(params: CreateMessageParams): SampleQuestion {
  return { method: 'sampling/createMessage', params }
}

/** Asks which places of the file system the client opens. Guidance, no enforcement; they may vanish. // ROOT-07 */
export function listRoots(): RootsQuestion {
  return { method: 'roots/list' }
}

/** Where a person has to go, and why. */
export interface UrlVisit {
  /** For the person. */
  readonly message: string
  /** An `https:` address without secrets, and not one that lets in whoever comes. // ELIC-23 */
  readonly url: string
  /** Your name for the visit, to tell its end by. Made up where it is missing. 2025-11-25 only. // ELIC-14 */
  readonly elicitationId?: string
}

/**
 * Throw it when a request cannot be answered before a person has visited these URLs. The client is told so in the way of
 * its revision and calls again afterwards; nobody waits meanwhile, so keep track of who is done. // ELIC-18, ERR-05
 */
export function urlElicitationRequired(elicitations: readonly UrlVisit[]): RpcRefusal {
  return new RpcRefusal(
    URL_ELICITATION_REQUIRED,
    'A person has to visit a URL before this request can be answered',
    { data: { elicitations: elicitations.map((one) => ({ ...one, mode: 'url' })) } },
  )
}

/** W3C Trace Context and Baggage of a request, values that are not of their form left out. // META-13 */
export interface TraceContext {
  readonly traceparent?: string
  readonly tracestate?: string
  readonly baggage?: string
}

/** Who asks, and what came along with the request. */
export interface RequestFacts {
  /** Aborts when the client gives the request up or is gone. */
  readonly signal: AbortSignal
  /** Who asks, by its own account: display data, never a basis for a decision. // META-11 */
  readonly client: ClientFacts
  /** Who asks, as the carrier has made sure. Undefined where nobody checked, as on stdio. Decide by this. */
  readonly auth: AuthFacts | undefined
  /** To continue the caller's trace; undefined when it has none. */
  readonly trace: TraceContext | undefined
  /** The caller's own `_meta`, reserved keys and those of `trace` left out. Peer values, unchecked. */
  readonly meta: JsonObject
}

/**
 * What a running tool, prompt or resource may use. Valid until it has answered; afterwards everything here does nothing.
 * Parts may be taken out of it: `run(args, { progress, signal })`.
 */
export interface RequestContext extends RequestFacts {
  /**
   * Tells how far the request has come. Does nothing when the client did not ask for it. Values must grow. Of a flood only
   * some are sent, about 20 a second; the last one always is, before the answer. // PROG-02, PROG-03, PROG-06
   */
  readonly progress: (value: Progress) => void
  /** Sends a log message of this request, if the client wants this level. Nothing secret. // LOG-06, LOG-08 */
  readonly log: (level: LoggingLevel, data: JsonValue, logger?: string) => void
  /**
   * Asks the client and waits. In the modern era the request ends here and **runs again from its start** with the answer at
   * hand, so keep what precedes an `ask` free of effects; code behind an unanswered `ask` never runs, nor does `finally`.
   * `key` names the question within this feature and must be the same on every run. Rejects with a `CapabilityError` when
   * the client cannot be asked that, and with an `RpcError` when it refuses.
   */
  readonly ask: <Q extends Question>(key: string, question: Q) => Promise<AnswerTo<Q>>
  /**
   * Lets go of the connection that waits for the answer: the client comes back after `retryMs` (default 1 s) and finds what
   * there is, so that long work needs no open connection. False, and nothing happens, where that cannot be. // HTTP-16
   */
  readonly closeStream: (retryMs?: number) => boolean
  /**
   * Answers a call of a tool now, with a task that its client follows, and lets the work go on: for a tool that may become one
   * `later`. From here on questions stand in the task and nothing runs twice. False, and nothing happens, where the client
   * cannot follow it, or it is a task already. // TASKX-17
   */
  readonly becomeTask: () => boolean
}

/** The name it has in tools; the same as `RequestContext`. */
export type ToolContext = RequestContext

/** What a completion may look at. */
export interface CompletionContext extends RequestFacts {
  /** The other arguments, as far as they are decided. From 2025-06-18; empty before. // COMP-03 */
  readonly arguments: { readonly [name: string]: string }
}

/** Suggestions, best first; what is beyond the first 100 is counted and not sent. // COMP-04 */
export type Completions =
  | readonly string[]
  | {
      readonly values: readonly string[]
      /** How many there are in all, when that is known. */
      readonly total?: number
      readonly hasMore?: boolean
    }

/** Suggests values for one argument, given what is typed so far. Show nobody what they may not see. // COMP-05 */
export type Completer = (
  value: string,
  context: CompletionContext,
) => Completions | Promise<Completions>

/** How long a result may be kept, and by whom. Members left out are the server's. // CACHE-01 */
export interface CacheHint {
  /** Milliseconds, a whole number. */
  readonly ttlMs?: number
  /** `public` lets anyone share it, also across users: never for what depends on who asks. // CACHE-05 */
  readonly cacheScope?: 'public' | 'private'
}

/** What every feature of a server may have. */
export interface FeatureOptions {
  /**
   * Whether this caller may know of it. Where not, it is in no list and its use fails as if it did not exist. Cheap and
   * without effects: it is asked for every feature of a list. Default: everyone. // RES-09, TOOL-27
   */
  visibleTo?(facts: RequestFacts): boolean
}
