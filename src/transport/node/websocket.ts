/**
 * Reaches a server over a WebSocket.
 *
 * A custom transport: the protocol allows it and does not describe it. What both ends must agree on beside RFC 6455 is the
 * subprotocol `mcp` and one JSON-RPC message a text frame. Everything it takes is loaded when the first link is opened.
 */

import { UsageError } from '../../base/errors.ts'
import type { Transport } from '../../jsonrpc/link.ts'
import { parseAddress, type Address } from '../http/address.ts'
import type { WebSocketOptions } from './websocket-options.ts'

/**
 * A transport whose every `open` is a connection of its own to a `ws:` or `wss:` address; it may be opened again after a loss.
 * Throws `UsageError` for another address. `open` rejects with `AuthError` (401, 403), `HttpError` (any other answer that is
 * no WebSocket) or `TransportError`.
 */
export function webSocket(url: string | URL, options: WebSocketOptions = {}): Transport {
  const address = webSocketAddress(url)
  const name = options.name ?? address.name
  return {
    name,
    reopens: true,
    async open(port, signal) {
      const { openWebSocket } = await import('./websocket-open.ts')
      return openWebSocket(address, { ...options, name }, { port, signal })
    },
  }
}

/** Looks at the address as at one of HTTP, which it is until the upgrade. */
function webSocketAddress(given: string | URL): Address {
  const text = String(given)
  const scheme = /^wss?:/i.exec(text)?.[0]
  if (scheme === undefined)
    throw new UsageError(
      'The address of a WebSocket begins with "ws:" or "wss:", as in "wss://example.com/mcp".',
      { detail: { kind: 'bad-address', what: 'websocket' } },
    )
  const { url, origin, name, authorization } = parseAddress(`http${text.slice(2)}`)
  const asWebSocket = (address: string): string => `ws${address.slice(4)}`
  return { url: asWebSocket(url), origin, name: asWebSocket(name), authorization }
}
