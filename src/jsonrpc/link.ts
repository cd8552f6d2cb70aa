/**
 * The contract between a channel and what carries its text. Write a transport with these types alone.
 *
 * A link carries text and knows neither JSON nor methods. The one shape an implementer must mind is the
 * `Receipt`: one object may stand for many messages that left in one write.
 */

import type { Sent } from '../base/errors.ts'
import type { Reading, RequestId } from './message.ts'
import type { Chain, Facts, WireNote } from './wire.ts'

/** What the agreed revision allows on a link. Data, so that no transport compares revisions. */
export interface LinkTraits {
  /** A JSON array is a batch of messages. // RPC-11 */
  readonly batches: boolean
  /** The far side may open a session and name it by an id, which then goes with every message. // HTTP-29 */
  readonly sessions: boolean
  /** Messages that belong to no request have a stream of their own. // HTTP-20 */
  readonly standaloneStream: boolean
  /** A broken stream may be taken up again where it was left. // HTTP-26 */
  readonly resumable: boolean
  /** A stream begins with an event that carries an id and no message, so that it can be resumed from its start. // HTTP-15 */
  readonly primesStreams: boolean
  /** To close the stream of a request is to cancel it: no notice is sent. // CANC-06, HTTP-81 */
  readonly closingCancels: boolean
  /** What messages after the opening say in `MCP-Protocol-Version`; undefined where there is no such header yet. // HTTP-35 */
  readonly versionHeader: string | undefined
}

/** One message on its way out. */
export interface Outbound {
  /** One line without a raw newline. */
  readonly text: string
  /** What the text is. Links that have one stream for everything need not look. Default `notification`. */
  readonly kind?: 'request' | 'notification' | 'answer' | undefined
  /** The request that the text is, or answers. */
  readonly id?: RequestId | undefined
  /** For an answer, and what else belongs to an inbound request: the facts that came with it. */
  readonly facts?: Facts | undefined
  readonly chain?: Chain | undefined
}

/** Tells what became of a write, at any later moment. Shared by all messages of one joined write. */
export interface Receipt {
  readonly sent: Sent
}

/** A stretch of inbound bytes that could not become text. */
export interface Unreadable {
  readonly reason: 'not-utf8' | 'too-large'
  /** All bytes of the stretch, its line end not counted. */
  readonly size: number
  /** Its first bytes, at most 64 KiB. */
  readonly head: Uint8Array
  /** Its last bytes, at most 64 KiB; empty when the head is all of it. */
  readonly tail: Uint8Array
}

/** The channel, as a link sees it. */
export interface LinkPort {
  /** Longest message to accept, in bytes. */
  readonly maxMessageBytes: number
  /**
   * One inbound message. A returned promise means "full": stop reading until it settles.
   * What is handed over meanwhile is still taken, so a link may finish the chunk it holds. A link that had to look into
   * the text gives what `readText` made of it, so that it is parsed once.
   */
  text(text: string, facts?: Facts, reading?: TextReading): void | Promise<void>
  /** One stretch that is no text; a returned promise means the same as that of `text`. */
  unreadable(piece: Unreadable): void | Promise<void>
  /** One request of ours gets no answer, because the exchange that carried it failed. The link itself goes on. */
  failed(id: RequestId, reason: Error): void
  note(note: WireNote): void
  /** The far side is gone. Everything delivered before still counts; nothing may follow. Called once. */
  closed(reason?: Error): void
}

/** What one text was read as; an array is a batch whose members are not read yet. */
export type TextReading = Reading | readonly unknown[]

export interface Link {
  /** Every request has a stream of its own, as over HTTP: facts and headers of messages matter. Default false. */
  readonly perRequest?: boolean
  /** Messages accepted by `write` and not yet taken by the carrier. */
  readonly backlogMessages: number
  /** Their bytes, or an estimate of them. */
  readonly backlogBytes: number
  /** Never throws: a failed write is told by the receipt and then by `port.closed`. */
  write(outbound: Outbound): Receipt
  /** Settles when the backlog is empty, or the link is gone. */
  drained(): Promise<void>
  /** Called once, when a revision is agreed. */
  settle?(traits: LinkTraits): void
  /**
   * Nobody waits for the answer to this request any more: its stream can go. True when the far side learns of it by that,
   * so that it needs no notice. Absent where requests have no streams of their own.
   */
  abandon?(id: RequestId): boolean
  /** The inbound request that came with these facts gets no answer: whoever waits for it need not. */
  unanswered?(id: RequestId, facts: Facts | undefined): void
  /**
   * Ends the connection that waits for the answer to an inbound request, and asks its sender to fetch the answer after so
   * many ms. False, and nothing happens, where the agreed revision has no way to take a stream up again. // HTTP-16
   */
  pauseStream?(facts: Facts | undefined, retryMs: number): boolean
  /** Ends the link; settles when nothing of it is left. May be called more than once. */
  close(): Promise<void>
}

/** Opens a way to one far side. `open` rejects with a `TransportError` when there is none, and then leaves nothing behind. */
export interface Transport {
  /** For people: the command, the URL, `memory`. */
  readonly name: string
  /** How long the far side may take to start, where the carrier knows better than the default of 30 s. */
  readonly startTimeoutMs?: number
  /** Another way to the same server, for when it refuses the opening move on this one. // VERS-17 */
  readonly fallback?: Transport
  /** It may be opened again after its link was lost, and reaches the same server. Default false. */
  readonly reopens?: boolean
  open(port: LinkPort, signal?: AbortSignal): Promise<Link>
}
