/** What the ends of a WebSocket can be told. */

import type { Server as HttpServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import type { AuthFacts } from '../../jsonrpc/wire.ts'
import type { GuardOptions } from '../http/guard-options.ts'
import type { HeaderSource } from '../http/header-source.ts'
import type { ServerRequest } from '../http/server-request.ts'

/** What both ends of a WebSocket can be told about time. */
export interface WebSocketTimes {
  /** Milliseconds of silence after which the far side is asked for a sign of life; 0 never asks. Default 30,000. */
  readonly heartbeatMs?: number
  /** Milliseconds until that sign must have come. Default 10,000. */
  readonly pongMs?: number
  /** Milliseconds a write may be stuck before the link is given up. Default 30,000. */
  readonly stallMs?: number
  /** Milliseconds that `close` waits for what was written to leave and for the far side to answer. Default 2,000. */
  readonly closeMs?: number
  readonly clock?: Clock
}

export interface WebSocketOptions extends WebSocketTimes {
  /** Sent with the upgrade. A function is asked before each opening, as for tokens that change. Default none. */
  readonly headers?: HeaderSource
  /** For people. Default: the address without what may be secret in it. */
  readonly name?: string
  /** Milliseconds until the connection must be open. Default 30,000. */
  readonly openMs?: number
}

/** Which names and pages may come in is told as for HTTP. */
export interface DoorwayOptions extends WebSocketTimes, GuardOptions {
  /** Default `/mcp`. */
  readonly path?: string
  /**
   * Says who asks, by the head of the upgrade, as for an endpoint of HTTP; nothing, or an `AuthError`, refuses. What it says
   * goes with every message as `facts.auth`. Default: everybody is let in, and nobody is known.
   */
  readonly authenticate?: (
    request: ServerRequest,
  ) => AuthFacts | undefined | Promise<AuthFacts | undefined>
  /** The value of `WWW-Authenticate` for whoever is not let in. Default `Bearer`. */
  readonly challenge?: string
  /** Who comes when so many are connected is turned away with 503. Default 256. */
  readonly maxConnections?: number
  /** Hears of connections that failed to be served. Default silent. */
  readonly logger?: Logger
}

export interface WebSocketServerOptions extends DoorwayOptions {
  /** A server of yours to share, which you start and close. Else one is made that answers nothing but upgrades. */
  readonly server?: HttpServer | HttpsServer
  /** Where to listen without `server`. Default 0: any free port. */
  readonly port?: number
  /**
   * Address to listen on without `server`. Default `127.0.0.1`: this machine alone. Any other needs `allowedHosts` and
   * `authenticate`, unless `anyHost` is set.
   */
  readonly host?: string
}

export interface WebSocketServer extends AsyncDisposable {
  /** Where to connect. With a `server` that does not listen yet, it is known when it does. */
  readonly url: string
  /** Lets nobody in any more and closes every link in order. A `server` that was given goes on. May be called more than once. */
  close(): Promise<void>
}
