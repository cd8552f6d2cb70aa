/**
 * Opens an event stream by GET, and opens it again where it broke off, until nobody needs it or it cannot be had.
 *
 * It serves the answer of a request whose first connection ended too early, and the stream that belongs to no request.
 */

import type { Clock, Random, Timer } from '../../base/clock.ts'
import { TransportError } from '../../base/errors.ts'
import { ByteHold } from '../../formats/byte-hold.ts'
import { showUtf8 } from '../../formats/utf8.ts'
import { backoffMs } from './backoff.ts'
import type { Caller } from './caller.ts'
import type { EventStream } from './event-stream.ts'
import type { HeaderLookup, HttpFlight, HttpRequest, HttpSink } from './exchange.ts'
import { mediaType, refusalError } from './refusal.ts'

export interface StreamKeeperOptions {
  readonly caller: Caller
  readonly clock: Clock
  readonly random: Random
  readonly stream: EventStream
  /** The GET as it is made at this moment, and whether it names a session. */
  request(): { readonly request: HttpRequest; readonly inSession: boolean }
  /** Asked when a connection has ended: whether the stream is still wanted. */
  wanted(): boolean
  /** It was not wanted any more when its connection ended. Called at most once. */
  onUnwanted?(): void
  /** The server refuses the stream with this status: whether to try again. */
  tryAgain(status: number): boolean
  /** There is no stream any more, and no further try. Called at most once. */
  onLost(error: Error): void
}

/** Wait before the first try when the server has not said how long, in ms. */
const FIRST_WAIT_MS = 1000
/** Tries in a row that bring nothing. */
const MAX_TRIES = 5
/** A connection that lasted so long was a good one, though nothing came by it. */
const GOOD_AFTER_MS = 10_000
/** Longest wait that timers of all platforms can hold. */
const MAX_WAIT_MS = 2 ** 31 - 1
const MAX_REFUSAL_BYTES = 64 * 1024

export class StreamKeeper implements HttpSink {
  readonly #options: StreamKeeperOptions
  #flight: HttpFlight | undefined
  #timer: Timer | undefined
  #tries = 0
  #stopped = false
  #openedAt = 0
  #status = 0
  #header: HeaderLookup = () => undefined
  #reading = false
  readonly #refusal = new ByteHold()
  #inSession = false

  constructor(options: StreamKeeperOptions) {
    this.#options = options
  }

  /** Opens the stream now. */
  open(): void {
    const { caller, stream } = this.#options
    const { request, inSession } = this.#options.request()
    const { lastEventId } = stream
    this.#reading = false
    this.#inSession = inSession
    const resumed = { ...request.headers, 'last-event-id': lastEventId ?? '' } // HTTP-26
    this.#flight = caller.call(
      lastEventId === undefined ? request : { ...request, headers: resumed },
      this,
    )
  }

  /** Opens the stream when it is time to, after a connection that broke off. */
  reopen(): void {
    const { clock, random, stream } = this.#options
    const base = stream.retryMs ?? FIRST_WAIT_MS
    const wait = Math.max(backoffMs(this.#tries, base, random), stream.retryMs ?? 0) // HTTP-17
    this.#tries += 1
    this.#timer = clock.after(Math.min(wait, MAX_WAIT_MS), () => this.open())
  }

  /** Ends the stream; nothing is called any more. */
  stop(): void {
    this.#stopped = true
    this.#timer?.cancel()
    this.#flight?.abort()
    this.#flight = undefined
  }

  head(status: number, header: HeaderLookup): void {
    const { clock, stream } = this.#options
    this.#status = status
    this.#header = header
    this.#reading = status === 200 && mediaType(header('content-type')) === 'text/event-stream'
    this.#refusal.take()
    this.#openedAt = clock.now()
    stream.heard = false
    if (this.#reading && this.#flight !== undefined) stream.attach(this.#flight)
    // Whatever page a success without a stream brings, nobody will read it.
    else if (status < 300) this.#refuse()
  }

  data(bytes: Uint8Array): void {
    if (this.#reading) return this.#options.stream.push(bytes)
    if (this.#refusal.size + bytes.length <= MAX_REFUSAL_BYTES) this.#refusal.add(bytes)
    else this.#refuse()
  }

  end(): void {
    if (this.#reading) this.#broken(undefined)
    else this.#refuse()
  }

  failed(error: Error): void {
    if (this.#reading) this.#broken(error)
    // Of a refusal that broke off the status is known, and that decides.
    else if (this.#status >= 300) this.#refuse()
    else this.#again(error)
  }

  #broken(error: Error | undefined): void {
    const { stream, clock } = this.#options
    stream.end()
    if (stream.heard || clock.now() - this.#openedAt >= GOOD_AFTER_MS) this.#tries = 0
    this.#again(error)
  }

  #refuse(): void {
    const { caller, clock } = this.#options
    this.#flight?.abort()
    const error = refusalError({
      name: caller.address.name,
      status: this.#status,
      header: this.#header,
      body: showUtf8(this.#refusal.take()),
      inSession: this.#inSession,
      wall: clock.wall(),
    })
    if (this.#options.tryAgain(this.#status)) this.#again(error)
    else this.#lose(error)
  }

  #again(error: Error | undefined): void {
    this.#flight = undefined
    this.#status = 0
    if (this.#stopped) return
    if (!this.#options.wanted()) {
      this.stop()
      return this.#options.onUnwanted?.()
    }
    if (this.#tries < MAX_TRIES) return this.reopen()
    const { name } = this.#options.caller.address
    const message = `The event stream of ${name} broke off and could not be taken up again in ${MAX_TRIES} tries.`
    this.#lose(
      new TransportError('DP_TRANSPORT_CLOSED', message, {
        server: name,
        sent: 'yes',
        cause: error,
        detail: { kind: 'stream-lost', address: name, tries: MAX_TRIES },
      }),
    )
  }

  #lose(error: Error): void {
    if (this.#stopped) return
    this.stop()
    this.#options.onLost(error)
  }
}
