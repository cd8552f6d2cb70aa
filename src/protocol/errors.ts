/**
 * The numeric codes of the protocol, the refusals that carry them, and the error object for anything thrown.
 *
 * A refusal is written with the code of the newest revision, a missing resource apart: that has its old code here,
 * because only that one is unmistakable, and a dialect translates it.
 */

import { RpcRefusal } from '../base/errors.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  type ErrorObject,
} from '../jsonrpc/message.ts'
import type { ClientCapabilities } from './types/common.ts'

/** Until 2025-11-25 on the wire; later revisions say -32602 for it. // ERR-02, ERR-03 */
export const RESOURCE_NOT_FOUND = -32002
/** 2025-11-25 only. // ERR-05 */
export const URL_ELICITATION_REQUIRED = -32042
export const HEADER_MISMATCH = -32020 // ERR-06
export const MISSING_CLIENT_CAPABILITY = -32021 // ERR-07
export const UNSUPPORTED_VERSION = -32022 // ERR-08

/** Errors that only a server of the modern era gives. // VERS-10 */
export const MODERN_CODES: ReadonlySet<number> = new Set([
  HEADER_MISMATCH,
  MISSING_CLIENT_CAPABILITY,
  UNSUPPORTED_VERSION,
])

/** A version that is not served here; `supported` in the order to be sent. // ERR-08 */
export function unsupportedVersion(requested: string, supported: readonly string[]): RpcRefusal {
  const data = { supported: [...supported], requested: requested.slice(0, 256) }
  return new RpcRefusal(
    UNSUPPORTED_VERSION,
    `Unsupported protocol version: ${requested.slice(0, 64)}`,
    { data },
  )
}

/** The request needs a capability that its sender did not declare on it. // ERR-07 */
export function missingClientCapability(required: ClientCapabilities): RpcRefusal {
  const names = Object.keys(required).join(', ')
  const data = { requiredCapabilities: required }
  return new RpcRefusal(MISSING_CLIENT_CAPABILITY, `Missing required client capability: ${names}`, {
    data,
  })
}

/** No such resource; each dialect sends the code of its revision. // ERR-02, ERR-03 */
export function resourceNotFound(uri: string): RpcRefusal {
  return new RpcRefusal(RESOURCE_NOT_FOUND, 'Resource not found', { data: { uri } })
}

/** The method is unknown, or behind a capability that was not declared. // ERR-14 */
export function methodNotFound(method: string): RpcRefusal {
  return new RpcRefusal(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, 128)}`)
}

export function invalidParams(message: string, data?: JsonObject): RpcRefusal {
  return new RpcRefusal(INVALID_PARAMS, message, data === undefined ? {} : { data })
}

/** A reserved `_meta` key that is missing or of the wrong type. // ERR-15 */
export function envelopeFault(key: string, form: string): RpcRefusal {
  const refusal = invalidParams(`Invalid params: "_meta" needs ${form} under "${key}"`)
  envelopeFaults.add(refusal)
  return refusal
}

/** A request that neither says who sends it nor belongs to a session. // ERR-15 */
export function noEnvelope(): RpcRefusal {
  const refusal = invalidParams(
    'This request has no "io.modelcontextprotocol/protocolVersion" in params._meta, and no initialize came before it',
  )
  envelopeFaults.add(refusal)
  return refusal
}

const envelopeFaults = new WeakSet<RpcRefusal>()

/** The HTTP status that goes with an error in the modern era; undefined where none is fixed. // ERR-06, ERR-07, ERR-08 */
export function modernStatus(thrown: unknown, code: number): number | undefined {
  if (code === METHOD_NOT_FOUND) return 404 // ERR-14
  if (code === PARSE_ERROR || code === INVALID_REQUEST || MODERN_CODES.has(code)) return 400
  // Other -32602 keep their 200: a 400 would look like the answer of another era.
  return thrown instanceof RpcRefusal && envelopeFaults.has(thrown) ? 400 : undefined // ERR-15
}

/** Whether an error that a peer sent means that a resource is missing; old and new servers say it differently. // ERR-04 */
export function isResourceNotFound(error: {
  readonly rpcCode: number
  readonly data: unknown
}): boolean {
  if (error.rpcCode === RESOURCE_NOT_FOUND) return true
  return (
    error.rpcCode === INVALID_PARAMS &&
    typeof error.data === 'object' &&
    error.data !== null &&
    'uri' in error.data
  )
}

/** The error object for anything thrown: a refusal as it is, everything else without a word of what it was. */
export function errorObject(thrown: unknown): ErrorObject {
  if (!(thrown instanceof RpcRefusal) || !Number.isSafeInteger(thrown.rpcCode)) {
    return { code: INTERNAL_ERROR, message: 'Internal error' } // ERR-20
  }
  const { rpcCode: code, message, data } = thrown
  // A refusal is made to be sent: whoever made it put JSON into it, and what is not JSON the writer leaves out.
  return data === undefined ? { code, message } : { code, message, data: data as JsonValue }
}

/** The code as 2026-07-28 allows it to be sent. // ERR-09, ERR-10, ERR-11 */
export function modernCode(code: number): number {
  if (code === RESOURCE_NOT_FOUND) return INVALID_PARAMS // ERR-03
  const reserved = code <= -32000 && code >= -32099
  return reserved && !MODERN_CODES.has(code) ? INTERNAL_ERROR : code
}

/** `-32602 with data.supported`, in any code: the versions that a peer names in an error. // ERR-16, VERS-19 */
export function supportedIn(data: unknown): readonly string[] | undefined {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, 'supported'))
    return undefined
  const listed: unknown = Reflect.get(data, 'supported')
  if (!Array.isArray(listed)) return undefined
  return listed.slice(0, MAX_VERSIONS).filter((version) => typeof version === 'string')
}

/** Most versions read from a peer's list. */
export const MAX_VERSIONS = 100
