/**
 * What the wire tap hands out: one ordered stream of events per connection, with the text exactly as it crossed.
 *
 * The channel is the only place that emits these. A sink must not throw and cannot change what passes.
 */

import type { JsonObject } from '../base/json.ts'
import { readMessage, type Reading } from './message.ts'

export type Direction = 'in' | 'out'

/** Ids that tie a frame to what caused it, from the model's words down to one attempt. */
export interface Chain {
  readonly run?: string
  readonly turn?: string
  readonly call?: string
  readonly attempt?: number
}

/** Who a carrier made sure that it talks to. Made by whoever checks credentials; holds none itself. */
export interface AuthFacts {
  /** Names the caller: sessions, tasks and sealed state are bound to it. */
  readonly principal: string
  readonly scopes?: readonly string[]
  readonly clientId?: string
  /** Further claims, for the tools that want them. */
  readonly claims?: JsonObject
}

/** What a carrier knows beside the text. Open, and never secret. */
export interface Facts {
  /** Which stream of the link a message came by. Give it back with what belongs to the same request. */
  readonly exchange?: string
  /** HTTP headers that mirror the message, by lower-case name. Never credentials, never a session id. */
  readonly headers?: Readonly<Record<string, string>>
  /** An HTTP status: that of an answer that came, or the one to give. */
  readonly status?: number
  readonly auth?: AuthFacts
  readonly [name: string]: unknown
}

/** Something that happened on or beside the wire and is no message. */
export interface WireNote {
  /**
   * `stderr` a line of the process, `stray` text that is no message, `spawn`, `exit`, `late`, `unknown-id`, `duplicate`,
   * `too-large`, `not-utf8`, `timeout`, `stop`, or a name of an upper layer.
   */
  readonly kind: string
  /** Exact text where there is some; peer text, escape it before showing it. */
  readonly text?: string
  /** Exact bytes where they are not UTF-8. */
  readonly bytes?: Uint8Array
  readonly data?: JsonObject
  readonly direction?: Direction
  readonly chain?: Chain
}

interface WireEventBase {
  /** Counts up by one within a connection, from 0. */
  readonly seq: number
  /** Names the connection; unique within the process. */
  readonly connection: string
  /** Name of the transport, e.g. the command. */
  readonly transport: string
  /** Monotonic milliseconds. */
  readonly at: number
  /** Milliseconds since 1970: those of the opening plus what the monotonic clock has counted since. */
  readonly wall: number
}

export interface WireMessageEvent extends WireEventBase {
  readonly type: 'message'
  readonly direction: Direction
  /** The text that crossed, without its line end. */
  readonly text: string
  /** What an inbound text was read as. Left out on the way out and for a batch: `readingsOf` gives them for any event. */
  readonly reading?: Reading | undefined
  readonly facts?: Facts | undefined
  readonly chain?: Chain | undefined
}

export interface WireNoteEvent extends WireEventBase {
  readonly type: 'note'
  readonly note: WireNote
}

export interface WireOpenEvent extends WireEventBase {
  readonly type: 'open'
}

export interface WireCloseEvent extends WireEventBase {
  readonly type: 'close'
  readonly reason?: Error | undefined
}

export type WireEvent = WireMessageEvent | WireNoteEvent | WireOpenEvent | WireCloseEvent

/** Listens to a wire. Called synchronously, in order; with no sink the cost is one comparison a message. */
export type WireSink = (event: WireEvent) => void

/** One sink that feeds several, in the order given. */
export function joinSinks(...sinks: readonly (WireSink | undefined)[]): WireSink | undefined {
  const present = sinks.filter((sink) => sink !== undefined)
  if (present.length <= 1) return present[0]
  return (event) => {
    for (const sink of present) sink(event)
  }
}

/** The messages of an event: one, or those of a batch; none when the text is not JSON. */
export function readingsOf(event: WireMessageEvent): readonly Reading[] {
  if (event.reading !== undefined) return [event.reading]
  let value: unknown
  try {
    value = JSON.parse(event.text)
  } catch {
    return [] // stray text: the note beside it says so
  }
  return Array.isArray(value) ? value.map(readMessage) : [readMessage(value)]
}
