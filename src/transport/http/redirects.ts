/**
 * An exchange that goes on where the server sends it, within its own origin and with the request as it was.
 *
 * Credentials and a session belong to one origin: what leads to another is refused, and so is what would turn a POST
 * into something else.
 */

import { asError, HttpError } from '../../base/errors.ts'
import { sameOrigin } from './address.ts'
import type { HeaderLookup, HttpExchange, HttpFlight, HttpRequest, HttpSink } from './exchange.ts'

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** What a redirect may say beside its `Location` before its connection is given up. */
const MAX_IGNORED_BYTES = 64 * 1024

/** Follows at most `max` redirects an exchange. // RFC 9110 §15.4 */
export function followRedirects(exchange: HttpExchange, max: number): HttpExchange {
  return (request, sink) => new Journey(exchange, sink, { request, left: max })
}

interface Leg {
  readonly request: HttpRequest
  readonly left: number
}

/** One exchange with all its legs; the sink sees the last one. */
class Journey implements HttpSink, HttpFlight {
  readonly #exchange: HttpExchange
  readonly #sink: HttpSink
  #leg: Leg
  #next: Leg | undefined
  #ignored = 0
  #flight: HttpFlight
  #paused = false

  constructor(exchange: HttpExchange, sink: HttpSink, leg: Leg) {
    this.#exchange = exchange
    this.#sink = sink
    this.#leg = leg
    this.#flight = exchange(leg.request, this)
  }

  abort(): void {
    this.#next = undefined
    this.#flight.abort()
  }

  pause(): void {
    this.#paused = true
    this.#flight.pause()
  }

  resume(): void {
    this.#paused = false
    this.#flight.resume()
  }

  sending(): void {
    this.#sink.sending?.()
  }

  left(): void {
    // What was taken only to be sent on has not left yet; the last leg says it again.
    if (this.#next === undefined) this.#sink.left?.()
  }

  head(status: number, header: HeaderLookup): void {
    const location = REDIRECTS.has(status) ? header('location') : undefined
    if (location === undefined) return this.#sink.head(status, header)
    try {
      this.#next = nextLeg(this.#leg, status, location)
      // A flight that waits for room would wait for ever: nothing of this body goes further.
      if (this.#paused) this.#flight.resume()
    } catch (error) {
      this.#flight.abort()
      this.#sink.failed(asError(error))
    }
  }

  data(bytes: Uint8Array): void {
    if (this.#next === undefined) return this.#sink.data(bytes)
    this.#ignored += bytes.length
    if (this.#ignored <= MAX_IGNORED_BYTES) return
    this.#flight.abort()
    this.#travel(this.#next)
  }

  end(): void {
    if (this.#next === undefined) this.#sink.end()
    else this.#travel(this.#next)
  }

  failed(error: Error): void {
    if (this.#next === undefined) this.#sink.failed(error)
    else this.#travel(this.#next)
  }

  #travel(leg: Leg): void {
    this.#leg = leg
    this.#next = undefined
    this.#ignored = 0
    this.#flight = this.#exchange(leg.request, this)
    if (this.#paused) this.#flight.pause()
  }
}

/** Where to go on. Throws when that is not allowed. */
function nextLeg({ request, left }: Leg, status: number, location: string): Leg {
  const from = new URL(request.url)
  const what = `A redirect (${status}) of ${from.origin}${from.pathname}`
  const url = sameOrigin(request.url, location, what)
  const keepsMethod = status === 307 || status === 308
  const { origin, pathname } = new URL(url)
  const way = { from: from.origin + from.pathname, to: origin + pathname }
  if (!keepsMethod && request.method !== 'GET')
    throw new HttpError(
      'DP_TRANSPORT_HTTP',
      `${what} to ${origin}${pathname} would turn a ${request.method} into a GET. Give that address in place of this one.`,
      { status, sent: 'yes', detail: { kind: 'redirect', why: 'method', ...way } },
    )
  if (left <= 0)
    throw new HttpError(
      'DP_TRANSPORT_HTTP',
      `${what} to ${origin}${pathname} is one too many: the server sends the client in circles.`,
      { status, sent: 'yes', detail: { kind: 'redirect', why: 'circles', ...way } },
    )
  return { request: { ...request, url }, left: left - 1 }
}
