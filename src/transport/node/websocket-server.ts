/**
 * Lets clients in that reach this process over a WebSocket, and hands out a transport for each.
 *
 * Everything that can be refused is refused by HTTP, before there is a connection and before anything of the protocol is read.
 * It serves no pages and no other requests. Everything it takes is loaded when the first one is served.
 */

import type { Accept } from './accepted-links.ts'
import type { WebSocketServer, WebSocketServerOptions } from './websocket-options.ts'

/** Calls `accept` for each who was let in; settles when one can connect. Rejects with a `TransportError` when it cannot listen. */
export async function serveWebSocket(
  accept: Accept,
  options: WebSocketServerOptions = {},
): Promise<WebSocketServer> {
  const { listenForWebSockets } = await import('./websocket-listener.ts')
  return listenForWebSockets(accept, options)
}
