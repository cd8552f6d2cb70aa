/**
 * The messages of one event stream, across all the connections it comes by: ids, waiting times, and room for the reader.
 *
 * It reads bytes and knows nothing of requests. Who reopens a stream that broke is `stream-keeper.ts`.
 */

import { createSseReader, type SseEvent, type SseReader } from '../../formats/sse.ts'
import type { LinkPort } from '../../jsonrpc/link.ts'
import type { HttpFlight } from './exchange.ts'

export interface EventStreamOptions {
  readonly port: LinkPort
  /** One message. A returned promise means "full". */
  onText(text: string): void | Promise<void>
  /** A message that could not be read, before the port hears of it. */
  onUnreadable?(head: Uint8Array, tail: Uint8Array): void
  /** An event with a name of its own; true when it was for somebody. */
  onNamed?(event: SseEvent): boolean
}

/** Longer ids are not sent back. */
const MAX_EVENT_ID_BYTES = 1024
/** How much of an event that is nobody's stands in the note about it. */
const NOTED = 1000

export class EventStream {
  /** How long the server wants us to wait before we connect again, once it has said so. // HTTP-17 */
  retryMs: number | undefined
  /** Any sign of life since this was last set to false. */
  heard = false
  readonly #options: EventStreamOptions
  readonly #reader: SseReader
  #flight: HttpFlight | undefined
  #full = 0

  constructor(options: EventStreamOptions) {
    this.#options = options
    const { port } = options
    this.#reader = createSseReader({
      maxEventBytes: port.maxMessageBytes,
      onEvent: (event) => this.#take(event),
      onRetry: (ms) => {
        this.retryMs = ms
      },
      onUnreadable: ({ reason, size, head, tail }) => {
        options.onUnreadable?.(head, tail)
        // A stream over HTTP is bounded by its request and waits for nothing.
        void port.unreadable({ reason, size, head, tail })
      },
    })
  }

  /**
   * The last event's id as a header may hold it; undefined when there is none to resume from. // HTTP-26
   */
  get lastEventId(): string | undefined {
    return headerOfId(this.#reader.lastEventId)
  }

  /** The flight that the next bytes come by: it is paused while the reader is full. */
  attach(flight: HttpFlight): void {
    this.#flight = flight
    if (this.#full > 0) flight.pause()
  }

  push(bytes: Uint8Array): void {
    this.heard = true
    this.#reader.push(bytes)
  }

  /** The connection has ended; the stream may go on by another. */
  end(): void {
    this.#flight = undefined
    this.#reader.end()
  }

  #take(event: SseEvent): void {
    const { port } = this.#options
    if (event.event !== 'message') {
      if (this.#options.onNamed?.(event) === true) return
      const data = { event: event.event.slice(0, NOTED) }
      return port.note({
        kind: 'sse-event',
        direction: 'in',
        text: event.data.slice(0, NOTED),
        data,
      })
    }
    const full = this.#options.onText(event.data)
    if (full === undefined) return
    if (this.#full === 0) this.#flight?.pause()
    this.#full += 1
    const release = (): void => {
      this.#full -= 1
      if (this.#full === 0) this.#flight?.resume()
    }
    full.then(release, release)
  }
}

/** An id goes back as the bytes it came as. One that no header can hold cannot be resumed from. */
function headerOfId(id: string): string | undefined {
  if (id === '') return undefined
  let header = ''
  for (const byte of new TextEncoder().encode(id)) {
    if (byte < 0x20 || byte === 0x7f || header.length >= MAX_EVENT_ID_BYTES) return undefined
    header += String.fromCharCode(byte)
  }
  return header
}
