/** HTTP transports over Node's own client. What they need of Node is loaded when a link is first opened. */

import type { Transport } from '../../jsonrpc/link.ts'
import { httpTransport, sseTransport } from '../http/client.ts'
import type { HttpExchange } from '../http/exchange.ts'
import type { HttpOptions } from '../http/way.ts'
import type { NodeExchangeOptions } from './http-exchange.ts'

export interface NodeHttpOptions
  extends
    HttpOptions,
    Pick<NodeExchangeOptions, 'tls' | 'proxy' | 'connectTimeoutMs' | 'maxHeaderBytes'> {}

/**
 * Streamable HTTP, with the old transport to fall back on. Opening it sends nothing yet; it may be opened any number of
 * times. Throws `UsageError` for a URL or headers that cannot be used.
 */
export function http(url: string | URL, options: NodeHttpOptions = {}): Transport {
  return httpTransport(url, options, exchangeOf(options))
}

/** The old transport of HTTP and SSE alone. Opening it opens the stream. // HSSE-07 */
export function sse(url: string | URL, options: NodeHttpOptions = {}): Transport {
  return sseTransport(url, options, exchangeOf(options))
}

function exchangeOf(options: NodeHttpOptions): () => Promise<HttpExchange> {
  return async () => {
    const { nodeExchange } = await import('./http-exchange.ts')
    return nodeExchange(options)
  }
}
