/**
 * What a process writes to its output although nobody asked for it, counted where it comes in: text that is no message, and
 * requests of its own. It changes nothing of what passes.
 */

import { isBatch, readText } from '../jsonrpc/channel.ts'
import type { LinkPort, TextReading, Transport } from '../jsonrpc/link.ts'

export interface UnaskedEars {
  /** So many bytes, or about as many, were no message. */
  readonly onStray: (bytes: number) => void
  /** The server asks something. */
  readonly onRequest: () => void
}

export function countUnasked(transport: Transport, ears: UnaskedEars): Transport {
  return {
    ...transport,
    open: (port, signal) => transport.open(listeningPort(port, ears), signal),
  }
}

function listeningPort(port: LinkPort, { onStray, onRequest }: UnaskedEars): LinkPort {
  const listen = (text: string, reading: TextReading): void => {
    if (isBatch(reading)) return
    if (reading.kind === 'request') onRequest()
    else if (reading.kind === 'malformed') onStray(text.length + 1)
  }
  return {
    maxMessageBytes: port.maxMessageBytes,
    text(text, facts, read) {
      const reading = read ?? readText(text)
      listen(text, reading)
      return port.text(text, facts, reading)
    },
    unreadable(piece) {
      onStray(piece.size + 1)
      port.unreadable(piece)
    },
    failed: (id, reason) => port.failed(id, reason),
    note: (note) => port.note(note),
    closed: (reason) => port.closed(reason),
  }
}
