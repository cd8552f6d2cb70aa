/**
 * Whether a request of HTTP asks for a WebSocket as this project speaks it. Pure; who may ask is another question.
 */

import type { IncomingMessage } from 'node:http'
import type { ServerRequest } from '../http/server-request.ts'
import type { UpgradeRefusal } from './websocket-refusal.ts'
import { SUBPROTOCOL } from './websocket-limits.ts'

/** RFC 6455 §4.1: sixteen bytes in base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/
/** Names under which tokens are put into addresses, where logs and histories keep them. */
const TOKEN_NAMES: readonly string[] = ['access_token', 'token', 'api_key', 'apikey']

/**
 * An upgrade as an endpoint of HTTP sees a request, for its guard and for whoever checks credentials: both are the same for
 * either. Headers that were sent twice are joined, also where the parser keeps the first. There is no body.
 */
export function seenBy(request: IncomingMessage): ServerRequest {
  const { rawHeaders, socket, headers } = request
  const valueOf = (name: string): string | undefined => {
    const values = rawHeaders.filter(
      (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name,
    )
    return values.length === 0 ? undefined : values.join(', ')
  }
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    remote: socket.remoteAddress,
    port: socket.localPort,
    header: valueOf,
    headersWith: (prefix) =>
      Object.fromEntries(
        Object.keys(headers)
          .filter((name) => name.startsWith(prefix))
          .map((name) => [name, valueOf(name) ?? '']),
      ),
    readBody: (_, done) => done({ kind: 'text', text: '' }),
  }
}

/** The path and the query of a request. */
export function targetOf({ url = '' }: IncomingMessage): readonly [string, string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

/** What is wrong with an upgrade, or undefined. // RFC 6455 §4.2.1 */
export function faultOf(request: IncomingMessage, query: string): UpgradeRefusal | undefined {
  const { headers, method } = request
  if (method !== 'GET') return { status: 405, message: 'Ask by GET.', headers: { Allow: 'GET' } }
  if (headers.upgrade?.toLowerCase() !== 'websocket')
    return { status: 400, message: 'The only upgrade here is to WebSocket.' }
  if (headers['sec-websocket-version'] !== '13')
    return {
      status: 426,
      message: 'The version of WebSocket here is 13.',
      headers: { 'Sec-WebSocket-Version': '13' },
    }
  if (!KEY.test(headers['sec-websocket-key'] ?? ''))
    return { status: 400, message: 'Sec-WebSocket-Key is missing or wrong.' }
  if (!offersSubprotocol(headers['sec-websocket-protocol']))
    return { status: 400, message: `Ask for the subprotocol "${SUBPROTOCOL}", once.` }
  const names = [...new URLSearchParams(query).keys()].map((name) => name.toLowerCase())
  if (TOKEN_NAMES.some((name) => names.includes(name)))
    return {
      status: 400,
      message: 'A token does not belong into an address. Send it in the header Authorization.',
    }
  return undefined
}

/** Several lines of this header are joined by commas before they come here. */
function offersSubprotocol(header: string | undefined): boolean {
  const names = (header ?? '').split(',').map((name) => name.trim())
  return names.filter((name) => name === SUBPROTOCOL).length === 1
}
