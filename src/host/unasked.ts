/**
 * What a process writes to its output although nobody asked for it: text that is no message, notices, requests of its own. It
 * is counted where it comes in, and what comes faster than anybody can want is read no faster: the server waits, not the others.
 */

import type { Clock } from '../base/clock.ts'
import { isBatch, readText } from '../jsonrpc/channel.ts'
import type { LinkPort, TextReading, Transport } from '../jsonrpc/link.ts'

export interface UnaskedOptions {
  readonly clock: Clock
  /** So many bytes, or about as many, were no message. */
  readonly onStray: (bytes: number) => void
  /** The server asks something. */
  readonly onRequest: () => void
}

/** In each of these spans so much is read, and the rest waits for the next one. */
const SPAN_MS = 100
const SPAN_MESSAGES = 400
const SPAN_BYTES = 128 * 1024

export function countUnasked(transport: Transport, options: UnaskedOptions): Transport {
  return {
    ...transport,
    open: (port, signal) => transport.open(listeningPort(port, options), signal),
  }
}

function listeningPort(port: LinkPort, { clock, onStray, onRequest }: UnaskedOptions): LinkPort {
  const allowance = new Allowance(clock)
  /** Gives what the text costs of the allowance. */
  const listen = (text: string, reading: TextReading): number => {
    if (isBatch(reading)) return 0
    if (reading.kind === 'request') onRequest()
    else if (reading.kind === 'malformed') onStray(text.length + 1)
    else if (reading.kind !== 'notification') return 0
    return text.length + 1
  }
  return {
    maxMessageBytes: port.maxMessageBytes,
    text(text, facts, read) {
      const reading = read ?? readText(text)
      const cost = listen(text, reading)
      return both(port.text(text, facts, reading), cost === 0 ? undefined : allowance.spend(cost))
    },
    unreadable(piece) {
      onStray(piece.size + 1)
      return both(port.unreadable(piece), allowance.spend(piece.size + 1))
    },
    failed: (id, reason) => port.failed(id, reason),
    note: (note) => port.note(note),
    closed: (reason) => port.closed(reason),
  }
}

/** How much may come in one span. */
class Allowance {
  readonly #clock: Clock
  #since = Number.NEGATIVE_INFINITY
  #messages = 0
  #bytes = 0
  #next: Promise<void> | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Settles when more may be read, where there was too much. */
  spend(bytes: number): Promise<void> | undefined {
    const now = this.#clock.now()
    if (now - this.#since >= SPAN_MS) {
      this.#since = now
      this.#messages = 0
      this.#bytes = 0
    }
    this.#messages += 1
    this.#bytes += bytes
    if (this.#messages <= SPAN_MESSAGES && this.#bytes <= SPAN_BYTES) return undefined
    this.#next ??= new Promise((resolve) => {
      this.#clock.after(this.#since + SPAN_MS - now, () => {
        this.#next = undefined
        resolve()
      })
    })
    return this.#next
  }
}

function both(one: void | Promise<void>, other: Promise<void> | undefined): void | Promise<void> {
  if (one === undefined || other === undefined) return one ?? other
  return Promise.all([one, other]).then(() => undefined)
}
