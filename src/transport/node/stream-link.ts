/**
 * The link over one socket that carries lines both ways: a Unix socket or a pipe of Windows, at either end.
 *
 * Orderly ends are half by half: what was written before still arrives, then our half closes, and the socket goes when the
 * far side has closed its own or the time for that is over. Standard streams have a life of their own, see `stdio-*.ts`.
 */

import type { Socket } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import { TransportError } from '../../base/errors.ts'
import { createLineReader, type LineReader } from '../../formats/ndjson.ts'
import type { Link, LinkPort, Outbound, Receipt } from '../../jsonrpc/link.ts'
import { createJoinedWriter, NOT_SENT, type JoinedWriter } from './joined-writer.ts'
import { Pace } from './pace.ts'

export interface StreamLinkOptions {
  /** For people: what the socket leads to. */
  readonly name: string
  /** Which end this is: a client is told when the server has closed, a server takes that for the end of the session. */
  readonly end: 'client' | 'server'
  readonly port: LinkPort
  readonly clock: Clock
  readonly stallMs: number
  readonly closeMs: number
}

/** Reads and writes from its making on. The socket must be connected, and allow half of it to be closed. */
export class StreamLink implements Link {
  readonly #socket: Socket
  readonly #options: StreamLinkOptions
  readonly #reader: LineReader
  readonly #writer: JoinedWriter
  readonly #pace: Pace
  readonly #gone: Promise<void>
  #onGone = (): void => {}
  #cause: Error | undefined
  #ended = false
  #closing: Promise<void> | undefined

  constructor(socket: Socket, options: StreamLinkOptions) {
    const { port } = options
    this.#socket = socket
    this.#options = options
    this.#pace = new Pace(socket)
    this.#gone = new Promise((resolve) => (this.#onGone = resolve))
    this.#reader = createLineReader({
      maxBytes: port.maxMessageBytes,
      onText: (text) => this.#pace.mind(port.text(text)),
      onUnreadable: (piece) => this.#pace.mind(port.unreadable(piece)),
    })
    this.#writer = createJoinedWriter(socket, {
      clock: options.clock,
      stallMs: options.stallMs,
      onFailed: (error) => this.#onError(error),
      onStalled: () => this.#onStalled(),
    })
    socket.on('data', (chunk: Uint8Array) => {
      if (!this.#ended) this.#reader.push(chunk)
    })
    socket.on('end', () => this.#onFarEnd())
    socket.on('error', (error) => this.#onError(error))
    socket.on('close', () => this.#onClose())
    // One that was accepted waits until there is somebody to read it.
    socket.resume()
  }

  get backlogMessages(): number {
    return this.#writer.backlogMessages
  }

  get backlogBytes(): number {
    return this.#writer.backlogBytes
  }

  write(outbound: Outbound): Receipt {
    if (this.#closing !== undefined) return NOT_SENT
    return this.#writer.write(outbound.text)
  }

  drained(): Promise<void> {
    return this.#writer.drained()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const { clock, closeMs } = this.#options
    // The end of the far side stands behind what it has written: held up, it would never be read.
    this.#pace.letGo()
    const bound = clock.after(closeMs, () => this.#end())
    await this.#writer.drained()
    if (!this.#ended) this.#socket.end()
    await this.#gone
    bound.cancel()
  }

  /** All that the far side wrote is read, and it closes: what waits here has nobody to go to. */
  #onFarEnd(): void {
    this.#end(this.#options.end === 'server' ? undefined : this.#lost('was closed by the server'))
  }

  #onError(error: Error): void {
    this.#cause ??= error
    this.#socket.destroy()
  }

  #onClose(): void {
    if (this.#cause === undefined) this.#end()
    else this.#end(this.#lost('broke', this.#cause))
    this.#onGone()
  }

  #onStalled(): void {
    const { name, stallMs, end } = this.#options
    const far = end === 'client' ? `The server at "${name}"` : `A client of "${name}"`
    this.#end(
      new TransportError(
        'DP_TRANSPORT_STALLED',
        `${far} has read nothing for ${stallMs} ms while messages waited. It hangs; connect again.`,
        { server: name, detail: { kind: 'stalled', ms: stallMs } },
      ),
    )
  }

  #lost(how: string, cause?: Error): TransportError {
    const { name } = this.#options
    const message = `The connection to "${name}" ${how}. Connect again.`
    const detail = { kind: 'lost', reason: cause?.message } as const
    return new TransportError('DP_TRANSPORT_CLOSED', message, { server: name, cause, detail })
  }

  /** Tells the end, once; an end that was asked for here has no reason. */
  #end(reason?: TransportError): void {
    if (this.#ended) return
    this.#reader.end()
    this.#ended = true
    this.#pace.stop()
    this.#writer.stop()
    this.#socket.destroy()
    this.#options.port.closed(this.#closing === undefined ? reason : undefined)
  }
}
