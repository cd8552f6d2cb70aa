/**
 * What a process writes to its output although nobody asked for it: text that is no message, notices, requests of its own. It
 * is counted where it comes in, and what comes faster than anybody can want is read no faster: the server waits, not the others.
 */

import type { Clock } from '../base/clock.ts'
import { isBatch, readText } from '../jsonrpc/channel.ts'
import type { LinkPort, TextReading, Transport } from '../jsonrpc/link.ts'
import { Allowance } from './allowance.ts'

export interface UnaskedOptions {
  readonly clock: Clock
  /** So many bytes, or about as many, were no message. */
  readonly onStray: (bytes: number) => void
  /** The server asks something. */
  readonly onRequest: () => void
}

/** So much is read in a span, and the rest waits for the next one. */
const LIMITS = { messages: 400, bytes: 128 * 1024 }

export function countUnasked(transport: Transport, options: UnaskedOptions): Transport {
  return {
    ...transport,
    open: (port, signal) => transport.open(listeningPort(port, options), signal),
  }
}

function listeningPort(port: LinkPort, { clock, onStray, onRequest }: UnaskedOptions): LinkPort {
  const allowance = new Allowance(clock, LIMITS)
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

function both(one: void | Promise<void>, other: Promise<void> | undefined): void | Promise<void> {
  if (one === undefined || other === undefined) return one ?? other
  return Promise.all([one, other]).then(() => undefined)
}
