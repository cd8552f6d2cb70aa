/**
 * Every error that deep-pilot throws on purpose, and the list of their codes.
 *
 * A failed tool is no error (it is a result with `isError`), and what a peer said (`RpcError`) is never the
 * same class as what happened here (ERR-13). No other file in the project declares an error class.
 */

import type { ErrorDetail } from './error-detail.ts'

export type ErrorFamily =
  | 'rpc'
  | 'protocol'
  | 'transport'
  | 'timeout'
  | 'cancelled'
  | 'capability'
  | 'schema'
  | 'policy'
  | 'auth'
  | 'model'
  | 'usage'
  | 'config'
  | 'internal'

/** All stable codes, to switch on. A code is never renamed and never reused for another meaning. */
export type ErrorCode =
  | 'DP_RPC_ERROR'
  | 'DP_RPC_REFUSAL'
  | 'DP_PROTOCOL_MESSAGE'
  | 'DP_PROTOCOL_RESULT'
  | 'DP_PROTOCOL_VERSION'
  | 'DP_PROTOCOL_PAGES'
  | 'DP_PROTOCOL_ROUNDS'
  | 'DP_PROTOCOL_SKILL'
  | 'DP_TRANSPORT_SPAWN'
  | 'DP_TRANSPORT_EXIT'
  | 'DP_TRANSPORT_CLOSED'
  | 'DP_TRANSPORT_WRITE'
  | 'DP_TRANSPORT_STALLED'
  | 'DP_TRANSPORT_TOO_LARGE'
  | 'DP_TRANSPORT_OVERLOADED'
  | 'DP_TRANSPORT_CONNECT'
  | 'DP_TRANSPORT_HTTP'
  | 'DP_TRANSPORT_SESSION'
  | 'DP_TRANSPORT_ORIGIN'
  | 'DP_TRANSPORT_UNAVAILABLE'
  | 'DP_TIMEOUT'
  | 'DP_CANCELLED'
  | 'DP_CAPABILITY_MISSING'
  | 'DP_CAPABILITY_METHOD'
  | 'DP_SCHEMA_ARGUMENTS'
  | 'DP_SCHEMA_RESULT'
  | 'DP_SCHEMA_DEFINITION'
  | 'DP_POLICY_DENIED'
  | 'DP_POLICY_HELD'
  | 'DP_POLICY_ALTERED'
  | 'DP_POLICY_UNAPPROVED'
  | 'DP_AUTH_REQUIRED'
  | 'DP_MODEL_KEY'
  | 'DP_MODEL_BALANCE'
  | 'DP_MODEL_BUSY'
  | 'DP_MODEL_REQUEST'
  | 'DP_MODEL_FAILED'
  | 'DP_MODEL_CUT'
  | 'DP_MODEL_UNREADABLE'
  | 'DP_USAGE'
  | 'DP_CONFIG'
  | 'DP_BUG'

/** Whether a message reached the far side: `no` surely not, `yes` the carrier took all of it, `maybe` neither is known. */
export type Sent = 'no' | 'maybe' | 'yes'

/** What any error may carry about where it happened. All optional; nothing here is secret. */
export interface ErrorFacts {
  /** Name of the transport or server the error belongs to. */
  readonly server?: string
  readonly method?: string
  readonly id?: string | number
}

export interface PilotErrorOptions extends ErrorFacts {
  readonly cause?: unknown
  /** What exactly happened, where the code alone does not say it. */
  readonly detail?: ErrorDetail | undefined
}

/** The base of all errors of this package. Catch it to tell them from everything else. */
export class PilotError extends Error {
  readonly family: ErrorFamily
  readonly code: ErrorCode
  readonly server: string | undefined
  readonly method: string | undefined
  readonly id: string | number | undefined
  /** The same as the message, in facts: to tell it in another language. Undefined where the code and the other facts say it all. */
  readonly detail: ErrorDetail | undefined

  constructor(
    family: ErrorFamily,
    code: ErrorCode,
    message: string,
    options: PilotErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.family = family
    this.code = code
    this.server = options.server
    this.method = options.method
    this.id = options.id
    this.detail = options.detail
  }
}

export interface RpcErrorOptions extends PilotErrorOptions {
  readonly data?: unknown
}

/** The peer answered with a JSON-RPC error. `rpcCode` and `data` are the peer's own words, unchecked. */
export class RpcError extends PilotError {
  readonly rpcCode: number
  readonly data: unknown

  constructor(rpcCode: number, message: string, options: RpcErrorOptions = {}) {
    super('rpc', 'DP_RPC_ERROR', message, options)
    this.rpcCode = rpcCode
    this.data = options.data
  }
}

/**
 * Thrown while answering a request: the peer gets exactly this JSON-RPC error. Never received, only sent;
 * what a peer sent is an `RpcError`.
 */
export class RpcRefusal extends PilotError {
  readonly rpcCode: number
  readonly data: unknown

  constructor(rpcCode: number, message: string, options: RpcErrorOptions = {}) {
    super('rpc', 'DP_RPC_REFUSAL', message, options)
    this.rpcCode = rpcCode
    this.data = options.data
  }
}

export interface ProtocolErrorOptions extends PilotErrorOptions {
  /** The requirement that was broken, e.g. `RPC-07`. */
  readonly requirement?: string
  /** The exact text at fault, cut to 1,000 characters. */
  readonly frame?: string
}

/** The peer broke a rule of the protocol. */
export class ProtocolError extends PilotError {
  readonly requirement: string | undefined
  readonly frame: string | undefined

  constructor(
    code: Extract<ErrorCode, `DP_PROTOCOL_${string}`>,
    message: string,
    options: ProtocolErrorOptions = {},
  ) {
    super('protocol', code, message, options)
    this.requirement = options.requirement
    this.frame = options.frame?.slice(0, 1000)
  }
}

/** How a child process ended. `undefined` members are not known (yet). */
export interface ExitFacts {
  readonly exitCode?: number | undefined
  readonly signal?: string | undefined
  /** The end of what the process wrote to stderr, at most 64 KiB; peer text, escape it before showing it. */
  readonly stderr?: string | undefined
}

export interface TransportErrorOptions extends PilotErrorOptions, ExitFacts {
  readonly sent?: Sent
}

/** The carrier failed: no process, no connection, a broken pipe, a message over a limit. */
export class TransportError extends PilotError {
  readonly exitCode: number | undefined
  readonly signal: string | undefined
  readonly stderr: string | undefined
  /** Whether the request that failed had left; `no` is the only value on which repeating it is surely safe. */
  readonly sent: Sent | undefined

  constructor(
    code: Extract<ErrorCode, `DP_TRANSPORT_${string}`>,
    message: string,
    options: TransportErrorOptions = {},
  ) {
    super('transport', code, message, options)
    this.exitCode = options.exitCode
    this.signal = options.signal
    this.stderr = options.stderr
    this.sent = options.sent
  }
}

export interface HttpErrorOptions extends TransportErrorOptions {
  readonly status: number
  readonly contentType?: string | undefined
  /** The start of the body, at most 2,000 characters; peer text, escape it before showing it. */
  readonly body?: string | undefined
  /** What `Retry-After` asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

/**
 * The far side answered by HTTP and not by JSON-RPC. `DP_TRANSPORT_SESSION`: it does not know the session any more, so
 * nothing was executed. `DP_TRANSPORT_HTTP`: any other status, or a body of a kind that was not asked for.
 */
export class HttpError extends TransportError {
  readonly status: number
  readonly contentType: string | undefined
  readonly body: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    code: 'DP_TRANSPORT_HTTP' | 'DP_TRANSPORT_SESSION',
    message: string,
    options: HttpErrorOptions,
  ) {
    super(code, message, options)
    this.status = options.status
    this.contentType = options.contentType
    this.body = options.body?.slice(0, 2000)
    this.retryAfterMs = options.retryAfterMs
  }
}

export interface AuthErrorOptions extends PilotErrorOptions {
  readonly status?: number
  /** The `WWW-Authenticate` value, peer text. */
  readonly challenge?: string | undefined
}

/** The far side wants to know who asks, or refuses whoever does. */
export class AuthError extends PilotError {
  readonly status: number | undefined
  readonly challenge: string | undefined

  constructor(message: string, options: AuthErrorOptions = {}) {
    super('auth', 'DP_AUTH_REQUIRED', message, options)
    this.status = options.status
    this.challenge = options.challenge
  }
}

export interface ModelErrorOptions extends PilotErrorOptions {
  readonly provider: string
  /** HTTP status, where there was one. */
  readonly status?: number | undefined
  /** What the provider said, at most 2,000 characters; peer text, escape it before showing it. */
  readonly said?: string | undefined
  /** The provider's own code or type of the error. */
  readonly kind?: string | undefined
  /** What `Retry-After` asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** Asking again with the same words may help. Default false. */
  readonly retryable?: boolean
}

/**
 * A language model gave no reply. `DP_MODEL_KEY`: no key, or one that is refused. `_BALANCE`: nothing left to pay with. `_BUSY`: too many
 * requests, or no room. `_REQUEST`: the provider does not take the request. `_FAILED`: it broke down. `_CUT`: the reply
 * ended before it was whole. `_UNREADABLE`: it is no reply.
 */
export class ModelError extends PilotError {
  readonly provider: string
  readonly status: number | undefined
  readonly said: string | undefined
  readonly kind: string | undefined
  readonly retryAfterMs: number | undefined
  readonly retryable: boolean

  constructor(
    code: Extract<ErrorCode, `DP_MODEL_${string}`>,
    message: string,
    options: ModelErrorOptions,
  ) {
    super('model', code, message, options)
    this.provider = options.provider
    this.status = options.status
    this.said = options.said?.slice(0, 2000)
    this.kind = options.kind
    this.retryAfterMs = options.retryAfterMs
    this.retryable = options.retryable ?? false
  }
}

/** Which clock ran out: the era probe, the start of a server, waiting without a sign of life, the whole call, a stuck write. */
export type TimerName = 'probe' | 'start' | 'idle' | 'total' | 'write' | 'stop'

export interface TimeoutErrorOptions extends PilotErrorOptions {
  readonly timer: TimerName
  readonly ms: number
  /** Where the value was set: `default`, `call`, `client`, or a config place. */
  readonly setBy: string
  /** Milliseconds between the last progress notification and the expiry, if any came. */
  readonly sinceProgressMs?: number | undefined
  readonly sent?: Sent
}

/** A wait ended by its own clock. The peer may still be working: the outcome is unknown unless `sent` is `no`. */
export class TimeoutError extends PilotError {
  readonly timer: TimerName
  readonly ms: number
  readonly setBy: string
  readonly sinceProgressMs: number | undefined
  readonly sent: Sent | undefined

  constructor(message: string, options: TimeoutErrorOptions) {
    super('timeout', 'DP_TIMEOUT', message, options)
    this.timer = options.timer
    this.ms = options.ms
    this.setBy = options.setBy
    this.sinceProgressMs = options.sinceProgressMs
    this.sent = options.sent
  }
}

export interface CancelledErrorOptions extends PilotErrorOptions {
  readonly reason?: unknown
}

/** The wait was given up on purpose, here or (in a server) by the peer. */
export class CancelledError extends PilotError {
  readonly reason: unknown

  constructor(message: string, options: CancelledErrorOptions = {}) {
    super('cancelled', 'DP_CANCELLED', message, options)
    this.reason = options.reason
  }
}

export interface CapabilityErrorOptions extends PilotErrorOptions {
  readonly revision?: string
  /** What is missing, e.g. `server tools` or `client elicitation.url`. */
  readonly missing?: string
}

/** Refused here, before anything was sent: the agreed revision or the declared capabilities do not allow it. */
export class CapabilityError extends PilotError {
  readonly revision: string | undefined
  readonly missing: string | undefined

  constructor(
    code: Extract<ErrorCode, `DP_CAPABILITY_${string}`>,
    message: string,
    options: CapabilityErrorOptions = {},
  ) {
    super('capability', code, message, options)
    this.revision = options.revision
    this.missing = options.missing
  }
}

/** One place where a value does not fit its schema. */
export interface SchemaIssue {
  /** JSON Pointer into the value; empty for the value itself. */
  readonly pointer: string
  /** The schema keyword that was not met, e.g. `required`. */
  readonly keyword: string
  readonly message: string
  /** The same in facts, where there are some; left out of what is sent or printed. */
  readonly facts?: IssueFacts
}

/** What would fit, and what is there. Texts of the value are not repeated, as they may be secret. */
export interface IssueFacts {
  /** A property that is missing. */
  readonly name?: string | undefined
  /** What the keyword asks for, as JSON or in the words of the schema. */
  readonly expected?: string | undefined
  /** A type, a number or a length. */
  readonly found?: string | undefined
  /** It is about the name of a property, not about its value. */
  readonly ofName?: boolean
}

export interface SchemaErrorOptions extends PilotErrorOptions {
  readonly issues?: readonly SchemaIssue[]
}

/** A value does not fit its schema, or a schema cannot be used. */
export class SchemaError extends PilotError {
  readonly issues: readonly SchemaIssue[]

  constructor(
    code: Extract<ErrorCode, `DP_SCHEMA_${string}`>,
    message: string,
    options: SchemaErrorOptions = {},
  ) {
    super('schema', code, message, options)
    this.issues = options.issues ?? []
  }
}

export interface PolicyErrorOptions extends PilotErrorOptions {
  /** The rule that decided, as it is written. */
  readonly rule?: string | undefined
  /** Why there is this rule, in the words of who wrote it. */
  readonly because?: string | undefined
  /** SHA-256 of the arguments that were judged, in hexadecimal digits. */
  readonly argumentsHash?: string | undefined
}

/**
 * Refused before anything was sent, by a rule or by a person (`DP_POLICY_DENIED`), because the tool is not the one that was
 * approved (`DP_POLICY_HELD`), because the call is not the one that was judged (`DP_POLICY_ALTERED`), or because nobody
 * approved yet what would be started or reached (`DP_POLICY_UNAPPROVED`).
 */
export class PolicyError extends PilotError {
  readonly rule: string | undefined
  readonly because: string | undefined
  readonly argumentsHash: string | undefined

  constructor(
    code: Extract<ErrorCode, `DP_POLICY_${string}`>,
    message: string,
    options: PolicyErrorOptions = {},
  ) {
    super('policy', code, message, options)
    this.rule = options.rule
    this.because = options.because
    this.argumentsHash = options.argumentsHash
  }
}

export interface ConfigErrorOptions extends PilotErrorOptions {
  readonly file?: string | undefined
  /** Line and column count from 1. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** JSON Pointer into the file. */
  readonly pointer?: string | undefined
}

/** A configuration file cannot be read as a whole; a single bad entry is a problem of that entry and no error. */
export class ConfigError extends PilotError {
  readonly file: string | undefined
  readonly line: number | undefined
  readonly column: number | undefined
  readonly pointer: string | undefined

  constructor(message: string, options: ConfigErrorOptions = {}) {
    super('config', 'DP_CONFIG', message, options)
    this.file = options.file
    this.line = options.line
    this.column = options.column
    this.pointer = options.pointer
  }
}

/** A command or an API was used in a way that cannot work; the message says what to write instead. */
export class UsageError extends PilotError {
  constructor(message: string, options: PilotErrorOptions = {}) {
    super('usage', 'DP_USAGE', message, options)
  }
}

/** A fault of deep-pilot itself. Please report it with the capture. */
export class BugError extends PilotError {
  constructor(message: string, options: PilotErrorOptions = {}) {
    super('internal', 'DP_BUG', message, options)
  }
}

/** The message of anything that was thrown, errors or not. Never throws itself. */
export function describeError(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message
  try {
    return String(thrown)
  } catch {
    return 'an object that cannot be shown'
  }
}

/** Anything that was thrown as an error: itself, or a `BugError` that shows it. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new BugError(describeError(thrown), { cause: thrown })
}

/** Issues as one line for people and models: where, then what. */
export function issuesInWords(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`))
    .join('; ')
}
