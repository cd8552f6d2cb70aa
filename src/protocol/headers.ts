/**
 * The HTTP headers of 2026-07-28 that repeat a request's words: which there are, and whether they say the same.
 *
 * They exist so that intermediaries need not read bodies. A server that does read them checks each against its body and
 * refuses the request where they differ; nothing is ever decided by a header alone. // HTTP-58, HTTP-86
 */

import { RpcRefusal } from '../base/errors.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { decodeHeaderValue, encodeHeaderValue } from '../formats/header-value.ts'
import type { Request } from '../jsonrpc/message.ts'
import { HEADER_MISMATCH } from './errors.ts'
import { metaOf, PROTOCOL_VERSION_KEY } from './meta.ts'

/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>

const VERSION_HEADER = 'mcp-protocol-version'
const METHOD_HEADER = 'mcp-method'
const NAME_HEADER = 'mcp-name'

/** The member of the params that `Mcp-Name` repeats, by method. // HTTP-57, TASKX-16 */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** The headers of a request. // HTTP-52, HTTP-56, HTTP-57 */
export function requestHeaders(
  version: string,
  method: string,
  params: JsonObject | undefined,
): Headers {
  const name = nameOf(method, params)
  const said = encodeHeaderValue(method)
  if (name === undefined) return { [VERSION_HEADER]: version, [METHOD_HEADER]: said }
  // Written out: of all requests most are of this kind, and a copy that grows is slow.
  return {
    [VERSION_HEADER]: version,
    [METHOD_HEADER]: said,
    [NAME_HEADER]: encodeHeaderValue(name),
  }
}

/** Throws `RpcRefusal` when a header is missing, unreadable or says another thing than the request. // HTTP-58, HTTP-59 */
export function checkHeaders({ method, params }: Request, headers: Headers): void {
  const version = metaOf(params)?.[PROTOCOL_VERSION_KEY]
  checkHeader(VERSION_HEADER, typeof version === 'string' ? version : undefined, headers)
  checkHeader(METHOD_HEADER, method, headers)
  checkHeader(NAME_HEADER, nameOf(method, params), headers)
}

/** A header that says nothing about this request is nobody's business. */
function checkHeader(header: string, expected: string | undefined, headers: Headers): void {
  if (expected === undefined) return
  const given = headers[header]
  if (given === undefined) throw headerMismatch(header, 'it is missing')
  const said = decodeHeaderValue(given)
  if (said === undefined)
    throw headerMismatch(
      header,
      'it is not valid Base64, or holds characters that have to be in Base64',
    ) // HTTP-63
  if (said !== expected) throw headerMismatch(header, 'it differs from the body')
}

function nameOf(method: string, params: JsonObject | undefined): string | undefined {
  const member = NAMED.get(method)
  const value: JsonValue | undefined = member === undefined ? undefined : params?.[member]
  return typeof value === 'string' ? value : undefined
}

/** // ERR-06 */
export function headerMismatch(header: string, problem: string): RpcRefusal {
  return new RpcRefusal(
    HEADER_MISMATCH,
    `The header "${header}" does not fit the request: ${problem}`,
  )
}
