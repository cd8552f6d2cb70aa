/**
 * One request of a client on its way out: what it needs of its connection, whether it is allowed, and how it is written
 * in the words of the agreed dialect.
 */

import { CapabilityError, describeError } from '../base/errors.ts'
import type { JsonObject, JsonText } from '../base/json.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import type { Exchange, Requested, RequestOptions, TimerSetting } from '../jsonrpc/exchange.ts'
import type { RequestId } from '../jsonrpc/message.ts'
import type { Peer } from '../jsonrpc/peer.ts'
import type { Facts } from '../jsonrpc/wire.ts'
import { missingCapability } from '../protocol/capability.ts'
import type { Dialect, ServerFacts } from '../protocol/dialect.ts'
import { missingExtension } from '../protocol/extension.ts'
import { metaOf } from '../protocol/meta.ts'
import { traceOf, TRACE_KEYS } from '../protocol/trace.ts'
import { requestOptions, type CallOptions, type Settings } from './options.ts'

/** What a call needs of its connection. */
export interface Caller {
  readonly channel: Channel
  readonly peer: Peer
  readonly dialect: Dialect
  readonly server: ServerFacts
  readonly settings: Settings
  /** Methods that were found to be allowed: what was declared does not change. */
  readonly allowed: Set<string>
  /** Whether the carrier repeats words of a request in headers. // HTTP-56 */
  readonly mirrors: boolean
  /** What may be done about a call that failed; gives nothing when nothing can. Must not throw. */
  readonly rescue: (failed: FailedCall) => Promise<JsonObject> | undefined
}

/** A call that failed, for whoever may still save it. */
export interface FailedCall {
  readonly caller: Caller
  readonly calling: Calling
  readonly error: Error
  /** When the call began, by the clock of the settings. */
  readonly startedAt: number
}

/** An answer that is no valid message, and the error that it costs the call. */
export interface Unread {
  readonly caller: Caller
  readonly error: Error
  readonly text: string
}

/** One call with what to ask. */
export interface Calling {
  readonly method: string
  readonly params: JsonObject | undefined
  readonly options: CallOptions | undefined
  /** Further headers for carriers that have some, by lower-case name: the arguments that a tool wants repeated. // HTTP-64 */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Set on a second try: the time that is left. There is no third one. */
  readonly left?: TimerSetting | undefined
  /** Makes a complete result of what can be read of such an answer, or rejects with its error. Absent: the call fails. */
  readonly salvage?: ((unread: Unread) => Promise<JsonObject>) | undefined
}

/** The limits of a request, with what is left of them on a second try. */
export function limitsOf({ settings }: Caller, { options, left }: Calling): RequestOptions {
  const limits = requestOptions(settings, options)
  return left === undefined ? limits : { ...limits, total: left }
}

/** The params for the wire; `progressToken` is the id of the request. */
export function encode(
  { dialect, settings }: Caller,
  { method, params, options }: Calling,
  progressToken: RequestId,
): JsonObject | JsonText | undefined {
  const logLevel = options?.logLevel ?? settings.logLevel
  const told =
    settings.trace === undefined && params?.['_meta'] === undefined
      ? params
      : withTrace(params, settings)
  return dialect.encodeRequest({ method, params: told, progressToken, logLevel }, settings.identity)
    .params
}

/** What a carrier with headers has to know of a call. */
export function factsOf(
  { dialect, mirrors }: Caller,
  { method, params, headers }: Calling,
): Facts | undefined {
  if (!mirrors) return undefined
  return { headers: { ...dialect.requestHeaders(method, params), ...headers } }
}

/** Sends one request in the words of the dialect and gives its raw result; the id is also its progress token. // PROG-01 */
export function send(caller: Caller, calling: Calling, request: RequestOptions): Exchange {
  const requested: Requested<JsonObject> = {
    encode: (id) => encode(caller, calling, id),
    facts: () => factsOf(caller, calling),
    read: (raw) => raw,
  }
  return caller.peer.ask(calling.method, requested, request)
}

/** Params with the trace that they belong to: what their caller says of it, else what the client is told. // META-13 */
function withTrace(params: JsonObject | undefined, settings: Settings): JsonObject {
  const meta = metaOf(params) ?? {}
  const rest = Object.fromEntries(Object.entries(meta).filter(([key]) => !TRACE_KEYS.has(key)))
  const own = traceOf(meta)
  return { ...params, _meta: { ...rest, ...(own ?? currentTrace(settings)) } }
}

function currentTrace({ trace, logger }: Settings): JsonObject {
  try {
    return { ...traceOf(trace?.() as JsonObject | undefined) } // strings, or what is left out
  } catch (error) {
    logger.warn('the trace of a request could not be told', { error: describeError(error) })
    return {}
  }
}

/** Throws `CapabilityError` when the revision or what the server declared does not allow the method. // LIFE-08 */
export function checkAllowed({ dialect, server, settings, allowed }: Caller, method: string): void {
  if (allowed.has(method)) return
  const { revision } = dialect
  const rule = dialect.methods.get(method)
  if (rule === undefined) {
    throw new CapabilityError(
      'DP_CAPABILITY_METHOD',
      `${method} does not exist in revision ${revision}, which this connection speaks.`,
      { method, revision },
    )
  }
  const declared = { client: settings.identity.capabilities, server: server.capabilities }
  const side = missingExtension(rule, declared)
  const missing =
    side === undefined
      ? missingCapability(rule, declared)
      : `${side} extensions.${rule.extension ?? ''}` // EXT-02
  if (missing === undefined) {
    allowed.add(method)
    return
  }
  const message = `${method} was not sent: ${missing} was not declared.`
  throw new CapabilityError('DP_CAPABILITY_MISSING', message, { method, missing, revision })
}

/** A member of a peer's object that should be an array; anything else counts as empty. */
export function arrayMember(result: JsonObject, name: string): readonly unknown[] {
  const value = result[name]
  return Array.isArray(value) ? value : []
}
