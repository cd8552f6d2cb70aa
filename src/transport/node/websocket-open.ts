/** Opens a WebSocket as a client: the handshake, what may be wrong with it, and the link when it is done. */

import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { systemClock } from '../../base/clock.ts'
import { asError, CancelledError, TransportError, UsageError } from '../../base/errors.ts'
import type { Link, LinkPort } from '../../jsonrpc/link.ts'
import type { Address } from '../http/address.ts'
import { checkedHeaders } from '../http/header-source.ts'
import { refusalError } from '../http/refusal.ts'
import { WebSocketLink } from './websocket-link.ts'
import { limitsFor, SUBPROTOCOL } from './websocket-limits.ts'
import type { WebSocketOptions, WebSocketTimes } from './websocket-options.ts'

const OPEN_MS = 30_000
const HEARTBEAT_MS = 30_000
const PONG_MS = 10_000
const STALL_MS = 30_000
const CLOSE_MS = 2000
/** How much of a refusal is read. */
const REFUSAL_BYTES = 8 * 1024

/** What is left out of the options of a link has its default. */
export function webSocketLink(
  socket: WebSocket,
  options: WebSocketTimes &
    Pick<
      ConstructorParameters<typeof WebSocketLink>[1],
      'name' | 'end' | 'port' | 'carrier' | 'facts'
    >,
): Link {
  const { name, end, port, carrier, facts } = options
  return new WebSocketLink(socket, {
    name,
    end,
    port,
    carrier,
    facts,
    clock: options.clock ?? systemClock,
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    pongMs: options.pongMs ?? PONG_MS,
    stallMs: options.stallMs ?? STALL_MS,
    closeMs: options.closeMs ?? CLOSE_MS,
  })
}

type Named = WebSocketOptions & { readonly name: string }

interface Opening {
  readonly port: LinkPort
  readonly signal: AbortSignal | undefined
}

/** Rejects with what `webSocket` says. */
export async function openWebSocket(
  address: Address,
  options: Named,
  opening: Opening,
): Promise<Link> {
  const { name, headers = {} } = options
  const { port, signal } = opening
  if (signal?.aborted === true) throw cancelled(name, signal)
  const given = checkedHeaders(typeof headers === 'function' ? await headers() : headers)
  const own = Object.keys(given).find((header) => header.startsWith('sec-websocket-'))
  if (own !== undefined)
    throw new UsageError(`The header "${own}" is set by the transport; leave it out.`, {
      detail: { kind: 'bad-header', header: own, why: 'ours' },
    })
  const { authorization } = address
  // By a call, so that in a program of one file it is not read at every start.
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(address.url, [SUBPROTOCOL], {
    ...limitsFor(port.maxMessageBytes),
    // What the caller says about who asks counts more than what stands in the address.
    headers: { ...(authorization === undefined ? {} : { authorization }), ...given },
    followRedirects: false,
  })
  const carrier = await new Handshake(socket, options, signal).carrier
  return webSocketLink(socket, { ...options, end: 'client', port, carrier, facts: undefined })
}

/** One opening handshake. Settles once, and leaves no listener, no timer and, when it fails, no connection. */
class Handshake {
  /** The socket below, when the WebSocket is open. */
  readonly carrier: Promise<Socket>
  readonly #name: string
  readonly #wall: number

  constructor(socket: WebSocket, options: Named, signal: AbortSignal | undefined) {
    const { openMs = OPEN_MS, clock = systemClock } = options
    this.#name = options.name
    this.#wall = clock.wall()
    this.carrier = new Promise((resolve, reject) => {
      let carrier: Socket | undefined
      const fail = (error: Error): void => {
        settle()
        // The end of an attempt that was given up is an error event, too.
        socket.on('error', ignore)
        socket.terminate()
        reject(error)
      }
      const onUpgrade = (response: IncomingMessage): void => void (carrier = response.socket)
      const onOpen = (): void => {
        settle()
        // What came with the handshake waits until the link listens.
        socket.pause()
        if (carrier !== undefined) resolve(carrier)
      }
      const onError = (error: Error): void => fail(this.#unreachable(error))
      const onAbort = (): void => fail(cancelled(this.#name, signal))
      const onResponse = (_request: ClientRequest, response: IncomingMessage): void => {
        this.#refusal(response).then(fail, (error: unknown) => onError(asError(error)))
      }
      const timer = clock.after(openMs, () =>
        fail(this.#unreachable(new Error(`it was not open within ${openMs} ms`), openMs)),
      )
      const settle = (): void => {
        timer.cancel()
        signal?.removeEventListener('abort', onAbort)
        socket.off('upgrade', onUpgrade).off('open', onOpen).off('error', onError)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      socket.on('upgrade', onUpgrade).on('open', onOpen).on('error', onError)
      socket.on('unexpected-response', onResponse)
    })
  }

  /** An answer of HTTP that is no upgrade. */
  async #refusal(response: IncomingMessage): Promise<Error> {
    let body = ''
    response.setEncoding('utf8')
    for await (const text of response) {
      body += String(text)
      if (body.length > REFUSAL_BYTES) break
    }
    return refusalError({
      name: this.#name,
      status: response.statusCode ?? 0,
      header: (name) => headerOf(response, name),
      body,
      inSession: false,
      wall: this.#wall,
    })
  }

  #unreachable(cause: NodeJS.ErrnoException, ms?: number): TransportError {
    // Several addresses of one name fail as one error that has its words in its members.
    const inner = cause instanceof AggregateError ? asError(cause.errors[0]) : cause
    const why = inner.message === '' ? (cause.code ?? 'the connection failed') : inner.message
    return new TransportError(
      'DP_TRANSPORT_CONNECT',
      `Could not open a WebSocket to "${this.#name}": ${why}. See whether the server runs, speaks WebSocket with the subprotocol "${SUBPROTOCOL}", and has this address.`,
      {
        server: this.#name,
        sent: 'no',
        cause,
        detail: { kind: 'not-reached', address: this.#name, reason: why, ms },
      },
    )
  }
}

function headerOf(response: IncomingMessage, name: string): string | undefined {
  const value = response.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function cancelled(server: string, signal: AbortSignal | undefined): CancelledError {
  return new CancelledError(`Connecting to "${server}" was cancelled.`, {
    server,
    reason: signal?.reason,
  })
}

function ignore(): void {}
