/**
 * Listens on a Unix socket, or on a named pipe of Windows, and hands out a transport for each who connects.
 *
 * Who may connect is decided by the permissions of the path: by default this user alone. Nothing of the wire is trusted for it.
 */

import type { Accept } from './accepted-links.ts'
import type { UnixSocketServer, UnixSocketServerOptions } from './socket-options.ts'

/**
 * Listens, and calls `accept` for each who connects; settles when one can connect. A socket on which nobody listens any more
 * is replaced; rejects with a `TransportError` when somebody does, or when the path is that of something else.
 */
export async function serveUnixSocket(
  accept: Accept,
  options: UnixSocketServerOptions,
): Promise<UnixSocketServer> {
  const { listenOnSocket } = await import('./socket-listener.ts')
  return listenOnSocket(accept, options)
}
