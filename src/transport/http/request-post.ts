/**
 * One request as a POST of its own, until its answer has come: as JSON, on an event stream, or on the streams that
 * take that one up again. // HTTP-06, HTTP-11
 *
 * Whatever happens, the request ends: by a message that answers it, or by `port.failed`.
 */

import type { Clock, Random } from '../../base/clock.ts'
import { HttpError, type Sent } from '../../base/errors.ts'
import { ByteHold } from '../../formats/byte-hold.ts'
import { decodeUtf8, showUtf8 } from '../../formats/utf8.ts'
import { readText } from '../../jsonrpc/channel.ts'
import type { LinkPort, Outbound, Receipt, TextReading } from '../../jsonrpc/link.ts'
import { METHOD_NOT_FOUND, type ErrorObject, type RequestId } from '../../jsonrpc/message.ts'
import { identifyRemains } from '../../jsonrpc/oversize.ts'
import type { Facts, WireNote } from '../../jsonrpc/wire.ts'
import {
  answers,
  brokeOff,
  errorOf,
  isMessage,
  noAnswer,
  notUtf8,
  tooLarge,
} from './answer-reading.ts'
import type { Caller } from './caller.ts'
import { EventStream } from './event-stream.ts'
import type { HeaderLookup, HttpFlight, HttpRequest, HttpSink } from './exchange.ts'
import { mediaType, refusalError } from './refusal.ts'
import { StreamKeeper } from './stream-keeper.ts'

/** A request, and whether it names a session. */
export interface Prepared {
  readonly request: HttpRequest
  readonly inSession: boolean
}

/** The link, as one of its requests sees it. */
export interface RequestOwner {
  readonly port: LinkPort
  readonly caller: Caller
  readonly clock: Clock
  readonly random: Random
  /** Whether one text may hold several messages. */
  readonly batches: boolean
  /** Whether a broken stream may be taken up again. // HTTP-26, HTTP-82 */
  readonly resumes: boolean
  /** A GET as it is made at this moment. */
  streamRequest(): Prepared
  /** A head has come; it may name a session. */
  onHead(post: RequestPost, status: number, header: HeaderLookup): void
  /** The request was taken whole, or will never be. Called once. */
  onLeft(post: RequestPost): void
  /** It is answered or has failed: nobody waits any more. `open` while its stream has not ended yet. Called once. */
  onSettled(post: RequestPost, open: boolean): void
  /** Its stream has ended. Called once, after `onSettled`. */
  onEnded(post: RequestPost): void
  /** The server does not know the session that the request named. */
  onSessionLost(): void
}

/** What the body of the answer is read as. */
type Mode = 'nothing' | 'json' | 'events' | 'refusal'

/** What is kept of a refusal that is no JSON. */
const MAX_REFUSAL_BYTES = 64 * 1024
/** What is kept of bytes that are no text, for the note about them. */
const NOTED_BYTES = 64 * 1024
const BYTE_ORDER_MARK = 0xfeff

export class RequestPost implements Receipt, HttpSink {
  sent: Sent = 'no'
  readonly id: RequestId
  readonly outbound: Outbound
  readonly #owner: RequestOwner
  #facts: Facts | undefined
  #flight: HttpFlight | undefined
  #mode: Mode = 'nothing'
  #status = 0
  #header: HeaderLookup | undefined
  #inSession = false
  #type = ''
  /** A body that comes in one piece is kept as it is; of more than one the first is in `#body` too. */
  #only: Uint8Array | undefined
  #body: ByteHold | undefined
  #stream: EventStream | undefined
  #keeper: StreamKeeper | undefined
  #left = false
  #settled = false
  #ended = false

  constructor(owner: RequestOwner, id: RequestId, outbound: Outbound) {
    this.#owner = owner
    this.id = id
    this.outbound = outbound
  }

  start({ request, inSession }: Prepared): void {
    this.#inSession = inSession
    this.#flight = this.#owner.caller.call(request, this)
  }

  /** Ends it at once; nothing is told but that it has left. */
  stop(): void {
    this.#settled = true
    this.#ended = true
    this.#keeper?.stop()
    this.#flight?.abort()
    this.#leave()
  }

  /** Ends it with an error, if it has not ended. */
  fail(error: Error): void {
    if (!this.#settled) this.#owner.port.failed(this.id, error)
    this.#settle(false)
    this.#keeper?.stop()
    this.#flight?.abort()
    this.#end()
  }

  sending(): void {
    if (this.sent === 'no') this.sent = 'maybe'
  }

  left(): void {
    this.#leave()
  }

  head(status: number, header: HeaderLookup): void {
    this.sent = 'yes'
    this.#leave()
    this.#status = status
    this.#header = header
    this.#owner.onHead(this, status, header)
    const type = mediaType(header('content-type'))
    this.#type = type
    if (status < 200 || status >= 300) this.#mode = 'refusal'
    else if (type === 'text/event-stream') this.#openStream()
    else this.#mode = type === 'application/json' || type === '' ? 'json' : 'refusal'
  }

  data(bytes: Uint8Array): void {
    if (this.#mode === 'events') return this.#stream?.push(bytes)
    const most = this.#mostBytes()
    const size = (this.#body?.size ?? this.#only?.length ?? 0) + bytes.length
    if (size <= most) return this.#keep(bytes)
    if (this.#mode === 'json') {
      this.#note({ kind: 'too-large', data: { id: this.id, size } })
      return this.fail(tooLarge(this.#name, most))
    }
    this.#keep(bytes.subarray(0, most + bytes.length - size))
    this.#takeRefusal()
  }

  end(): void {
    if (this.#mode === 'events') this.#streamEnded(undefined)
    else if (this.#mode === 'json') this.#takeJson()
    else this.#takeRefusal()
  }

  failed(error: Error): void {
    if (this.#mode === 'events') this.#streamEnded(error)
    // A refusal that breaks off is one all the same.
    else if (this.#mode === 'refusal') this.#takeRefusal()
    else this.fail(error)
  }

  get #name(): string {
    return this.#owner.caller.address.name
  }

  #mostBytes(): number {
    const { maxMessageBytes } = this.#owner.port
    const json = this.#mode === 'json' || this.#type === 'application/json'
    return json ? maxMessageBytes : Math.min(maxMessageBytes, MAX_REFUSAL_BYTES)
  }

  #keep(bytes: Uint8Array): void {
    if (this.#only === undefined) this.#only = bytes
    else {
      if (this.#body === undefined) {
        this.#body = new ByteHold()
        this.#body.add(this.#only)
      }
      this.#body.add(bytes)
    }
  }

  /** The whole body; nothing is kept afterwards. */
  #bytes(): Uint8Array | undefined {
    const bytes = this.#body?.take() ?? this.#only
    this.#only = undefined
    return bytes
  }

  /** The whole answer as one JSON text. // HTTP-10 */
  #takeJson(): void {
    const bytes = this.#bytes()
    if (bytes === undefined || bytes.length === 0) return this.#refuse('', undefined)
    const decoded = decodeUtf8(bytes)
    if (decoded === undefined) {
      const head = new Uint8Array(bytes.subarray(0, NOTED_BYTES))
      this.#note({ kind: 'not-utf8', bytes: head, data: { size: bytes.length } })
      return this.fail(notUtf8(this.#name, this.id))
    }
    const text = decoded.charCodeAt(0) === BYTE_ORDER_MARK ? decoded.slice(1) : decoded
    const reading = readText(text)
    if (this.#type === '' && !isMessage(reading)) return this.#refuse(text, undefined)
    void this.#take(text, reading)
    if (this.#settled) this.#end()
    else this.fail(noAnswer(this.#name, this.id, { reading, text }))
  }

  /** Any other status, or a body of another kind. A message in it counts as one. // ERR-14, VERS-15 */
  #takeRefusal(): void {
    const bytes = this.#bytes()
    const text = bytes === undefined ? '' : showUtf8(bytes)
    const reading = text.trimStart().startsWith('{') ? readText(text) : undefined
    const message = reading !== undefined && isMessage(reading) ? reading : undefined
    if (message !== undefined && this.#status >= 300 && !this.#overrules(message))
      void this.#take(text, message)
    if (this.#settled) this.#end()
    else this.#refuse(text, message === undefined ? undefined : errorOf(message))
  }

  /** Whether the status says more than the message beside it: who asks is not known, or the session is gone. */
  #overrules(message: TextReading): boolean {
    if (this.#status === 401) return true // VERS-23
    if (this.#status === 403) return this.#header?.('www-authenticate') !== undefined
    if (this.#status !== 404 || !this.#inSession) return false
    return errorOf(message)?.code !== METHOD_NOT_FOUND // HTTP-32
  }

  #refuse(body: string, said: ErrorObject | undefined): void {
    const { clock } = this.#owner
    const [status, inSession] = [this.#status, this.#inSession]
    this.#note({ kind: 'refused', text: body.slice(0, 2000), data: { id: this.id, status } })
    const header = this.#header ?? (() => undefined)
    const wall = clock.wall()
    const error = refusalError({ name: this.#name, status, header, body, said, inSession, wall })
    if (error.code === 'DP_TRANSPORT_SESSION') this.#owner.onSessionLost()
    this.fail(error)
  }

  #openStream(): void {
    this.#mode = 'events'
    this.#stream = new EventStream({
      port: this.#owner.port,
      onText: (text) => this.#take(text, readText(text)),
      onUnreadable: (head, tail) => {
        const { id, answer } = identifyRemains(head, tail)
        if (answer && id === this.id) this.#settle(true)
      },
    })
    if (this.#flight !== undefined) this.#stream.attach(this.#flight)
  }

  #take(text: string, reading: TextReading): void | Promise<void> {
    const { port, batches } = this.#owner
    this.#facts ??= { exchange: exchangeName(this.id), status: this.#status }
    const answered = answers(reading, this.id, batches)
    const full = port.text(text, this.#facts, reading)
    if (answered) this.#settle(this.#mode === 'events')
    return full
  }

  /** The connection of the event stream has ended. */
  #streamEnded(error: Error | undefined): void {
    const stream = this.#stream
    stream?.end()
    if (this.#settled) return this.#end()
    if (stream?.lastEventId === undefined || !this.#owner.resumes)
      return this.fail(brokeOff(this.#name, error))
    this.#resume(stream)
  }

  /** Takes the stream up again where it was left. // HTTP-16, HTTP-26 */
  #resume(stream: EventStream): void {
    const { caller, clock, random } = this.#owner
    this.#flight = undefined
    this.#note({ kind: 'resuming', data: { id: this.id } })
    this.#keeper = new StreamKeeper({
      caller,
      clock,
      random,
      stream,
      request: () => this.#owner.streamRequest(),
      wanted: () => !this.#settled,
      onUnwanted: () => this.#end(),
      tryAgain: (status) => status >= 500 || status === 429,
      onLost: (error) => {
        if (error instanceof HttpError && error.code === 'DP_TRANSPORT_SESSION')
          this.#owner.onSessionLost()
        this.fail(error)
      },
    })
    this.#keeper.reopen()
  }

  /** Nobody waits for this request any more; its stream may be `open` still. */
  #settle(open: boolean): void {
    if (this.#settled) return
    this.#settled = true
    this.#leave()
    this.#owner.onSettled(this, open)
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#flight = undefined
    this.#owner.onEnded(this)
  }

  #leave(): void {
    if (this.#left) return
    this.#left = true
    this.#owner.onLeft(this)
  }

  #note(note: WireNote): void {
    this.#owner.port.note({ ...note, direction: 'in' })
  }
}

/** Names the stream of one request in captures. */
function exchangeName(id: RequestId): string {
  return `post ${id}`
}
