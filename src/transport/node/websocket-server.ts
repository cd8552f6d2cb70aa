/**
 * Lets clients in that reach this process over a WebSocket, and hands out a transport for each.
 *
 * Everything that can be refused is refused by HTTP, before there is a connection and before anything of the protocol is read.
 * It serves no pages and no other requests.
 */

import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { TransportError, UsageError } from '../../base/errors.ts'
import type { Accept } from './accepted-links.ts'
import { Doorway, type DoorwayOptions } from './websocket-doorway.ts'
import { SUBPROTOCOL } from './websocket-limits.ts'

export interface WebSocketServerOptions extends DoorwayOptions {
  /** A server of yours to share, which you start and close. Else one is made that answers nothing but upgrades. */
  readonly server?: HttpServer | HttpsServer
  /** Where to listen without `server`. Default 0: any free port. */
  readonly port?: number
  /** Address to listen on without `server`. Default `127.0.0.1`: this machine alone. */
  readonly host?: string
}

export interface WebSocketServer extends AsyncDisposable {
  /** Where to connect. With a `server` that does not listen yet, it is known when it does. */
  readonly url: string
  /** Lets nobody in any more and closes every link in order. A `server` that was given goes on. May be called more than once. */
  close(): Promise<void>
}

/** Calls `accept` for each who was let in; settles when one can connect. Rejects with a `TransportError` when it cannot listen. */
export async function serveWebSocket(
  accept: Accept,
  options: WebSocketServerOptions = {},
): Promise<WebSocketServer> {
  const { path = '/mcp' } = options
  if (!path.startsWith('/') || path.includes('?'))
    throw new UsageError('The path of a WebSocket begins with "/" and has no query.')
  const { WebSocketServer: Upgrader } = await import('ws')
  const http = options.server ?? createServer(answerPlain)
  const doorway = new Doorway(
    {
      accept,
      makeUpgrader: (limits) => {
        const handleProtocols = (): string => SUBPROTOCOL
        return new Upgrader({ ...limits, noServer: true, clientTracking: false, handleProtocols })
      },
      isShared: () => options.server !== undefined && http.listenerCount('upgrade') > 1,
    },
    { ...options, path },
  )
  http.on('upgrade', doorway.onUpgrade)
  if (options.server === undefined) await listen(http, options)
  let url = urlOf(http, path)
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= (async () => {
      http.off('upgrade', doorway.onUpgrade)
      if (options.server !== undefined) return doorway.close()
      const stopped = new Promise<void>((resolve) => http.close(() => resolve()))
      await doorway.close()
      // Those who ask for no upgrade, or take their time over it.
      http.closeAllConnections()
      await stopped
    })()
    return closing
  }
  return {
    get url() {
      // A server that is closed has no address any more, and keeps the one that it had.
      if (http.listening) url = urlOf(http, path)
      return url
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function answerPlain(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(426, { Upgrade: 'websocket', Connection: 'Upgrade, close' })
  response.end('This address speaks WebSocket.\n')
}

function listen(http: HttpServer | HttpsServer, options: WebSocketServerOptions): Promise<void> {
  const { port = 0, host = '127.0.0.1' } = options
  return new Promise((resolve, reject) => {
    // Stays: an error without a listener would end the process.
    http.on('error', (cause) =>
      reject(
        new TransportError(
          'DP_TRANSPORT_CONNECT',
          `Cannot listen on ${host}:${port}: ${cause.message}. Choose another port or address.`,
          { sent: 'no', cause },
        ),
      ),
    )
    http.listen(port, host, resolve)
  })
}

function urlOf(http: HttpServer | HttpsServer, path: string): string {
  // A string is the path of a pipe, which has no address to give.
  const address = http.address() as AddressInfo | null
  const scheme = 'setSecureContext' in http ? 'wss' : 'ws'
  if (address === null) return `${scheme}://…${path}`
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `${scheme}://${host}:${address.port}${path}`
}
