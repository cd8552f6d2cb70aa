/**
 * HTTP exchanges by Node's own client: kept connections, proxies, TLS as one wants it, and streams that may be silent
 * for as long as they like.
 *
 * A request is sent a second time only when a kept connection turned out to be dead before the request was on it.
 */

import http from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { systemClock, type Clock, type Timer } from '../../base/clock.ts'
import { asError, HttpError, PilotError, TransportError } from '../../base/errors.ts'
import type { HttpExchange, HttpFlight, HttpRequest, HttpSink } from '../http/exchange.ts'
import { HttpTargets, type Target, type TlsOptions } from './http-targets.ts'

export interface NodeExchangeOptions {
  /** For servers of https. Default: the certificates that Node trusts. */
  readonly tls?: TlsOptions
  /**
   * The URL of a proxy for every request, or false for none. Default: what `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and
   * `NO_PROXY` say, for servers that are not on this machine.
   */
  readonly proxy?: string | false
  /** Longest wait until the far side is reached, TLS included, in ms. Default 10,000. */
  readonly connectTimeoutMs?: number
  /** Most bytes of the headers of one answer. Default 16 KiB. */
  readonly maxHeaderBytes?: number
  /** How long a connection that nobody uses is kept, in ms. Default 60,000, or less where the server says so. */
  readonly keepMs?: number
  readonly clock?: Clock
  /** Default: the environment of this process. */
  readonly variables?: Readonly<Record<string, string | undefined>>
}

/** Exchanges over connections of their own; `close` ends all of them, and what is under way with them. */
export function nodeExchange(options: NodeExchangeOptions = {}): HttpExchange {
  const { clock = systemClock, connectTimeoutMs = 10_000 } = options
  const targets = new HttpTargets({
    tls: options.tls ?? {},
    proxy: options.proxy,
    variables: options.variables ?? process.env,
    clock,
    connectTimeoutMs,
    keepMs: options.keepMs ?? 60_000,
  })
  const carrier: Carrier = {
    targets,
    clock,
    connectTimeoutMs,
    maxHeaderBytes: options.maxHeaderBytes ?? 16 * 1024,
  }
  const exchange = (request: HttpRequest, sink: HttpSink): HttpFlight =>
    new NodeFlight(carrier, request, sink)
  return Object.assign(exchange, { close: () => targets.close() })
}

interface Carrier {
  readonly targets: HttpTargets
  readonly clock: Clock
  readonly connectTimeoutMs: number
  readonly maxHeaderBytes: number
}

class NodeFlight implements HttpFlight {
  readonly #carrier: Carrier
  readonly #request: HttpRequest
  readonly #sink: HttpSink
  #outgoing: ClientRequest | undefined
  #incoming: IncomingMessage | undefined
  #target: Target | undefined
  #connecting: Timer | undefined
  #reached = false
  #left = false
  #repeated = false
  #paused = false
  #over = false

  constructor(carrier: Carrier, request: HttpRequest, sink: HttpSink) {
    this.#carrier = carrier
    this.#request = request
    this.#sink = sink
    this.#start()
  }

  abort(): void {
    if (this.#over) return
    this.#finish()
    this.#outgoing?.destroy()
  }

  pause(): void {
    this.#paused = true
    this.#incoming?.pause()
  }

  resume(): void {
    this.#paused = false
    this.#incoming?.resume()
  }

  #start(): void {
    const { targets, maxHeaderBytes } = this.#carrier
    const { method, url, body } = this.#request
    try {
      const target = targets.of(url)
      this.#target = target
      const { protocol, hostname, port, path, agent } = target
      const outgoing = http.request({
        method,
        protocol,
        hostname,
        port,
        path,
        agent,
        headers: headersOf(this.#request, target),
        maxHeaderSize: maxHeaderBytes,
        // Whatever NODE_OPTIONS say: two readers of one connection must not disagree on where a message ends.
        insecureHTTPParser: false,
      })
      this.#outgoing = outgoing
      outgoing.on('socket', this.#onSocket)
      outgoing.on('finish', this.#onFinish)
      outgoing.on('response', this.#onResponse)
      outgoing.on('error', this.#onError)
      outgoing.on('close', this.#onClose)
      outgoing.end(body)
    } catch (error) {
      // Not now: the sink is told nothing before the flight is in its hands.
      queueMicrotask(() => this.#fail(notSent(asError(error))))
    }
  }

  readonly #onSocket = (socket: Socket): void => {
    if (this.#outgoing?.reusedSocket === true || isReady(socket)) return this.#reach()
    const { clock, connectTimeoutMs } = this.#carrier
    const { origin = '' } = this.#target ?? {}
    this.#connecting = clock.after(connectTimeoutMs, () => {
      const message = `${origin} was not reached within ${connectTimeoutMs} ms.`
      const detail = { kind: 'not-reached', address: origin, ms: connectTimeoutMs } as const
      this.#fail(new TransportError('DP_TRANSPORT_CONNECT', message, { sent: 'no', detail }))
      this.#outgoing?.destroy()
    })
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => this.#reach())
  }

  #reach(): void {
    this.#connecting?.cancel()
    if (this.#over || this.#reached) return
    this.#reached = true
    this.#sink.sending?.()
  }

  readonly #onFinish = (): void => {
    if (this.#over || this.#left || !this.#reached) return
    // Node says so as well when the write has failed, before it tells the error.
    if (this.#outgoing?.socket?.errored != null) return
    this.#left = true
    this.#sink.left?.()
  }

  readonly #onResponse = (incoming: IncomingMessage): void => {
    if (this.#over) return void incoming.resume()
    const { statusCode = 0, headers } = incoming
    this.#incoming = incoming
    incoming.on('data', this.#onData)
    incoming.on('end', this.#onEnd)
    incoming.on('error', this.#onError)
    if (this.#paused) incoming.pause()
    const encoding = headers['content-encoding']
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      this.#fail(encoded(this.#target?.origin ?? '', statusCode, encoding))
      return void this.#outgoing?.destroy()
    }
    this.#sink.head(statusCode, (name) => {
      const value = headers[name]
      return typeof value === 'object' ? value.join(', ') : value
    })
  }

  readonly #onData = (bytes: Uint8Array): void => {
    if (!this.#over) this.#sink.data(bytes)
  }

  readonly #onEnd = (): void => {
    if (this.#over) return
    this.#finish()
    this.#sink.end()
  }

  readonly #onError = (error: Error): void => {
    if (this.#over) return
    if (this.#mayRepeat(error)) return this.#repeat()
    this.#fail(this.#explain(error))
  }

  /** A connection that went without a word of why. */
  readonly #onClose = (): void => {
    if (!this.#over)
      this.#onError(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' }))
  }

  /** Whether a kept connection was dead before anything of the request was on it. // RFC 9110 §9.2.2 */
  #mayRepeat(error: Error): boolean {
    const { syscall } = error as NodeJS.ErrnoException // only read
    return (
      syscall === 'write' &&
      !this.#left &&
      !this.#repeated &&
      this.#incoming === undefined &&
      this.#outgoing?.reusedSocket === true
    )
  }

  /** Once more, over a connection that is surely new. */
  #repeat(): void {
    const { targets } = this.#carrier
    this.#repeated = true
    this.#reached = false
    this.#outgoing?.off('close', this.#onClose)
    if (this.#target !== undefined) targets.dropIdle(this.#target.agent)
    this.#start()
  }

  #fail(error: Error): void {
    if (this.#over) return
    this.#finish()
    this.#sink.failed(error)
  }

  #finish(): void {
    this.#over = true
    this.#connecting?.cancel()
  }

  #explain(error: Error): Error {
    if (error instanceof PilotError) return error
    const origin = this.#target?.origin ?? ''
    if (this.#incoming !== undefined)
      return new TransportError(
        'DP_TRANSPORT_CLOSED',
        `The answer of ${origin} broke off: ${error.message}`,
        {
          sent: 'yes',
          cause: error,
          detail: { kind: 'broke-off', address: origin, reason: error.message },
        },
      )
    if (this.#reached)
      return new TransportError(
        'DP_TRANSPORT_CLOSED',
        `${origin} closed the connection without an answer: ${error.message}`,
        {
          sent: 'maybe',
          cause: error,
          detail: { kind: 'no-answer', address: origin, reason: error.message },
        },
      )
    const reason = reasonOf(error)
    return new TransportError('DP_TRANSPORT_CONNECT', `${origin} was not reached: ${reason}`, {
      sent: 'no',
      cause: error,
      detail: { kind: 'not-reached', address: origin, reason },
    })
  }
}

/** As names and values in turn, which Node writes without looking at each twice. */
function headersOf({ headers, body }: HttpRequest, target: Target): string[] {
  const list = [...target.headers]
  for (const name of Object.keys(headers)) list.push(name, headers[name] ?? '')
  if (body !== undefined) list.push('content-length', String(Buffer.byteLength(body)))
  return list
}

/** Whether a connection is there already: TCP, and TLS where it is spoken. */
function isReady(socket: Socket): boolean {
  if (socket.connecting) return false
  if (!(socket instanceof TLSSocket)) return true
  const protocol = socket.getProtocol()
  return protocol !== null && protocol !== 'unknown'
}

function encoded(origin: string, status: number, encoding: string): HttpError {
  const message = `${origin} answered in the encoding "${encoding.slice(0, 40)}", which was not asked for.`
  return new HttpError('DP_TRANSPORT_HTTP', message, {
    status,
    sent: 'yes',
    detail: { kind: 'encoding', address: origin, encoding: encoding.slice(0, 40) },
  })
}

/** What could not even be made into a request. */
function notSent(error: Error): Error {
  if (error instanceof PilotError) return error
  const message = `A request could not be made: ${error.message}`
  return new TransportError('DP_TRANSPORT_WRITE', message, {
    sent: 'no',
    cause: error,
    detail: { kind: 'bad-request', reason: error.message },
  })
}

/** Several addresses of one host fail together; the first reason stands for all. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return asError(error.errors[0]).message
  return error.message
}
