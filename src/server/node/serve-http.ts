/** Listens for clients over HTTP. What that takes of Node is loaded when the first server listens. */

import type { Server } from '../server.ts'
import type { ServedHttp, ServeHttpOptions } from './served-http.ts'

/** Serves over HTTP. Rejects with a `UsageError` for a place that is open to everybody, with a `TransportError` when it cannot listen. */
export async function serveHttp(
  server: Server,
  options: ServeHttpOptions = {},
): Promise<ServedHttp> {
  const { listenOnHttp } = await import('./http-server.ts')
  return listenOnHttp(server, options)
}
