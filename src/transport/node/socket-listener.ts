/** A Unix socket that is listened on: its place, who comes, and its end. */

import { createServer, type Server as NetServer, type Socket } from 'node:net'
import { systemClock, type Clock } from '../../base/clock.ts'
import { asError, PilotError, TransportError } from '../../base/errors.ts'
import { silentLogger } from '../../base/log.ts'
import type { Transport } from '../../jsonrpc/link.ts'
import { AcceptedLinks, type Accept } from './accepted-links.ts'
import { freshPath, isCode, leavePlace, takePlace } from './socket-path.ts'
import { socketLink } from './socket-open.ts'
import {
  checkSocketPath,
  type UnixSocketServer,
  type UnixSocketServerOptions,
} from './socket-options.ts'

const MAX_CONNECTIONS = 256

/** Does what `serveUnixSocket` says. */
export async function listenOnSocket(
  accept: Accept,
  options: UnixSocketServerOptions,
): Promise<UnixSocketServer> {
  const { path, mode = 0o600, logger = silentLogger } = options
  checkSocketPath(path)
  const links = new AcceptedLinks(accept, logger)
  const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    // Before there is a link nobody else listens, and an error without a listener would end the process.
    socket.on('error', ignore)
    links.take(transportOf(socket, options), () => socket.destroy())
  })
  listener.maxConnections = options.maxConnections ?? MAX_CONNECTIONS
  const leave = await listenAt(listener, path, { mode, clock: options.clock ?? systemClock })
  listener.on('error', (error) =>
    logger.error('the socket could not take a connection', { path, error: error.message }),
  )
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= (async () => {
      // While it listens, nobody takes the socket for a dead one.
      await leave()
      const stopped = new Promise<void>((resolve) => listener.close(() => resolve()))
      await links.close()
      await stopped
    })()
    return closing
  }
  return { path, close, [Symbol.asyncDispose]: close }
}

function transportOf(socket: Socket, options: UnixSocketServerOptions): Transport {
  const name = `unix:${options.path}`
  return {
    name,
    open: async (port) => socketLink(socket, port, { ...options, name, end: 'server' }),
  }
}

/** Listens; gives what takes the socket away again. */
async function listenAt(
  listener: NetServer,
  path: string,
  way: { readonly mode: number; readonly clock: Clock },
): Promise<() => Promise<void>> {
  try {
    if (process.platform === 'win32') {
      await listening(listener, () => listener.listen(path))
      return async () => {}
    }
    const fresh = freshPath(path)
    checkSocketPath(fresh)
    await listening(listener, () => closedToOthers(() => listener.listen(fresh)))
    const place = await takePlace(fresh, path, way)
    return () => leavePlace(path, place, way.clock)
  } catch (error) {
    // Closing also removes the socket under its first name.
    await new Promise<void>((resolve) => listener.close(() => resolve()))
    if (error instanceof PilotError) throw error
    const cause = asError(error)
    const why = isCode(error, 'EADDRINUSE') ? 'another server listens there' : cause.message
    const message = `Cannot listen on "${path}": ${why}. Choose another path, or look at its folder.`
    throw new TransportError('DP_TRANSPORT_CONNECT', message, {
      server: `unix:${path}`,
      sent: 'no',
      cause,
      detail: { kind: 'cannot-listen', address: path, reason: cause.message },
    })
  }
}

function listening(listener: NetServer, listen: () => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject)
    listener.once('listening', () => {
      listener.off('error', reject)
      resolve()
    })
    listen()
  })
}

/** The socket is made while `run` runs: from its first moment it is for this user alone. */
function closedToOthers(run: () => unknown): void {
  let before: number | undefined
  try {
    before = process.umask(0o177)
  } catch {
    // A worker thread may not set it. What others may do until the mode is set is what the mask of the process says.
  }
  try {
    run()
  } finally {
    if (before !== undefined) process.umask(before)
  }
}

function ignore(): void {}
