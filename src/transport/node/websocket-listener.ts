/** Listens for upgrades, alone or on a server that is shared, and lets them through the doorway. */

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
import { Doorway } from './websocket-doorway.ts'
import { SUBPROTOCOL } from './websocket-limits.ts'
import type { WebSocketServer, WebSocketServerOptions } from './websocket-options.ts'

/** Does what `serveWebSocket` says. */
export async function listenForWebSockets(
  accept: Accept,
  options: WebSocketServerOptions,
): Promise<WebSocketServer> {
  const { path = '/mcp' } = options
  if (!path.startsWith('/') || path.includes('?'))
    throw new UsageError('The path of a WebSocket begins with "/" and has no query.')
  if (options.server === undefined) checkOpenness(options)
  // By a call, so that in a program of one file it is not read at every start.
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

/** Another machine can say any Host: where it gets through, somebody has to look at who asks. */
function checkOpenness({
  host,
  allowedHosts,
  authenticate,
  anyHost,
}: WebSocketServerOptions): void {
  const isThisMachine = host === undefined || /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/.test(host)
  if (isThisMachine || anyHost === true) return
  if (allowedHosts !== undefined && authenticate !== undefined) return
  throw new UsageError(
    `Listening on ${host} opens this server to other machines. Set allowedHosts and authenticate, or listen on 127.0.0.1.`,
  )
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
          {
            sent: 'no',
            cause,
            detail: { kind: 'cannot-listen', address: `${host}:${port}`, reason: cause.message },
          },
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
