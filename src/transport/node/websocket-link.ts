/**
 * The link over one WebSocket that is open, at either end: one JSON-RPC message is one text frame.
 *
 * Framing, masks and UTF-8 are the business of the library; what it cannot know is here: back-pressure both ways, the
 * heartbeat, how much of what carries no message a far side may send, and what an end means.
 */

import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Clock } from '../../base/clock.ts'
import type { ErrorDetail } from '../../base/error-detail.ts'
import { TransportError } from '../../base/errors.ts'
import type { Link, LinkPort, Outbound, Receipt } from '../../jsonrpc/link.ts'
import type { Facts } from '../../jsonrpc/wire.ts'
import { FrameWriter } from './frame-writer.ts'
import { startHeartbeat, type Heartbeat } from './heartbeat.ts'
import { NOT_SENT } from './joined-writer.ts'
import { Pace } from './pace.ts'
import { explainClose, explainFault, isTooLong } from './websocket-close.ts'

export interface WebSocketLinkOptions {
  /** For people: the address, or the listener. */
  readonly name: string
  readonly end: 'client' | 'server'
  readonly port: LinkPort
  /** The socket below. */
  readonly carrier: Socket
  readonly clock: Clock
  readonly stallMs: number
  readonly closeMs: number
  readonly heartbeatMs: number
  readonly pongMs: number
  /** What goes with every message: who the client is. */
  readonly facts: Facts | undefined
}

/**
 * Pings and pongs that may come between two looks at the clock. They carry nothing and cost memory when they stand between
 * the fragments of a message.
 */
const MAX_CONTROL_FRAMES = 1000
/** How often they are counted anew, in milliseconds. */
const CONTROL_WINDOW_MS = 10_000
/** How much of a binary frame is kept for the note about it. */
const EDGE_BYTES = 64 * 1024

const NORMAL = 1000
const UNSUPPORTED = 1003
const POLICY = 1008

/** Reads and writes from its making on; what comes meanwhile is handed over from the next turn of the event loop on. */
export class WebSocketLink implements Link {
  readonly #socket: WebSocket
  readonly #options: WebSocketLinkOptions
  readonly #writer: FrameWriter
  readonly #pace: Pace
  readonly #heart: Heartbeat
  readonly #gone: Promise<void>
  #onGone = (): void => {}
  #controls = 0
  #windowEnd = 0
  #cause: Error | undefined
  #ended = false
  #closing: Promise<void> | undefined

  constructor(socket: WebSocket, options: WebSocketLinkOptions) {
    const { carrier, clock } = options
    this.#socket = socket
    this.#options = options
    this.#gone = new Promise((resolve) => (this.#onGone = resolve))
    this.#pace = new Pace(socket)
    this.#writer = new FrameWriter(
      {
        send: (piece, last, done) => socket.send(piece, { binary: false, fin: last }, done),
        cork: () => carrier.cork(),
        uncork: () => carrier.uncork(),
      },
      {
        clock,
        stallMs: options.stallMs,
        onFailed: (error) => this.#onError(error),
        onStalled: () =>
          this.#giveUp(`has read nothing for ${options.stallMs} ms while messages waited`, {
            kind: 'stalled',
            ms: options.stallMs,
          }),
      },
    )
    this.#heart = startHeartbeat({
      clock,
      everyMs: options.heartbeatMs,
      deadlineMs: options.pongMs,
      received: () => carrier.bytesRead,
      held: () => this.#pace.holds,
      ask: () => socket.ping(),
      onDead: () =>
        this.#giveUp(`has not answered a ping for ${options.pongMs} ms`, {
          kind: 'no-pong',
          ms: options.pongMs,
        }),
    })
    this.#listen(socket)
    // Nothing is handed over before the caller holds the link.
    this.#pace.mind(new Promise((resolve) => void setImmediate(resolve)))
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
    // The farewell of the far side stands behind what it has written: held up, it would never be read.
    this.#pace.letGo()
    const bound = clock.after(closeMs, () => this.#socket.terminate())
    await this.#writer.drained()
    this.#socket.close(NORMAL)
    await this.#gone
    bound.cancel()
  }

  #listen(socket: WebSocket): void {
    const { port, facts } = this.#options
    // `nodebuffer` is the kind that the library hands over unless it is told otherwise.
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (this.#ended) return
      if (isBinary) this.#onBinary(data)
      else this.#pace.mind(port.text(data.toString('utf8'), facts))
    })
    socket.on('ping', () => this.#onControl())
    socket.on('pong', () => this.#onControl())
    socket.on('error', (error) => this.#onError(error))
    socket.on('close', (code, reason) => this.#onClose(code, reason.toString('utf8')))
  }

  #onBinary(data: Buffer): void {
    const { port, name } = this.#options
    port.note({
      kind: 'stray',
      // A copy: a part of it would keep all of it in memory.
      bytes: Uint8Array.from(data.subarray(0, EDGE_BYTES)),
      direction: 'in',
      data: { size: data.length, frame: 'binary' },
    })
    this.#refuse(
      UNSUPPORTED,
      `${this.#far()} sent a binary frame over "${name}"; messages are text.`,
    )
  }

  #onControl(): void {
    if (this.#ended) return
    const now = this.#options.clock.now()
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + CONTROL_WINDOW_MS
      this.#controls = 0
    }
    this.#controls += 1
    if (this.#controls <= MAX_CONTROL_FRAMES) return
    this.#refuse(
      POLICY,
      `${this.#far()} sent more than ${MAX_CONTROL_FRAMES} pings and pongs within ${CONTROL_WINDOW_MS} ms.`,
    )
  }

  /** Ends the link because of what the far side did, and says so to it. */
  #refuse(code: number, message: string): void {
    const { name } = this.#options
    this.#end(new TransportError('DP_TRANSPORT_CLOSED', message, { server: name }))
    this.#socket.close(code)
    this.#terminateLater()
  }

  /** The library has answered already, with the code that the fault has in RFC 6455. */
  #onError(error: Error): void {
    this.#cause ??= error
    if (this.#ended) return
    const { port, name } = this.#options
    if (isTooLong(error)) {
      port.note({ kind: 'too-large', direction: 'in', data: { limit: port.maxMessageBytes } })
    }
    this.#end(explainFault(error, { name, far: this.#far(), limit: port.maxMessageBytes }))
    this.#terminateLater()
  }

  #onClose(code: number, reason: string): void {
    const { name, end, port } = this.#options
    if (!this.#ended) {
      port.note({ kind: 'close-frame', data: { code, ...(reason === '' ? {} : { reason }) } })
      this.#end(explainClose(code, reason, { name, end, cause: this.#cause }))
    }
    this.#onGone()
  }

  /** Nothing can be said to a far side that takes nothing, or is not there. */
  #giveUp(what: string, detail: ErrorDetail): void {
    const { name } = this.#options
    this.#end(
      new TransportError('DP_TRANSPORT_STALLED', `${this.#far()} ${what}. Connect again.`, {
        server: name,
        detail,
      }),
    )
    this.#socket.terminate()
  }

  #terminateLater(): void {
    const { clock, closeMs } = this.#options
    const bound = clock.after(closeMs, () => this.#socket.terminate())
    void this.#gone.then(() => bound.cancel())
  }

  #far(): string {
    const { end, name } = this.#options
    return end === 'client' ? `The server at "${name}"` : `A client of "${name}"`
  }

  /** Tells the end, once; an end that was asked for here has no reason. */
  #end(reason?: TransportError): void {
    if (this.#ended) return
    this.#ended = true
    this.#heart.stop()
    this.#writer.stop()
    // Held up, the socket would never come to its own end.
    this.#pace.letGo()
    this.#options.port.closed(this.#closing === undefined ? reason : undefined)
  }
}
