/** An upgrade that is refused: an answer of HTTP on a bare socket, and the end of it. */

import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

export interface UpgradeRefusal {
  readonly status: number
  /** For people; never what the client sent. */
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers and closes. Nothing of the client is read any more. */
export function refuseUpgrade(socket: Duplex, { status, message, headers }: UpgradeRefusal): void {
  const body = `${message}\n`
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
