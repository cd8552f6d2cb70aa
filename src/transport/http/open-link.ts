/** Opens links over HTTP. Loaded when the first is opened. */

import { CancelledError } from '../../base/errors.ts'
import type { Link, LinkPort } from '../../jsonrpc/link.ts'
import { Caller } from './caller.ts'
import { HttpLink } from './client-link.ts'
import { openSse } from './sse-client.ts'
import type { Way } from './way.ts'

/** A link of Streamable HTTP. Nothing is sent before something is written to it. */
export function openHttpLink(way: Way, port: LinkPort, signal?: AbortSignal): Promise<Link> {
  return openWith(way, signal, (caller, release) => {
    const { clock, random, listens } = way
    return Promise.resolve(new HttpLink({ caller, port, clock, random, listens, release }))
  })
}

/** A link of the old transport, once its stream is there. */
export function openSseLink(way: Way, port: LinkPort, signal?: AbortSignal): Promise<Link> {
  return openWith(way, signal, (caller, release) =>
    openSse({ caller, port, clock: way.clock, signal, release }),
  )
}

/** Opens a link on an exchange of its own, which goes again when that fails. */
async function openWith(
  way: Way,
  signal: AbortSignal | undefined,
  open: (caller: Caller, release: () => void) => Promise<Link>,
): Promise<Link> {
  const { address, headers, maxRedirects } = way
  const exchange = way.exchange ?? (await way.makeExchange())
  const release = (): void => {
    if (way.exchange === undefined) exchange.close?.()
  }
  try {
    if (signal?.aborted === true) throw givenUp(address.name, signal.reason)
    return await open(new Caller({ address, exchange, headers, maxRedirects }), release)
  } catch (error) {
    release()
    throw error
  }
}

function givenUp(name: string, reason: unknown): CancelledError {
  return new CancelledError(`Connecting to ${name} was cancelled.`, { server: name, reason })
}
