/**
 * Reaches a server over a Unix socket, or over a named pipe of Windows: the framing of stdio without a process.
 *
 * A custom transport: the protocol allows it and does not describe it. Who may connect is decided by the permissions of the
 * path, so nothing is sent that says who asks. What connects is loaded when the first link is opened.
 */

import type { Transport } from '../../jsonrpc/link.ts'
import { checkSocketPath, type UnixSocketOptions } from './socket-options.ts'

/**
 * A transport whose every `open` is a connection of its own to the socket at `path`; on Windows `\\.\pipe\name`.
 * It reaches the same server again after a loss, as long as one listens there.
 */
export function unixSocket(path: string, options: UnixSocketOptions = {}): Transport {
  checkSocketPath(path)
  const name = options.name ?? `unix:${path}`
  return {
    name,
    reopens: true,
    async open(port, signal) {
      const { openSocket } = await import('./socket-open.ts')
      return openSocket(path, { ...options, name }, { port, signal })
    },
  }
}
