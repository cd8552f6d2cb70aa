/**
 * The contract between a channel and what carries its text. Write a transport with these types alone.
 *
 * A link carries text and knows neither JSON nor methods. The one shape an implementer must mind is the
 * `Receipt`: one object may stand for many messages that left in one write.
 */

import type { Sent } from '../base/errors.ts'
import type { Chain, Facts, WireNote } from './wire.ts'

/** What the agreed revision allows on a link. Data, so that no transport compares revisions. */
export interface LinkTraits {
  /** A JSON array is a batch of messages. // RPC-11 */
  readonly batches: boolean
  readonly sessions: boolean
  readonly standaloneStream: boolean
  readonly resumable: boolean
}

/** One message on its way out. */
export interface Outbound {
  /** One line without a raw newline. */
  readonly text: string
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
   * What is handed over meanwhile is still taken, so a link may finish the chunk it holds.
   */
  text(text: string, facts?: Facts): void | Promise<void>
  unreadable(piece: Unreadable): void
  note(note: WireNote): void
  /** The far side is gone. Everything delivered before still counts; nothing may follow. Called once. */
  closed(reason?: Error): void
}

export interface Link {
  /** Every request has a stream of its own, as over HTTP. Default false. */
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
  /** Ends the link; settles when nothing of it is left. May be called more than once. */
  close(): Promise<void>
}

/** Opens a way to one far side. `open` rejects with a `TransportError` when there is none, and then leaves nothing behind. */
export interface Transport {
  /** For people: the command, the URL, `memory`. */
  readonly name: string
  /** How long the far side may take to start, where the carrier knows better than the default of 30 s. */
  readonly startTimeoutMs?: number
  open(port: LinkPort, signal?: AbortSignal): Promise<Link>
}
