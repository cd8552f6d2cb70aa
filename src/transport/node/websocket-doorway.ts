/**
 * What stands between an upgrade and a link: everything that can refuse it, in the order of what it costs to find out.
 *
 * Refused is by HTTP, before there is a connection and before anything of the protocol is read.
 */

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import { systemClock } from '../../base/clock.ts'
import { AuthError, describeError, TransportError } from '../../base/errors.ts'
import { silentLogger } from '../../base/log.ts'
import type { LinkPort, Transport } from '../../jsonrpc/link.ts'
import type { AuthFacts } from '../../jsonrpc/wire.ts'
import { Guard } from '../http/guard.ts'
import { AcceptedLinks, type Accept } from './accepted-links.ts'
import { faultOf, seenBy, targetOf } from './upgrade-request.ts'
import { limitsFor, type WebSocketLimits } from './websocket-limits.ts'
import { refuseUpgrade, type UpgradeRefusal } from './websocket-refusal.ts'
import { webSocketLink } from './websocket-open.ts'
import type { DoorwayOptions } from './websocket-options.ts'

const MAX_CONNECTIONS = 256
/** Longest time that `authenticate` may take, in milliseconds. */
const AUTHENTICATE_MS = 30_000

/** One library server a link, for the limits of a link are those of its port. */
export type MakeUpgrader = (limits: WebSocketLimits) => Pick<WebSocketServer, 'handleUpgrade'>

export interface DoorwayParts {
  readonly accept: Accept
  readonly makeUpgrader: MakeUpgrader
  /** Whether somebody else on the same server may want an upgrade to another path. */
  readonly isShared: () => boolean
}

/** One request to come in. */
interface Visit {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

export class Doorway {
  readonly #options: DoorwayOptions & { readonly path: string }
  readonly #parts: DoorwayParts
  readonly #links: AcceptedLinks
  readonly #guard: Guard
  /** Who has come and has no transport yet. */
  readonly #visits = new Set<Duplex>()
  #inside = 0
  #closed = false

  constructor(parts: DoorwayParts, options: DoorwayOptions & { readonly path: string }) {
    this.#parts = parts
    this.#options = options
    this.#guard = new Guard(options)
    this.#links = new AcceptedLinks(parts.accept, options.logger ?? silentLogger)
  }

  /** The listener of a server for its upgrades. */
  readonly onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (targetOf(request)[0] !== this.#options.path && this.#parts.isShared()) return
    // Until there is a link nobody else listens, and an error without a listener would end the process.
    socket.on('error', ignore)
    socket.once('close', () => (this.#inside -= 1))
    this.#inside += 1
    void this.#receive({ request, socket, head })
  }

  /** Turns away who waits, and closes every link in order. */
  async close(): Promise<void> {
    this.#closed = true
    for (const socket of this.#visits) refuseUpgrade(socket, CLOSING)
    this.#visits.clear()
    await this.#links.close()
  }

  async #receive(visit: Visit): Promise<void> {
    const { request, socket } = visit
    this.#visits.add(socket)
    const found = this.#turnsAway(request) ?? (await this.#identify(request))
    if (!this.#visits.delete(socket) || socket.destroyed) return
    if ('status' in found) return refuseUpgrade(socket, found)
    if (this.#closed) return refuseUpgrade(socket, CLOSING)
    const facts = found.auth === undefined ? undefined : { auth: found.auth }
    const name = `websocket ${this.#options.path}`
    const open: Transport['open'] = (port) => {
      return new Promise((resolve, reject) => {
        this.#upgrade(visit, port, (webSocket) =>
          resolve(
            webSocketLink(webSocket, {
              ...this.#options,
              name,
              end: 'server',
              port,
              carrier: request.socket,
              facts,
            }),
          ),
        )
        // The library calls back at once, or has answered by itself.
        const gone = 'The client went away before the connection was open.'
        reject(new TransportError('DP_TRANSPORT_CLOSED', gone, { server: name, sent: 'no' }))
      })
    }
    this.#links.take({ name, open }, () => refuseUpgrade(socket, CLOSING))
  }

  #upgrade(visit: Visit, port: LinkPort, opened: (webSocket: WebSocket) => void): void {
    const { request, socket, head } = visit
    const upgrader = this.#parts.makeUpgrader(limitsFor(port.maxMessageBytes))
    upgrader.handleUpgrade(request, socket, head, opened)
  }

  #turnsAway(request: IncomingMessage): UpgradeRefusal | undefined {
    const { path, maxConnections = MAX_CONNECTIONS } = this.#options
    const verdict = this.#guard.check(seenBy(request))
    if (verdict.kind === 'refused') return { status: verdict.status, message: verdict.reason }
    const [asked, query] = targetOf(request)
    if (asked !== path) return { status: 404, message: 'There is nothing at this path.' }
    if (this.#inside > maxConnections)
      return { status: 503, message: 'All places are taken.', headers: { 'Retry-After': '5' } }
    return faultOf(request, query)
  }

  async #identify(
    request: IncomingMessage,
  ): Promise<UpgradeRefusal | { readonly auth: AuthFacts | undefined }> {
    const { authenticate, challenge = 'Bearer' } = this.#options
    const { clock = systemClock, logger = silentLogger } = this.#options
    if (authenticate === undefined) return { auth: undefined }
    let late = (): void => {}
    const patience = new Promise<'late'>((resolve) => (late = () => resolve('late')))
    const timer = clock.after(AUTHENTICATE_MS, late)
    try {
      const who = await Promise.race([authenticate(seenBy(request)), patience])
      if (who === 'late') return { status: 503, message: 'It cannot be told now who asks.' }
      return who === undefined ? unknown(challenge) : { auth: who }
    } catch (error) {
      if (error instanceof AuthError) return refusalOf(error, challenge)
      logger.error('a client could not be identified', { error: describeError(error) })
      return { status: 500, message: 'It cannot be told who asks.' }
    } finally {
      timer.cancel()
    }
  }
}

const CLOSING: UpgradeRefusal = { status: 503, message: 'This server takes nobody in now.' }

function unknown(challenge: string): UpgradeRefusal {
  const message = 'Say who you are, in the header Authorization.'
  return { status: 401, message, headers: { 'WWW-Authenticate': challenge } }
}

function refusalOf(error: AuthError, usual: string): UpgradeRefusal {
  const { challenge } = error
  // A line end in it would begin another header.
  const safe = challenge === undefined || /[^\t\x20-\x7e]/.test(challenge) ? usual : challenge
  if (error.status !== 403) return unknown(safe)
  return { status: 403, message: 'You may not connect.', headers: { 'WWW-Authenticate': safe } }
}

function ignore(): void {}
