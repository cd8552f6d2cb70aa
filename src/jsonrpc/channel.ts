/**
 * Text ⇄ messages, over one link. Limits and the wire tap live here, because nothing else sees both sides.
 *
 * It knows no ids, no methods and no revisions. Inbound frames are pulled, so nothing comes too early and
 * a reader that lags slows the carrier down instead of filling memory.
 */

import { AsyncQueue } from '../base/async-queue.ts'
import { systemClock, type Clock } from '../base/clock.ts'
import { TransportError } from '../base/errors.ts'
import { exceedsDepth, MAX_JSON_DEPTH, type JsonObject } from '../base/json.ts'
import { batchFault, BatchReply, owedTo } from './batch.ts'
import { refuseDuplicates } from './duplicate-keys.ts'
import { CLOSED } from './failure.ts'
import type {
  Link,
  LinkPort,
  LinkTraits,
  Outbound,
  Receipt,
  TextReading,
  Transport,
  Unreadable,
} from './link.ts'
import {
  INVALID_REQUEST,
  isRequestId,
  PARSE_ERROR,
  readMessage,
  type Malformed,
  type Reading,
  type RequestId,
} from './message.ts'
import { answeredBy, identifyRemains } from './oversize.ts'
import type { Chain, Direction, Facts, WireEvent, WireNote, WireSink } from './wire.ts'

/** Longest message accepted from a peer: 32 MiB. */
export const MAX_MESSAGE_BYTES: number = 32 * 1024 * 1024

export interface ChannelOptions {
  /** Hears everything on this wire. Default none. */
  readonly wire?: WireSink | undefined
  /** Default 32 MiB. A longer message is skipped and fails its own call. */
  readonly maxMessageBytes?: number | undefined
  /** Deepest JSON nesting accepted. Default 128. */
  readonly maxDepth?: number | undefined
  /** Frames held for a reader that lags before the link is asked to stop reading. Default 1,024. */
  readonly maxQueued?: number | undefined
  /** Bytes and messages that may wait for a slow carrier before `send` refuses. Defaults 16 MiB and 4,096. */
  readonly maxBacklogBytes?: number | undefined
  readonly maxBacklogMessages?: number | undefined
  readonly clock?: Clock | undefined
  readonly signal?: AbortSignal | undefined
}

/** One inbound message with what the carrier knew about it. */
export interface Frame {
  readonly reading: Reading | TooLarge | Failed
  /** Exact text; empty when it was too large to keep. */
  readonly text: string
  readonly facts: Facts | undefined
  /** Set inside a batch: hand it back with the answer. */
  readonly batch: BatchReply | undefined
}

/** A message that was skipped for its size. */
export interface TooLarge {
  readonly kind: 'too-large'
  readonly size: number
  readonly id: string | number | undefined
  /** Whether it looks like an answer to a request of ours. */
  readonly answer: boolean
}

/** A request of ours whose exchange failed below: no answer will come. */
export interface Failed {
  readonly kind: 'failed'
  readonly id: RequestId
  readonly error: Error
}

export interface SendOptions {
  readonly facts?: Facts | undefined
  readonly chain?: Chain | undefined
  readonly batch?: BatchReply | undefined
}

const USUAL_QUEUE = { limit: 1024 }
const SENT_LATER: Receipt = { sent: 'maybe' }
const NO_TRAITS: LinkTraits = {
  batches: false,
  sessions: false,
  standaloneStream: false,
  resumable: false,
  primesStreams: false,
  closingCancels: false,
  versionHeader: undefined,
}

let connections = 0

export class Channel {
  readonly transport: string
  /** Names this connection; unique within the process. */
  readonly connection: string
  readonly #inbound: AsyncQueue<Frame>
  readonly #wire: WireSink | undefined
  readonly #clock: Clock
  /** Wall time less monotonic time, at the opening: one reading of the clock a message is enough. Nobody asks without a wire. */
  readonly #wallOffset: number | undefined
  readonly #maxDepth: number
  readonly #maxBacklogBytes: number
  readonly #maxBacklogMessages: number
  #link: Link | undefined
  #traits: LinkTraits = NO_TRAITS
  #seq = 0
  #closed = false
  #told = false
  #reason: Error | undefined
  #closing: Promise<void> | undefined

  /** Opens the transport and gives a channel that is ready, or rejects with a `TransportError` and leaves nothing behind. */
  static async open(transport: Transport, options: ChannelOptions = {}): Promise<Channel> {
    const channel = new Channel(transport.name, options)
    channel.#emit('open')
    try {
      const port = new Channel.#Port(channel, options.maxMessageBytes ?? MAX_MESSAGE_BYTES)
      channel.#link = await transport.open(port, options.signal)
    } catch (error) {
      channel.#end(error instanceof Error ? error : undefined)
      channel.#tell()
      throw error
    }
    return channel
  }

  private constructor(transport: string, options: ChannelOptions) {
    connections += 1
    this.transport = transport
    this.connection = `c${connections}`
    this.#inbound = new AsyncQueue<Frame>(
      options.maxQueued === undefined ? USUAL_QUEUE : { limit: options.maxQueued },
    )
    this.#wire = options.wire
    this.#clock = options.clock ?? systemClock
    this.#wallOffset =
      options.wire === undefined ? undefined : this.#clock.wall() - this.#clock.now()
    this.#maxDepth = options.maxDepth ?? MAX_JSON_DEPTH
    this.#maxBacklogBytes = options.maxBacklogBytes ?? 16 * 1024 * 1024
    this.#maxBacklogMessages = options.maxBacklogMessages ?? 4096
  }

  /** Every frame in order; read once. Ends when the far side is gone: `reason` then says why. */
  get inbound(): AsyncIterable<Frame> {
    return this.#inbound
  }

  /** Waits until `poll` has a frame: false when the far side is gone and none will come. The leaner way to read. */
  ready(): boolean | Promise<boolean> {
    return this.#inbound.ready()
  }

  /** The next frame if there is one already: spares the reader of `inbound` a promise for each. */
  poll(): Frame | undefined {
    return this.#inbound.poll()
  }

  get closed(): boolean {
    return this.#closed
  }

  /** True where each request has a stream of its own, so that facts and headers of messages matter. */
  get perRequest(): boolean {
    return this.#link?.perRequest === true
  }

  /** Why the channel ended, if it ended with an error. */
  get reason(): Error | undefined {
    return this.#reason
  }

  /** True when answers pile up because the far side does not read them. */
  get congested(): boolean {
    const link = this.#link
    return (
      link !== undefined &&
      (link.backlogBytes > 256 * 1024 || link.backlogMessages > this.#maxBacklogMessages / 2)
    )
  }

  /** Settles when the carrier has taken everything, or is gone. */
  drained(): Promise<void> {
    return this.#link === undefined || this.#closed ? Promise.resolve() : this.#link.drained()
  }

  /**
   * Sends one message, as text. Throws `TransportError` when the channel is closed, or when too much waits for a carrier
   * that takes nothing (`DP_TRANSPORT_OVERLOADED`); then nothing was sent.
   */
  send(outbound: Outbound, batch?: BatchReply): Receipt {
    if (batch !== undefined) {
      const whole = batch.add(outbound.text)
      return whole === undefined ? SENT_LATER : this.send({ ...outbound, text: whole })
    }
    const link = this.#link
    if (link === undefined || this.#closed) throw this.#gone()
    if (
      link.backlogBytes > this.#maxBacklogBytes ||
      link.backlogMessages >= this.#maxBacklogMessages
    ) {
      throw new TransportError(
        'DP_TRANSPORT_OVERLOADED',
        `${this.transport} takes no more: ${link.backlogMessages} messages (${link.backlogBytes} bytes) wait to be sent. Wait for answers, or raise the backlog limit.`,
        {
          server: this.transport,
          sent: 'no',
          detail: { kind: 'backlog', messages: link.backlogMessages, bytes: link.backlogBytes },
        },
      )
    }
    if (this.#wire !== undefined) this.#tapText('out', outbound.text, undefined, outbound)
    return link.write(outbound)
  }

  /** Nobody waits for the answer to this request: true when closing its stream has told the far side so. // CANC-06 */
  abandon(id: RequestId): boolean {
    return this.#closed ? false : (this.#link?.abandon?.(id) ?? false)
  }

  /** The request that came with these facts gets no answer: what waits for it on the carrier can go. // CANC-02 */
  unanswered(id: RequestId, facts: Facts | undefined): void {
    if (!this.#closed) this.#link?.unanswered?.(id, facts)
  }

  /** Lets the sender of an inbound request fetch its answer later: true when its connection was ended. // HTTP-16 */
  pauseStream(facts: Facts | undefined, retryMs: number): boolean {
    return this.#closed ? false : (this.#link?.pauseStream?.(facts, retryMs) ?? false)
  }

  /** Puts a remark on the wire, e.g. an answer that came too late. */
  note(note: WireNote): void {
    if (this.#wire !== undefined) this.#emit('note', note)
  }

  /** Tells the link what the agreed revision allows. Once. */
  settle(traits: LinkTraits): void {
    this.#traits = traits
    this.#link?.settle?.(traits)
  }

  /** Ends the link and settles when nothing of it is left. May be called more than once. */
  close(reason?: Error): Promise<void> {
    this.#end(reason)
    this.#closing ??= this.#closeLink()
    return this.#closing
  }

  async #closeLink(): Promise<void> {
    try {
      await this.#link?.close()
    } finally {
      this.#tell()
    }
  }

  /** What its link may call; a class, since every connection has one. */
  static readonly #Port = class implements LinkPort {
    readonly maxMessageBytes: number
    readonly #channel: Channel

    constructor(channel: Channel, maxMessageBytes: number) {
      this.#channel = channel
      this.maxMessageBytes = maxMessageBytes
    }

    text(text: string, facts?: Facts, reading?: TextReading): void | Promise<void> {
      return this.#channel.#receive(text, facts, reading)
    }

    unreadable(piece: Unreadable): void | Promise<void> {
      return this.#channel.#unreadable(piece)
    }

    failed(id: RequestId, error: Error): void {
      this.#channel.#failed(id, error)
    }

    note(note: WireNote): void {
      this.#channel.note(note)
    }

    closed(reason?: Error): void {
      this.#channel.#end(reason)
      this.#channel.#tell()
    }
  }

  #failed(id: RequestId, error: Error): void {
    if (this.#closed) return
    const reading: Failed = { kind: 'failed', id, error }
    void this.#inbound.push({ reading, text: '', facts: undefined, batch: undefined })
  }

  #receive(
    text: string,
    facts: Facts | undefined,
    read: TextReading | undefined,
  ): void | Promise<void> {
    if (this.#told) return
    const reading = read ?? readText(text, this.#maxDepth)
    if (isBatch(reading)) return this.#receiveBatch(text, reading, facts)
    if (this.#wire !== undefined) this.#tapText('in', text, reading, { facts })
    if (this.#closed) return
    return this.#inbound.push({ reading, text, facts, batch: undefined })
  }

  #receiveBatch(
    text: string,
    values: readonly unknown[],
    facts: Facts | undefined,
  ): void | Promise<void> {
    if (this.#wire !== undefined) this.#tapText('in', text, undefined, { facts })
    if (this.#closed) return
    const fault = this.#traits.batches ? batchFault(values) : 'the agreed revision has no batches'
    if (fault !== undefined) {
      const reading: Malformed = {
        kind: 'malformed',
        code: INVALID_REQUEST,
        reason: fault,
        requirement: 'RPC-14',
      } // RPC-14
      return this.#inbound.push({ reading, text, facts, batch: undefined })
    }
    const readings = values.map(readMessage) // RPC-11
    const batch = new BatchReply(owedTo(readings))
    let full: void | Promise<void> = undefined
    for (const reading of readings) full = this.#inbound.push({ reading, text, facts, batch })
    return full
  }

  #unreadable(piece: Unreadable): void | Promise<void> {
    if (this.#closed) return
    if (piece.reason === 'not-utf8') {
      this.note({
        kind: 'not-utf8',
        bytes: piece.head,
        direction: 'in',
        data: { size: piece.size },
      })
      const shown = new TextDecoder().decode(piece.head) + new TextDecoder().decode(piece.tail)
      const reading = unread(shown, PARSE_ERROR, ['not UTF-8', 'RPC-02']) // RPC-02
      return this.#inbound.push({ reading, text: '', facts: undefined, batch: undefined })
    }
    const remains = identifyRemains(piece.head, piece.tail)
    const data: JsonObject = {
      size: piece.size,
      ...(isRequestId(remains.id) ? { id: remains.id } : {}),
    }
    this.note({ kind: 'too-large', bytes: piece.head, direction: 'in', data })
    const reading: TooLarge = {
      kind: 'too-large',
      size: piece.size,
      id: remains.id,
      answer: remains.answer,
    }
    return this.#inbound.push({ reading, text: '', facts: undefined, batch: undefined })
  }

  /** No more goes out or comes in; what came before is still handed out. */
  #end(reason: Error | undefined): void {
    if (this.#closed) return
    this.#closed = true
    this.#reason = reason
    this.#inbound.end()
  }

  /** The last event of the wire, when nothing of the link is left that could add to it. */
  #tell(): void {
    if (this.#told) return
    this.#emit('close', undefined, this.#reason)
    this.#told = true
  }

  #gone(): Error {
    if (this.#reason instanceof TransportError) {
      const { code, message, exitCode, signal, stderr, detail } = this.#reason
      return new TransportError(code as 'DP_TRANSPORT_CLOSED', message, {
        exitCode,
        signal,
        stderr,
        sent: 'no',
        cause: this.#reason,
        detail,
      })
    }
    return new TransportError(
      'DP_TRANSPORT_CLOSED',
      `The connection to ${this.transport} is closed.`,
      {
        server: this.transport,
        sent: 'no',
        cause: this.#reason,
        detail: CLOSED,
      },
    )
  }

  #tapText(
    direction: Direction,
    text: string,
    reading: Reading | undefined,
    options: Pick<Outbound, 'facts' | 'chain'>,
  ): void {
    if (this.#wire === undefined || this.#told) return
    const at = this.#clock.now()
    this.#wire({
      type: 'message',
      seq: this.#seq,
      connection: this.connection,
      transport: this.transport,
      at,
      wall: (this.#wallOffset ?? 0) + at,
      direction,
      text,
      reading,
      facts: options.facts,
      chain: options.chain,
    })
    this.#seq += 1
  }

  #emit(type: 'open' | 'note' | 'close', note?: WireNote, reason?: Error): void {
    if (this.#wire === undefined || this.#told) return
    const at = this.#clock.now()
    const stamp = {
      seq: this.#seq,
      connection: this.connection,
      transport: this.transport,
      at,
      wall: (this.#wallOffset ?? 0) + at,
    }
    let event: WireEvent
    if (type === 'note' && note !== undefined) event = { type: 'note', ...stamp, note }
    else if (type === 'close') event = { type: 'close', ...stamp, reason }
    else event = { type: 'open', ...stamp }
    this.#wire(event)
    this.#seq += 1
  }
}

/**
 * One text as a message, or the members of a batch; bounded in depth, without keys that stand twice, and never a throw.
 * For links that must look into what they carry; give the reading on to `LinkPort.text`.
 */
export function readText(text: string, maxDepth: number = MAX_JSON_DEPTH): TextReading {
  if (exceedsDepth(text, maxDepth)) {
    return unread(text, INVALID_REQUEST, [`nested deeper than ${maxDepth} levels`, 'RPC-01'])
  }
  let value: unknown
  // A parser that throws costs a hundred times what a look at the first character does, and stray text can be a flood.
  if (!JSON_BEGINS.test(text)) return unread(text, PARSE_ERROR, NOT_JSON)
  try {
    value = JSON.parse(text)
  } catch {
    return unread(text, PARSE_ERROR, NOT_JSON)
  }
  return refuseDuplicates(text, value) ?? (Array.isArray(value) ? value : readMessage(value))
}

const NOT_JSON = ['not JSON', 'STDIO-21'] as const // STDIO-21
const JSON_BEGINS = /^[\s{["\-0-9tfn]/

/** Whether a text held several messages. */
export function isBatch(reading: TextReading): reading is readonly unknown[] {
  return Array.isArray(reading)
}

/** Text that is no message; when it was to be an answer, with the id of what it was to answer. */
function unread(
  text: string,
  code: Malformed['code'],
  [reason, requirement]: readonly [string, string],
): Malformed {
  const id = answeredBy(text)
  const fault = { kind: 'malformed', code, reason, requirement } as const
  return id === undefined ? fault : { ...fault, id, answer: true }
}
