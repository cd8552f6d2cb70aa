/**
 * What a listener hands out: one transport for each who comes, given to whoever serves it, and closed with the listener.
 *
 * It knows no sockets. Whoever accepts decides when the link opens; until then the far side waits.
 */

import { describeError } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import type { Link, Transport } from '../../jsonrpc/link.ts'

/** Serves one who has come: opens the transport, and settles when the link is gone. `server.accept` is one. */
export type Accept = (transport: Transport) => Promise<void>

export class AcceptedLinks {
  readonly #accept: Accept
  readonly #logger: Logger
  readonly #links = new Set<Link>()
  readonly #waiting = new Set<() => void>()

  constructor(accept: Accept, logger: Logger) {
    this.#accept = accept
    this.#logger = logger
  }

  /** `drop` turns away the one who has come, if nobody opens the transport. */
  take(transport: Transport, drop: () => void): void {
    this.#waiting.add(drop)
    let opened: Link | undefined
    const watched: Transport = {
      ...transport,
      open: async (port, signal) => {
        const link = await transport.open(port, signal)
        this.#waiting.delete(drop)
        this.#links.add(link)
        opened = link
        return link
      },
    }
    void this.#serve(watched).finally(() => {
      if (opened !== undefined) this.#links.delete(opened)
      if (this.#waiting.delete(drop)) drop()
    })
  }

  /** Closes all links, and turns away who waits. Settles when nothing of them is left. */
  async close(): Promise<void> {
    for (const drop of this.#waiting) drop()
    this.#waiting.clear()
    await Promise.all([...this.#links].map((link) => link.close()))
  }

  async #serve(transport: Transport): Promise<void> {
    try {
      await this.#accept(transport)
    } catch (error) {
      this.#logger.error('a connection could not be served', {
        transport: transport.name,
        error: describeError(error),
      })
    }
  }
}
