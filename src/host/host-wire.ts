/**
 * The host's own place on the wire: what it decides enters the same stream as the messages that follow from it, as notes
 * with the same chain of ids. It carries no message.
 */

import type { Clock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import type { Chain, WireNote, WireSink } from '../jsonrpc/wire.ts'

/** Hosts so far, to name their places. */
let hosts = 0

export class HostWire {
  readonly #sink: WireSink | undefined
  readonly #clock: Clock
  readonly #connection: string
  #seq = 0
  #closed = false

  constructor(sink: WireSink | undefined, clock: Clock) {
    this.#sink = sink
    this.#clock = clock
    hosts += 1
    this.#connection = `host-${hosts}`
    this.#emit({ type: 'open' })
  }

  /** Whether anyone hears a note. */
  get listens(): boolean {
    return this.#sink !== undefined && !this.#closed
  }

  /** Nothing secret: who was called, what was decided and why, hashes. */
  note(kind: string, data: JsonObject, chain?: Chain): void {
    const note: WireNote = { kind, data, ...(chain !== undefined && { chain }) }
    if (!this.#closed) this.#emit({ type: 'note', note })
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#emit({ type: 'close' })
  }

  #emit(
    event: { readonly type: 'open' | 'close' } | { readonly type: 'note'; readonly note: WireNote },
  ): void {
    if (this.#sink === undefined) return
    const stamp = {
      seq: this.#seq,
      connection: this.#connection,
      transport: 'host',
      at: this.#clock.now(),
      wall: this.#clock.wall(),
    }
    this.#seq += 1
    this.#sink({ ...stamp, ...event })
  }
}
