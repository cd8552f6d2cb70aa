/**
 * Sends the requests of one link: to one origin, with the headers of whoever uses the link, following redirects.
 */

import { asError } from '../../base/errors.ts'
import type { Address } from './address.ts'
import type { HttpExchange, HttpFlight, HttpRequest, HttpSink } from './exchange.ts'
import { checkedHeaders, type HeaderSource, type HttpHeaders } from './header-source.ts'
import { followRedirects } from './redirects.ts'

export interface CallerOptions {
  readonly address: Address
  readonly exchange: HttpExchange
  readonly headers: HeaderSource
  readonly maxRedirects: number
}

export class Caller {
  readonly address: Address
  readonly #exchange: HttpExchange
  /** What goes with every request, if anything does and it is known already. */
  readonly #fixed: HttpHeaders | undefined
  readonly #ask: (() => Promise<HttpHeaders>) | undefined

  /** Throws `UsageError` for headers that cannot be sent. */
  constructor({ address, exchange, headers, maxRedirects }: CallerOptions) {
    this.address = address
    this.#exchange = followRedirects(exchange, maxRedirects)
    const { authorization } = address
    const own: HttpHeaders = authorization === undefined ? {} : { authorization }
    if (typeof headers === 'function')
      this.#ask = async () => ({ ...own, ...checkedHeaders(await headers()) })
    else {
      const fixed = { ...own, ...checkedHeaders(headers) }
      if (Object.keys(fixed).length > 0) this.#fixed = fixed
    }
  }

  /** Begins a request. The user's headers cannot take the place of those in the request. */
  call(request: HttpRequest, sink: HttpSink): HttpFlight {
    if (this.#ask !== undefined) return new AwaitedFlight(this.#exchange, this.#ask, request, sink)
    if (this.#fixed === undefined) return this.#exchange(request, sink)
    const headers = { ...this.#fixed, ...request.headers }
    return this.#exchange({ ...request, headers }, sink)
  }
}

/** A flight that begins when its headers are there. */
class AwaitedFlight implements HttpFlight {
  #flight: HttpFlight | undefined
  #aborted = false
  #paused = false

  constructor(
    exchange: HttpExchange,
    ask: () => Promise<HttpHeaders>,
    ...[request, sink]: [HttpRequest, HttpSink]
  ) {
    ask().then(
      (asked) => {
        if (this.#aborted) return
        this.#flight = exchange({ ...request, headers: { ...asked, ...request.headers } }, sink)
        if (this.#paused) this.#flight.pause()
      },
      (error: unknown) => {
        if (!this.#aborted) sink.failed(asError(error))
      },
    )
  }

  abort(): void {
    this.#aborted = true
    this.#flight?.abort()
  }

  pause(): void {
    this.#paused = true
    this.#flight?.pause()
  }

  resume(): void {
    this.#paused = false
    this.#flight?.resume()
  }
}
