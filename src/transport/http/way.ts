/** A way to a server over HTTP: everything that is the same for each link that is opened on it. */

import { systemClock, systemRandom, type Clock, type Random } from '../../base/clock.ts'
import { parseAddress, type Address } from './address.ts'
import type { HttpExchange } from './exchange.ts'
import { checkedHeaders, type HeaderSource } from './header-source.ts'

export interface HttpOptions {
  /**
   * Sent with every request; a function is asked before each, as for tokens that change. Takes the place of the
   * credentials in the URL when it has an `authorization`. Default none.
   */
  readonly headers?: HeaderSource
  /**
   * `http` is Streamable HTTP, `sse` the old transport, `auto` the first and, when the server refuses the handshake on
   * it, the second. Default `auto`. // VERS-17
   */
  readonly transport?: 'auto' | 'http' | 'sse'
  /** Whether to keep a stream open for messages that belong to no request, where there is one. Default true. // HTTP-20 */
  readonly listens?: boolean
  /** Redirects to follow for one request, on the same origin only. Default 5. */
  readonly maxRedirects?: number
  /** For people. Default: the URL without credentials and query. */
  readonly name?: string
  /** Carries the requests in place of the default; whoever gives it closes it. */
  readonly exchange?: HttpExchange
  readonly clock?: Clock
  readonly random?: Random
}

/** Makes what carries the requests of one link; it is closed with the link. */
export type MakeExchange = () => HttpExchange | Promise<HttpExchange>

export interface Way {
  readonly address: Address
  readonly headers: HeaderSource
  readonly maxRedirects: number
  readonly listens: boolean
  readonly clock: Clock
  readonly random: Random
  /** Given from outside. */
  readonly exchange: HttpExchange | undefined
  readonly makeExchange: MakeExchange
}

const MAX_REDIRECTS = 5

/** Throws `UsageError` for a URL or headers that cannot be used: whoever wrote them hears it, not the first request. */
export function wayTo(url: string | URL, options: HttpOptions, makeExchange: MakeExchange): Way {
  const parsed = parseAddress(url)
  const { headers = {} } = options
  if (typeof headers !== 'function') checkedHeaders(headers)
  return {
    address: options.name === undefined ? parsed : { ...parsed, name: options.name },
    headers,
    maxRedirects: options.maxRedirects ?? MAX_REDIRECTS,
    listens: options.listens ?? true,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    exchange: options.exchange,
    makeExchange,
  }
}
