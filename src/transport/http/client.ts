/**
 * Transports over HTTP: Streamable HTTP, and the old one of HTTP and SSE as what is left when that is refused.
 *
 * What carries the requests is passed in; `fetch-client.ts` and `node/http-client.ts` have one each. The links are loaded
 * when the first is opened, so that whoever speaks over pipes does not pay for them.
 */

import type { Transport } from '../../jsonrpc/link.ts'
import { wayTo, type HttpOptions, type MakeExchange, type Way } from './way.ts'

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
    open: async (port, signal) => (await import('./open-link.ts')).openHttpLink(way, port, signal),
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

function oldTransport(way: Way): Transport {
  return {
    name: way.address.name,
    reopens: true,
    open: async (port, signal) => (await import('./open-link.ts')).openSseLink(way, port, signal),
  }
}
