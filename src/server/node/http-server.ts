/** A server behind an HTTP server of its own: every time limit of Node's set by name, and closed to other machines. */

import { createServer, type Server as NodeServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { isIPv6, type AddressInfo } from 'node:net'
import { systemClock } from '../../base/clock.ts'
import { TransportError, UsageError } from '../../base/errors.ts'
import { nodeListener } from '../../transport/node/http-listener.ts'
import { httpHandler, type HttpHandler } from '../http.ts'
import type { Server } from '../server.ts'
import type { ServedHttp, ServeHttpOptions } from './served-http.ts'

const MAX_HEADER_BYTES = 16 * 1024
const HEADERS_MS = 15_000
/** For head and body together. */
const REQUEST_MS = 60_000
const CONNECTION_IDLE_MS = 5000
/** How often Node looks whether one of these has run out, at most. */
const CHECK_MS = 5000
/** Time for replies under way when it is closed. */
const GRACE_MS = 2000

/** Does what `serveHttp` says. */
export async function listenOnHttp(
  server: Server,
  options: ServeHttpOptions = {},
): Promise<ServedHttp> {
  const { port = 0, host = '127.0.0.1', path = '/mcp', tls, maxConnections = 4096 } = options
  const { headersMs = HEADERS_MS, requestMs = REQUEST_MS, stallMs } = options
  if (!isThisMachine(host)) checkOpenness(host, options)
  const handler = httpHandler(server, { ...options, path })
  const listener = nodeListener(handler, stallMs === undefined ? {} : { stallMs })
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: Math.min(headersMs, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: options.connectionIdleMs ?? CONNECTION_IDLE_MS,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersMs, requestMs),
    insecureHTTPParser: false,
  }
  const node =
    tls === undefined
      ? createServer(limits, listener)
      : createTlsServer({ ...tls, ...limits }, listener)
  // No limit on the silence of a connection: streams are open as long as somebody listens.
  node.timeout = 0
  // Bytes limit the headers; a limit on their number would drop some in silence.
  node.maxHeadersCount = 0
  node.maxConnections = maxConnections
  const address = await listen(node, { port, host })
  const scheme = tls === undefined ? 'http' : 'https'
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= shut(node, handler))
  return {
    url: `${scheme}://${nameOf(host, options)}:${address.port}${path}`,
    port: address.port,
    handler,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Whether nobody but this machine can reach what listens there. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

function checkOpenness(host: string, options: ServeHttpOptions): void {
  const { allowedHosts, authenticate, dangerouslyOpen } = options
  if (dangerouslyOpen === true) return
  const missing = [
    ...(allowedHosts === undefined ? ['allowedHosts'] : []),
    ...(authenticate === undefined ? ['authenticate'] : []),
  ]
  if (missing.length === 0) return
  throw new UsageError(
    `Listening on ${host} opens this server to other machines, and ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set. Set what is missing, listen on 127.0.0.1, or set dangerouslyOpen.`,
  )
}

function nameOf(host: string, { allowedHosts }: ServeHttpOptions): string {
  const everywhere = host === '0.0.0.0' || host === '::' || host === ''
  if (!everywhere) return bracketed(host)
  return allowedHosts?.[0]?.replace(/:\d+$/, '') ?? (host === '::' ? '[::1]' : '127.0.0.1')
}

function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

function listen(
  node: NodeServer,
  place: { readonly port: number; readonly host: string },
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    node.once('error', (cause) => {
      const where = `${bracketed(place.host)}:${place.port}`
      reject(
        new TransportError(
          'DP_TRANSPORT_CONNECT',
          `Nothing can listen on ${where}: ${cause.message}. Choose another port or host, or end what listens there.`,
          {
            sent: 'no',
            cause,
            detail: { kind: 'cannot-listen', address: where, reason: cause.message },
          },
        ),
      )
    })
    node.listen(place.port, place.host, () => {
      resolve(node.address() as AddressInfo) // it listens on a port, not on a pipe
    })
  })
}

async function shut(node: NodeServer, handler: HttpHandler): Promise<void> {
  const ended = new Promise<void>((resolve) => node.close(() => resolve()))
  await handler.close()
  node.closeIdleConnections()
  const bound = systemClock.after(GRACE_MS, () => node.closeAllConnections())
  await ended
  bound.cancel()
}
