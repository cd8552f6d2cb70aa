/**
 * The frames of one call: those that carry its ids, the answers to its requests, and what the far side said of them meanwhile.
 * Bounded in number and in text.
 */

import { exceedsDepth, isJsonObject, type JsonValue } from '../base/json.ts'
import type { Reading, RequestId } from '../jsonrpc/message.ts'
import { readingsOf, type Direction, type WireMessageEvent } from '../jsonrpc/wire.ts'

/** A message that crossed. */
export interface ChainFrame {
  /** Which try of the call it belongs to, from 1. */
  readonly attempt: number
  readonly direction: Direction
  /** The exact text. */
  readonly text: string
  readonly connection: string
  /** Name of the transport: the key of the server, where a host recorded it. */
  readonly transport: string
  /** Milliseconds since 1970, and monotonic ones. */
  readonly wall: number
  readonly at: number
  readonly kind: Reading['kind']
  /** Of a request or notification. */
  readonly method?: string
  /** Milliseconds since the request that it answers. */
  readonly ms?: number
}

const MAX_FRAMES = 1_000
const MAX_TEXT = 128 * 1024 * 1024
const MAX_OPEN = 1_000

interface OpenRequest {
  readonly at: number
  readonly attempt: number
}

export class CallFrames {
  readonly all: ChainFrame[] = []
  /** Requests that wait for their answer, by connection and id; the tokens of their progress stand beside them. */
  readonly #open = new Map<string, OpenRequest>()
  #attempt = 1
  #size = 0
  leftOut = 0

  /** Takes what has the ids of the call, and of all else what belongs to it. */
  push(event: WireMessageEvent): void {
    const { direction, connection, chain } = event
    const isOwn = chain?.call !== undefined
    if (isOwn) this.#attempt = chain.attempt ?? this.#attempt
    else if (direction === 'out' || this.#open.size === 0) return
    if (exceedsDepth(event.text)) return
    for (const reading of readingsOf(event)) {
      if (isOwn) this.#sent(reading, event)
      else this.#came(reading, event, connection)
    }
  }

  /** Nothing more comes on this connection. */
  forget(connection: string): void {
    for (const key of this.#open.keys())
      if (key.startsWith(keyOf(connection, ''))) this.#open.delete(key)
  }

  #sent(reading: Reading, event: WireMessageEvent): void {
    this.#add(reading, event, { attempt: this.#attempt })
    if (reading.kind !== 'request' || this.#open.size >= MAX_OPEN) return
    const { id, params } = reading.message
    const open = { at: event.at, attempt: this.#attempt }
    this.#open.set(idKey(event.connection, id), open)
    const meta = params?.['_meta']
    const token = isJsonObject(meta) ? meta['progressToken'] : undefined
    if (token !== undefined) this.#open.set(tokenKey(event.connection, token), open)
  }

  #came(reading: Reading, event: WireMessageEvent, connection: string): void {
    if (reading.kind === 'result' || reading.kind === 'error') {
      const { id } = reading.message
      const key = id === undefined || id === null ? '' : idKey(connection, id)
      const open = this.#open.get(key)
      if (open === undefined) return
      this.#open.delete(key)
      this.#add(reading, event, { attempt: open.attempt, ms: event.at - open.at })
    } else if (reading.kind === 'notification') {
      const token = reading.message.params?.['progressToken']
      const open = token === undefined ? undefined : this.#open.get(tokenKey(connection, token))
      if (open !== undefined) this.#add(reading, event, { attempt: open.attempt })
    }
  }

  #add(
    reading: Reading,
    event: WireMessageEvent,
    more: { readonly attempt: number; readonly ms?: number },
  ): void {
    const { direction, text, connection, transport, wall, at } = event
    const isWanted = this.all.length < MAX_FRAMES && this.#size + text.length <= MAX_TEXT
    // The answer is what all the others are for.
    if (!isWanted && (more.ms === undefined || this.#size + text.length > MAX_TEXT * 2)) {
      this.leftOut += 1
      return
    }
    this.#size += text.length
    const { kind } = reading
    const method =
      kind === 'request' || kind === 'notification' ? { method: reading.message.method } : {}
    this.all.push({ direction, text, connection, transport, wall, at, kind, ...method, ...more })
  }
}

function keyOf(connection: string, rest: string): string {
  return `${JSON.stringify(connection)} ${rest}`
}

/** IDs `1` and `"1"` are different ones. */
function idKey(connection: string, id: RequestId): string {
  return keyOf(connection, `id ${JSON.stringify(id)}`)
}

function tokenKey(connection: string, token: JsonValue): string {
  return keyOf(connection, `token ${JSON.stringify(token)}`)
}
