/**
 * How one revision speaks: the interface that all five dialects fill in.
 *
 * What differs between revisions is a member here and nowhere else. Nothing in this folder does I/O; the
 * lookup of dialects is in `dialects/index.ts`, apart, so that no dialect imports the list it is on.
 */

import type { JsonObject, JsonText } from '../base/json.ts'
import type { LinkTraits } from '../jsonrpc/link.ts'
import type { ErrorObject, Notification, Request, RequestId } from '../jsonrpc/message.ts'
import type { Facts } from '../jsonrpc/wire.ts'
import type { Era, Revision } from './revision.ts'
import type {
  ClientCapabilities,
  Implementation,
  LoggingLevel,
  ServerCapabilities,
} from './types/common.ts'
import type { TaskState } from './types/tasks.ts'

/** What a client says about itself, in the words of the newest revision; each dialect sends what its revision knows. */
export interface ClientIdentity {
  readonly info: Implementation
  readonly capabilities: ClientCapabilities
}

/** What a server says about itself, in the words of the newest revision. */
export interface ServerIdentity {
  readonly info: Implementation
  readonly capabilities: ServerCapabilities
  readonly instructions?: string
  /** Revisions it serves, oldest first. */
  readonly revisions: readonly Revision[]
  /** How long a list may be cached, in ms. // CACHE-01 */
  readonly ttlMs: number
  readonly cacheScope: 'public' | 'private'
}

/** What a client learned about the far side. */
export interface ServerFacts {
  readonly revision: Revision
  readonly era: Era
  /** Self-reported display data: never a basis for a decision. // META-11 */
  readonly info: Implementation | undefined
  readonly capabilities: ServerCapabilities
  readonly instructions: string | undefined
}

/** What a server knows about the sender of one request. // META-09 */
export interface ClientFacts {
  readonly revision: Revision
  readonly era: Era
  readonly info: Implementation | undefined
  readonly capabilities: ClientCapabilities
}

export interface MethodRule {
  readonly kind: 'request' | 'notification'
  readonly sender: 'client' | 'server' | 'both'
  /**
   * The capability that its receiver (or, for notifications, its sender) must have declared, as a dotted path that starts
   * with the owner: `server.tools`, `client.roots`, or `receiver.tasks` where either side may send it. Absent: none.
   */
  readonly needs?: string
  /** The extension that it belongs to. // EXT-02 */
  readonly extension?: string
  /** Who must have declared that extension. Default `both`. */
  readonly declaredBy?: 'both' | 'server'
}

/** Method name to rule. Absence is a removal: inbound it is -32601, outbound a local error. */
export type MethodTable = ReadonlyMap<string, MethodRule>

/** Named choices of a revision, so that no other layer compares dates. */
export interface Traits {
  /** How a server puts a question to the client: as a request of its own, or inside a result. // MRTR-17 */
  readonly serverAsks: 'request' | 'result'
  /** Whether changes are told to everyone or only on listen streams. // TOOL-23 */
  readonly changes: 'broadcast' | 'listen'
  /** Who sets the log level: the session, or each request for itself. // LOG-03, LOG-05 */
  readonly logLevel: 'session' | 'request'
  /** How failed argument checks are told. // TOOL-16 */
  readonly argumentErrors: 'error' | 'result'
  /** Whether an error whose request could not be read is written with `"id": null` or without an id. // RPC-08 */
  readonly unreadId: 'null' | 'none'
  /** Whether a question by URL must have an `elicitationId`, made by the server. // ELIC-14, ELIC-15 */
  readonly elicitationIds: boolean
  /** Whether a client must have declared that it includes context of servers in sampling, before it is asked to. // SAMP-12 */
  readonly samplingContextDeclared: boolean
  /** Whether a request for sampling may bring tools. // SAMP-06 */
  readonly samplingTools: boolean
  /** Which tasks there are: none, those of 2025-11-25 that a client asks for, or those of the extension. // TASK-01, TASKX-01 */
  readonly tasks: 'none' | 'core' | 'extension'
  /** Whether results say how long they may be kept. // CACHE-01 */
  readonly cacheHints: boolean
  /** Whether HTTP headers repeat what the message says, and are checked against it. // HTTP-56, HTTP-58 */
  readonly mirrorsHeaders: boolean
}

/** One call on its way out, in neutral words. */
export interface Call {
  readonly method: string
  readonly params?: JsonObject | undefined
  /** Sent as `_meta.progressToken`; the id of the request. // PROG-01 */
  readonly progressToken?: RequestId | undefined
  /** Least level of log messages wanted for this request, where the revision has that. // LOG-05 */
  readonly logLevel?: LoggingLevel | undefined
}

/** One request on its way in, its envelope taken off. */
export interface Inbound {
  readonly method: string
  /** Without `_meta`'s reserved keys and without the retry members below. Never undefined. May be made when first read. */
  readonly params: JsonObject
  /** The params as they came, for members that no envelope touches: spares the copy that `params` is. */
  readonly given: JsonObject
  /** Whether the request said by itself who sends it. */
  readonly enveloped: boolean
  /** `undefined` where the revision says it once per session. May be made when first read. */
  readonly client: ClientFacts | undefined
  readonly progressToken: RequestId | undefined
  readonly logLevel: LoggingLevel | undefined
  /** Answers to earlier questions, unchecked peer values. // MRTR-06 */
  readonly inputResponses: JsonObject | undefined
  /** Attacker-controlled text. // MRTR-09 */
  readonly requestState: string | undefined
}

/** One question of a server to a client: elicitation, sampling or roots. // MRTR-03 */
export interface InputRequest {
  readonly method: string
  readonly params?: JsonObject
}

/** How a request ended that did not fail. */
export type Outcome =
  | { readonly kind: 'complete'; readonly result: JsonObject }
  | {
      readonly kind: 'input-required'
      /** Empty when the server only wants to be called again. // MRTR-05 */
      readonly inputRequests: ReadonlyMap<string, InputRequest>
      readonly requestState: string | undefined
    }
  /** An extension's: the call goes on, and its end is asked for later. // TASKX-05 */
  | { readonly kind: 'task'; readonly task: TaskState }

/** What the opening moves may do: ask, tell and wait, nothing more. */
export interface Opening {
  /** Rejects with `RpcError` when the peer says no; is bounded by the start timer of the caller. */
  ask(
    method: string,
    params?: JsonObject | JsonText,
    headers?: Readonly<Record<string, string>>,
  ): Promise<JsonObject>
  tell(method: string, params?: JsonObject): void
  /** Resolves after so many ms of the caller's clock. Used for the era probe. */
  wait(ms: number): Promise<void>
  /** A remark for the wire, e.g. that the probe went unanswered. */
  note(kind: string, data: JsonObject): void
}

export interface OpenOptions {
  /** Revisions to go on with when the server names another one than was offered. Default: all of the same era. // VERS-03 */
  readonly accepts?: readonly Revision[]
}

/** How one revision speaks. Values of this type are stateless and shared. */
export interface Dialect {
  readonly revision: Revision
  readonly era: Era
  readonly methods: MethodTable
  readonly link: LinkTraits
  readonly traits: Traits
  /** The client's first words, until requests may flow. Rejects with `RpcError`, or `ProtocolError` when the answer is unusable. */
  open(peer: Opening, self: ClientIdentity, options?: OpenOptions): Promise<ServerFacts>
  /** The server's answer to the first words (`initialize` or `server/discover`), as the result to send. */
  welcome(self: ServerIdentity): JsonObject
  /**
   * Params for the wire, envelope included. Text where a part of it is the same for every call. `self` is needed where
   * the revision wants an envelope; a legacy server that asks has none. Throws `CapabilityError` for what cannot be said.
   */
  encodeRequest(call: Call, self?: ClientIdentity): { params: JsonObject | JsonText | undefined }
  /**
   * The HTTP headers that repeat a request's words, by lower-case name; undefined where the revision has none. Values are
   * encoded for the wire. // HTTP-52, HTTP-56, HTTP-57
   */
  requestHeaders(
    method: string,
    params: JsonObject | undefined,
  ): Readonly<Record<string, string>> | undefined
  /**
   * Throws `RpcRefusal` with the code of the revision when the envelope is missing or wrong, or when `facts` hold headers
   * that say another thing than the message. // HTTP-58, HTTP-88
   */
  decodeRequest(request: Request, facts?: Facts): Inbound
  /**
   * A result for the wire: what the revision does not know is left out or told otherwise, what it demands is added.
   * `self` is missing when a client answers, or when a server does not want to be named. // META-10
   */
  encodeResult(method: string, outcome: Outcome, self?: ServerIdentity): JsonObject | JsonText
  /** Throws `ProtocolError` when the result breaks the revision beyond lenient reading. // RPC-19, RPC-20 */
  decodeResult(method: string, raw: JsonObject): Outcome
  /** The outbound request that an inbound notification belongs to: progress by its token, change notices by subscription. */
  exchangeOf(notification: Notification): RequestId | undefined
  /** The error object for anything thrown while answering. Never leaks a stack or a message that was not meant for the peer. */
  encodeError(error: unknown, facts?: Facts): { error: ErrorObject; status?: number }
  /** The reserved tag that marks messages of one subscription, or nothing where there are none. // SUB-06 */
  subscriptionMeta(id: RequestId): JsonObject | undefined
}
