/** What both ends of a Unix socket can be told, and what can be a path of one. */

import type { Clock } from '../../base/clock.ts'
import { UsageError } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'

export interface UnixSocketOptions {
  /** For people. Default `unix:` and the path. */
  readonly name?: string
  /** Milliseconds a write may be stuck before the link is given up. Default 30,000. */
  readonly stallMs?: number
  /** Milliseconds that `close` waits for what was written to leave and for the far side to close. Default 2,000. */
  readonly closeMs?: number
  readonly clock?: Clock
}

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

/** Bytes that the system keeps for the path of a socket, less its end: of Linux, and of the others. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103

/** Throws a `UsageError` for what can be no path of a socket. */
export function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path)
  if (bytes === 0 || path.includes('\0')) {
    throw new UsageError('The path of a socket must not be empty or hold a zero byte.', {
      detail: { kind: 'bad-socket-path' },
    })
  }
  if (process.platform !== 'win32' && bytes > MAX_PATH_BYTES) {
    throw new UsageError(
      `The path of a socket may have ${MAX_PATH_BYTES} bytes, and this one has ${bytes}. Choose a shorter folder.`,
      { detail: { kind: 'bad-socket-path', limit: MAX_PATH_BYTES } },
    )
  }
}
