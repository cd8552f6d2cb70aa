/** What an HTTP server of ours can be told, and what one is. */

import type { ServerOptions as TlsOptions } from 'node:https'
import type { HttpHandler, HttpServerOptions } from '../http.ts'

export interface ServeHttpOptions extends HttpServerOptions {
  /** Default 0: any that is free. */
  readonly port?: number | undefined
  /**
   * Where to listen. Default `127.0.0.1`. Anything but this machine needs `allowedHosts` and `authenticate`, unless
   * `dangerouslyOpen` is set. // HTTP-04
   */
  readonly host?: string | undefined
  /** Default `/mcp`. */
  readonly path?: string | undefined
  /** Key, certificate and whatever else `node:https` takes. Default: plain HTTP. */
  readonly tls?: TlsOptions | undefined
  /** Connections at once; more are refused. Default 4,096. */
  readonly maxConnections?: number | undefined
  /** Longest time for the head of a request, in ms. Default 15 s. */
  readonly headersMs?: number | undefined
  /** Longest time for a whole request, in ms: replies may take as long as they like. Default 60 s. */
  readonly requestMs?: number | undefined
  /** How long a connection without a request is kept, in ms. Default 5 s. */
  readonly connectionIdleMs?: number | undefined
  /** How long a reply may wait for a reader that takes nothing of it, in ms. Default 30 s. */
  readonly stallMs?: number | undefined
}

/** A server that listens. */
export interface ServedHttp extends AsyncDisposable {
  /** Where clients find it. */
  readonly url: string
  readonly port: number
  readonly handler: HttpHandler
  /** Ends everything in order and settles when nothing is left. May be called more than once. */
  close(): Promise<void>
}
