/** What a server on a Unix socket can be told. */

import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'

export interface UnixSocketServerOptions {
  /** Where to listen; on Windows `\\.\pipe\name`. Its folder must exist. */
  readonly path: string
  /** Permissions of the socket. Default 0o600: this user alone. Windows has none. */
  readonly mode?: number
  /** Who comes when so many are connected is turned away. Default 256. */
  readonly maxConnections?: number
  /** Milliseconds a write may be stuck before a link is given up. Default 30,000. */
  readonly stallMs?: number
  /** Milliseconds that the end of a link may take. Default 2,000. */
  readonly closeMs?: number
  /** Hears of connections that failed to be served. Default silent. */
  readonly logger?: Logger
  readonly clock?: Clock
}

export interface UnixSocketServer extends AsyncDisposable {
  readonly path: string
  /** Stops listening, closes every link in order and removes the socket. May be called more than once. */
  close(): Promise<void>
}
