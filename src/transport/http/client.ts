/**
 * Ways to a server over HTTP: Streamable HTTP, and the old transport of HTTP and SSE as what is left when that is refused.
 *
 * What carries the requests is passed in; `fetch-client.ts` and `node/http-client.ts` have one each.
 */

import { systemClock, systemRandom, type Clock, type Random } from '../../base/clock.ts'
import { CancelledError } from '../../base/errors.ts'
import type { Link, Transport } from '../../jsonrpc/link.ts'
import { parseAddress, type Address } from './address.ts'
import { Caller } from './caller.ts'
import type { HttpExchange } from './exchange.ts'
import type { HeaderSource } from './header-source.ts'
import { HttpLink } from './client-link.ts'
import { openSse } from './sse-client.ts'

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

/** A way to the server at `url` by exchanges that `makeExchange` makes, one for each link. Throws `UsageError`. */
export function httpTransport(
  url: string | URL,
  options: HttpOptions,
  makeExchange: MakeExchange,
): Transport {
  const way = wayTo(url, options, makeExchange)
  const { transport = 'auto' } = options
  if (transport === 'sse') return oldTransport(way)
  return {
    name: way.address.name,
    reopens: true,
    ...(transport === 'auto' ? { fallback: oldTransport(way) } : {}),
    open: (port, signal) =>
      openWith(way, signal, ({ caller, release }) => {
        const { clock, random, listens } = way
        return Promise.resolve(new HttpLink({ caller, port, clock, random, listens, release }))
      }),
  }
}

/** The same by the old transport alone, whose one stream is opened first. */
export function sseTransport(
  url: string | URL,
  options: HttpOptions,
  makeExchange: MakeExchange,
): Transport {
  return oldTransport(wayTo(url, options, makeExchange))
}

/** Everything about a way that is the same for each of its links. */
interface Way {
  readonly address: Address
  readonly headers: HeaderSource
  readonly maxRedirects: number
  readonly listens: boolean
  readonly clock: Clock
  readonly random: Random
  readonly exchange: HttpExchange | undefined
  readonly makeExchange: MakeExchange
}

interface Carriage {
  readonly caller: Caller
  readonly release: () => void
}

const MAX_REDIRECTS = 5

function wayTo(url: string | URL, options: HttpOptions, makeExchange: MakeExchange): Way {
  const parsed = parseAddress(url)
  const way: Way = {
    address: options.name === undefined ? parsed : { ...parsed, name: options.name },
    headers: options.headers ?? {},
    maxRedirects: options.maxRedirects ?? MAX_REDIRECTS,
    listens: options.listens ?? true,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    exchange: options.exchange,
    makeExchange,
  }
  // What cannot be sent is told to whoever wrote it, not to the first request.
  makeCaller(way, () => ({ abort: ignore, pause: ignore, resume: ignore }))
  return way
}

function oldTransport(way: Way): Transport {
  return {
    name: way.address.name,
    reopens: true,
    open: (port, signal) =>
      openWith(way, signal, ({ caller, release }) =>
        openSse({ caller, port, clock: way.clock, signal, release }),
      ),
  }
}

/** Opens a link on an exchange of its own, which goes again when that fails. */
async function openWith(
  way: Way,
  signal: AbortSignal | undefined,
  open: (carriage: Carriage) => Promise<Link>,
): Promise<Link> {
  const { name } = way.address
  if (signal?.aborted === true)
    throw new CancelledError(`Connecting to ${name} was cancelled.`, {
      server: name,
      reason: signal.reason,
    })
  const exchange = way.exchange ?? (await way.makeExchange())
  const release = (): void => {
    if (way.exchange === undefined) exchange.close?.()
  }
  try {
    return await open({ caller: makeCaller(way, exchange), release })
  } catch (error) {
    release()
    throw error
  }
}

function makeCaller({ address, headers, maxRedirects }: Way, exchange: HttpExchange): Caller {
  return new Caller({ address, exchange, headers, maxRedirects })
}

function ignore(): void {}
