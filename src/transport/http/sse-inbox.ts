/**
 * The event stream of the old transport: opened by GET, it begins with the address to post to and then brings every
 * message of the server. // HSSE-02
 */

import type { Clock, Timer } from '../../base/clock.ts'
import { asError, CancelledError, HttpError, TimeoutError } from '../../base/errors.ts'
import { ByteHold } from '../../formats/byte-hold.ts'
import type { SseEvent } from '../../formats/sse.ts'
import { showUtf8 } from '../../formats/utf8.ts'
import type { LinkPort } from '../../jsonrpc/link.ts'
import { sameOrigin } from './address.ts'
import type { Caller } from './caller.ts'
import { EventStream } from './event-stream.ts'
import type { HeaderLookup, HttpFlight, HttpSink } from './exchange.ts'
import { errorIn, mediaType, refusalError } from './refusal.ts'

export interface SseInboxOptions {
  readonly caller: Caller
  readonly port: LinkPort
  readonly clock: Clock
}

/** How long the server may take until it says where to post, in ms. */
const START_MS = 30_000
const MAX_REFUSAL_BYTES = 64 * 1024

type Opened = (endpoint: string | Error) => void

export class SseInbox implements HttpSink {
  readonly #options: SseInboxOptions
  readonly #stream: EventStream
  #flight: HttpFlight | undefined
  #opened: Opened | undefined
  #status = 0
  #header: HeaderLookup = () => undefined
  #reading = false
  readonly #refusal = new ByteHold()
  #ended = false
  #reason: Error | undefined
  #onEnd: ((error: Error | undefined) => void) | undefined

  constructor(options: SseInboxOptions) {
    const { port } = options
    this.#options = options
    this.#stream = new EventStream({
      port,
      onText: (text) => port.text(text, { exchange: 'sse', status: 200 }),
      onNamed: (event) => this.#named(event),
    })
  }

  /** The address to post to. Rejects when there is no stream, when it does not say, or when `signal` aborts. */
  async open(signal: AbortSignal | undefined): Promise<string> {
    const { caller, clock } = this.#options
    const { name, url } = caller.address
    let timer: Timer | undefined
    let abort = ignore
    try {
      return await new Promise<string>((resolve, reject) => {
        this.#opened = (endpoint) => {
          if (typeof endpoint === 'string') resolve(endpoint)
          else reject(endpoint)
        }
        timer = clock.after(START_MS, () => reject(noEndpoint(name)))
        abort = () => reject(givenUp(name, signal?.reason))
        signal?.addEventListener('abort', abort, { once: true })
        const headers = { accept: 'text/event-stream' }
        this.#flight = caller.call({ method: 'GET', url, headers }, this) // HSSE-01
      })
    } catch (error) {
      this.close()
      throw error
    } finally {
      timer?.cancel()
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Hears once that the stream has ended by itself, also when that was before. */
  onEnd(heard: (error: Error | undefined) => void): void {
    if (this.#ended) heard(this.#reason)
    else this.#onEnd = heard
  }

  /** Ends the stream; nothing is told. */
  close(): void {
    this.#ended = true
    this.#onEnd = undefined
    this.#flight?.abort()
  }

  head(status: number, header: HeaderLookup): void {
    this.#status = status
    this.#header = header
    this.#reading = status === 200 && mediaType(header('content-type')) === 'text/event-stream'
    if (this.#reading && this.#flight !== undefined) this.#stream.attach(this.#flight)
  }

  data(bytes: Uint8Array): void {
    if (this.#reading) return this.#stream.push(bytes)
    if (this.#refusal.size + bytes.length <= MAX_REFUSAL_BYTES) this.#refusal.add(bytes)
    else this.#refuse()
  }

  end(): void {
    if (this.#reading) this.#end(undefined)
    else this.#refuse()
  }

  failed(error: Error): void {
    if (this.#status === 0 || this.#reading) this.#end(error)
    else this.#refuse()
  }

  /** Where to post; a second one is nobody's. // HSSE-08 */
  #named({ event, data }: SseEvent): boolean {
    if (event !== 'endpoint' || this.#opened === undefined) return false
    const { url, name } = this.#options.caller.address
    try {
      this.#tell(sameOrigin(url, data, `The "endpoint" event of ${name}`))
    } catch (error) {
      this.#tell(asError(error))
    }
    return true
  }

  #refuse(): void {
    const { caller, clock } = this.#options
    const { name } = caller.address
    const status = this.#status
    const body = showUtf8(this.#refusal.take())
    const header = this.#header
    const said = errorIn(body)
    const wall = clock.wall()
    this.#flight?.abort()
    this.#end(refusalError({ name, status, header, body, said, inSession: false, wall }))
  }

  #end(error: Error | undefined): void {
    this.#stream.end()
    if (this.#opened !== undefined) return this.#tell(error ?? this.#silentEnd())
    if (this.#ended) return
    this.#ended = true
    this.#reason = error
    this.#onEnd?.(error)
  }

  #tell(endpoint: string | Error): void {
    const opened = this.#opened
    this.#opened = undefined
    opened?.(endpoint)
  }

  #silentEnd(): HttpError {
    const { name } = this.#options.caller.address
    const message = `${name} ended its event stream before it said where to post.`
    const contentType = this.#header('content-type')
    return new HttpError('DP_TRANSPORT_HTTP', message, {
      status: this.#status,
      contentType,
      sent: 'yes',
      detail: { kind: 'no-post-address', address: name },
    })
  }
}

function noEndpoint(name: string): TimeoutError {
  const message = `${name} did not say within ${START_MS} ms where to post.`
  return new TimeoutError(message, {
    timer: 'start',
    ms: START_MS,
    setBy: 'default',
    server: name,
    detail: { kind: 'no-post-address', address: name },
  })
}

function givenUp(name: string, reason: unknown): CancelledError {
  return new CancelledError(`Connecting to ${name} was cancelled.`, { server: name, reason })
}

function ignore(): void {}
