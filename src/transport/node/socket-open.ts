/** Links over a Unix socket: of one who connects, and of one who was let in. */

import { connect, type Socket } from 'node:net'
import { systemClock } from '../../base/clock.ts'
import { CancelledError, TransportError } from '../../base/errors.ts'
import type { Link, LinkPort } from '../../jsonrpc/link.ts'
import type { UnixSocketOptions } from './socket-options.ts'
import { StreamLink } from './stream-link.ts'

const STALL_MS = 30_000
const CLOSE_MS = 2000

/** Connects to the socket at `path`. Rejects with a `TransportError`, or a `CancelledError` once `signal` aborts. */
export async function openSocket(
  path: string,
  options: UnixSocketOptions & { readonly name: string },
  { port, signal }: { readonly port: LinkPort; readonly signal: AbortSignal | undefined },
): Promise<Link> {
  const socket = await connectTo(path, options.name, signal)
  return socketLink(socket, port, { ...options, end: 'client' })
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
  return new TransportError('DP_TRANSPORT_CONNECT', message, {
    server,
    sent: 'no',
    cause: error,
    detail: { kind: 'not-reached', address: server, reason: error.message },
  })
}

function ignore(): void {}
