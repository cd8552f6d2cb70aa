/** HTTP transports that run anywhere, by `fetch`. On Node, those of `deep-pilot/node` cost less and can do more. */

import type { Transport } from '../../jsonrpc/link.ts'
import { httpTransport, sseTransport } from './client.ts'
import type { HttpExchange } from './exchange.ts'
import type { HttpOptions } from './way.ts'

/**
 * Streamable HTTP, with the old transport to fall back on. Opening it sends nothing yet; it may be opened any number of
 * times. Throws `UsageError` for a URL or headers that cannot be used.
 */
export function http(url: string | URL, options: HttpOptions = {}): Transport {
  return httpTransport(url, options, makeExchange)
}

/** The old transport of HTTP and SSE alone. Opening it opens the stream. // HSSE-07 */
export function sse(url: string | URL, options: HttpOptions = {}): Transport {
  return sseTransport(url, options, makeExchange)
}

async function makeExchange(): Promise<HttpExchange> {
  return (await import('./fetch-exchange.ts')).fetchExchange()
}
