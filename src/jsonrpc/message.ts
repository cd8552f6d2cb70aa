/**
 * JSON-RPC 2.0 messages as MCP restricts them, and the one reader that tells them from anything else.
 *
 * Reading checks the shape in place and copies nothing; unknown members pass (RPC-22). It knows no method.
 */

import { isJsonObject, JsonText, type JsonObject, type JsonValue } from '../base/json.ts'

/** A string or a safe integer; `1` and `"1"` are different ids. // RPC-03, RPC-06 */
export type RequestId = string | number

export interface Request {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly method: string
  readonly params?: JsonObject
}

export interface Notification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: JsonObject
}

export interface ResultResponse {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly result: JsonObject
}

export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: JsonValue
}

export interface ErrorResponse {
  readonly jsonrpc: '2.0'
  /** Missing (or null, from old peers) when the id of the message at fault could not be read. // RPC-08 */
  readonly id?: RequestId | null
  readonly error: ErrorObject
}

export type Message = Request | Notification | ResultResponse | ErrorResponse

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603

/** What a text turned out to be. */
export type Reading =
  | { readonly kind: 'request'; readonly message: Request }
  | { readonly kind: 'notification'; readonly message: Notification }
  | { readonly kind: 'result'; readonly message: ResultResponse }
  | { readonly kind: 'error'; readonly message: ErrorResponse }
  | Malformed

/** Not a message. `id` is there when it could be read from what looks like a request, so that it can be answered. */
export interface Malformed {
  readonly kind: 'malformed'
  readonly code: typeof PARSE_ERROR | typeof INVALID_REQUEST
  readonly reason: string
  readonly requirement: string
  readonly id?: RequestId
  /** True when the text claims to be an answer: nobody answers those. */
  readonly answer?: boolean
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

/** Tells what a parsed JSON value is. Arrays are the channel's business, here they are malformed. */
export function readMessage(value: unknown): Reading {
  if (!isJsonObject(value)) return malformed('a message is a JSON object', 'RPC-01')
  const { method, id } = value
  if (value['jsonrpc'] !== '2.0')
    return refuse(value, 'the member "jsonrpc" is not "2.0"', 'RPC-01') // RPC-01
  if (method === undefined) return readAnswer(value)
  if (typeof method !== 'string') return refuse(value, 'the member "method" is no string', 'RPC-01')
  const { params } = value
  // null counts as missing: peers write it where they mean "none".
  if (params === null) delete value['params']
  else if (params !== undefined && !isJsonObject(params)) {
    return refuse(value, 'the member "params" is no object', 'RPC-01')
  }
  // The checks above are those of the types; JSON.parse made the object and nobody else holds it.
  if (id === undefined) return { kind: 'notification', message: value as unknown as Notification }
  if (!isRequestId(id))
    return refuse(value, 'the member "id" is neither a string nor a safe integer', 'RPC-03') // RPC-03
  return { kind: 'request', message: value as unknown as Request } // shape checked above
}

function readAnswer(value: JsonObject): Reading {
  const { id, result, error } = value
  const failed = error !== undefined && error !== null
  if (failed === (result !== undefined && result !== null)) {
    const reason = failed
      ? 'an answer has both "result" and "error"'
      : 'neither "method", "result" nor "error"'
    return failed || 'result' in value ? answerless(value, reason) : refuse(value, reason, 'RPC-07') // RPC-07
  }
  if (failed) {
    if (
      !isJsonObject(error) ||
      !Number.isInteger(error['code']) ||
      typeof error['message'] !== 'string'
    ) {
      return answerless(value, 'the member "error" lacks an integer "code" or a "message"') // RPC-09
    }
    if (id !== undefined && id !== null && !isRequestId(id))
      return answerless(value, 'the "id" of an error is unusable')
    return { kind: 'error', message: value as unknown as ErrorResponse } // shape checked above
  }
  if (!isRequestId(id)) return answerless(value, 'a result without a usable "id"') // RPC-06
  if (!isJsonObject(result)) return answerless(value, 'the member "result" is no object')
  return { kind: 'result', message: value as unknown as ResultResponse } // shape checked above
}

function malformed(reason: string, requirement: string): Malformed {
  return { kind: 'malformed', code: INVALID_REQUEST, reason, requirement }
}

function refuse(value: JsonObject, reason: string, requirement: string): Malformed {
  const id = value['id']
  const answer = !('method' in value) && ('result' in value || 'error' in value)
  return {
    ...malformed(reason, requirement),
    ...(isRequestId(id) ? { id } : {}),
    ...(answer ? { answer } : {}),
  }
}

function answerless(value: JsonObject, reason: string): Malformed {
  const id = value['id']
  return { ...malformed(reason, 'RPC-07'), answer: true, ...(isRequestId(id) ? { id } : {}) }
}

/*
 * Writing. Each function gives one line of text without a raw newline: JSON.stringify escapes them, and
 * `JsonText` comes from it.                                                                        STDIO-02
 */

export function writeRequest(
  id: RequestId,
  method: string,
  params?: JsonObject | JsonText,
): string {
  return `{"jsonrpc":"2.0","id":${writeId(id)},"method":${quoted(method)}${writeParams(params)}}`
}

export function writeNotification(method: string, params?: JsonObject | JsonText): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${writeParams(params)}}`
}

export function writeResult(id: RequestId, result: JsonObject | JsonText): string {
  const text = result instanceof JsonText ? result.text : JSON.stringify(result)
  return `{"jsonrpc":"2.0","id":${writeId(id)},"result":${text}}`
}

/** `id` undefined: the id of the message at fault could not be read. `nullId` writes it as null, as old peers want. // RPC-08 */
export function writeError(id: RequestId | undefined, error: ErrorObject, nullId = false): string {
  const told = id === undefined ? (nullId ? '"id":null,' : '') : `"id":${writeId(id)},`
  return `{"jsonrpc":"2.0",${told}"error":${JSON.stringify(error)}}`
}

/** Few methods are sent over and over: their JSON is kept. */
const QUOTED = new Map<string, string>()
const MAX_QUOTED = 256

function quoted(method: string): string {
  const known = QUOTED.get(method)
  if (known !== undefined) return known
  const text = JSON.stringify(method)
  if (QUOTED.size < MAX_QUOTED) QUOTED.set(method, text)
  return text
}

function writeId(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id)
}

function writeParams(params: JsonObject | JsonText | undefined): string {
  if (params === undefined) return ''
  return `,"params":${params instanceof JsonText ? params.text : JSON.stringify(params)}`
}
