/**
 * Reaches a server over a Unix socket, or over a named pipe of Windows: the framing of stdio without a process.
 *
 * A custom transport: the protocol allows it and does not describe it. Who may connect is decided by the permissions of the
 * path, so nothing is sent that says who asks.
 */

import { connect, type Socket } from 'node:net'
import { systemClock, type Clock } from '../../base/clock.ts'
import { CancelledError, TransportError } from '../../base/errors.ts'
import type { Link, LinkPort, Transport } from '../../jsonrpc/link.ts'
import { checkSocketPath } from './socket-path.ts'
import { StreamLink } from './stream-link.ts'

export interface UnixSocketOptions {
  /** For people. Default `unix:` and the path. */
  readonly name?: string
  /** Milliseconds a write may be stuck before the link is given up. Default 30,000. */
  readonly stallMs?: number
  /** Milliseconds that `close` waits for what was written to leave and for the far side to close. Default 2,000. */
  readonly closeMs?: number
  readonly clock?: Clock
}

const STALL_MS = 30_000
const CLOSE_MS = 2000

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
      const socket = await connectTo(path, name, signal)
      return socketLink(socket, port, { ...options, name, end: 'client' })
    },
  }
}

/** Options of a link with their defaults not filled in. */
interface LinkWishes extends UnixSocketOptions {
  readonly name: string
  readonly end: 'client' | 'server'
}

/** The link over a socket that is connected. */
export function socketLink(socket: Socket, port: LinkPort, options: LinkWishes): Link {
  return new StreamLink(socket, {
    port,
    name: options.name,
    end: options.end,
    clock: options.clock ?? systemClock,
    stallMs: options.stallMs ?? STALL_MS,
    closeMs: options.closeMs ?? CLOSE_MS,
  })
}

function connectTo(path: string, name: string, signal: AbortSignal | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(cancelled(name, signal.reason))
    // The far side may close its half while ours still has something to say.
    const socket = connect({ path, allowHalfOpen: true })
    const settle = (finish: () => void): void => {
      signal?.removeEventListener('abort', onAbort)
      socket.off('error', onError)
      socket.off('connect', onConnect)
      finish()
    }
    const onAbort = (): void =>
      settle(() => {
        socket.on('error', ignore)
        socket.destroy()
        reject(cancelled(name, signal?.reason))
      })
    const onError = (error: Error): void => settle(() => reject(unreachable(name, error)))
    const onConnect = (): void => settle(() => resolve(socket))
    signal?.addEventListener('abort', onAbort, { once: true })
    socket.on('error', onError)
    socket.on('connect', onConnect)
  })
}

function cancelled(server: string, reason: unknown): CancelledError {
  return new CancelledError(`Connecting to "${server}" was cancelled.`, { server, reason })
}

const CURES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket. Start the server, or check the path',
  ECONNREFUSED: 'nobody listens on it any more. Start the server',
  EACCES: 'this user may not connect to it. Look at the permissions of the path',
  ENOTSOCK: 'it is no socket. Check the path',
}

function unreachable(server: string, error: NodeJS.ErrnoException): TransportError {
  const why = CURES[error.code ?? ''] ?? error.message
  const message = `Could not connect to "${server}": ${why}.`
  return new TransportError('DP_TRANSPORT_CONNECT', message, { server, sent: 'no', cause: error })
}

function ignore(): void {}
