/**
 * A table of what waits under request ids, made for ids that count up and entries that come and go all the time.
 *
 * A `Map` would do, but each time one is filled and emptied its old storage goes on pointing at what it held, and the
 * collector keeps all of it alive for a while: that was a third of the cost of a call. Here an id has a slot that is
 * written over. Ids that find their slot taken, and those that are no numbers, go to a map.
 */

import type { RequestId } from './message.ts'

/** Few, since there is a table for each connection and most have one entry at a time. */
const FIRST_SLOTS = 8
const MOST_SLOTS = 4096

export class IdTable<Entry extends { readonly id: RequestId }> {
  #slots: (Entry | undefined)[] = []
  #others: Map<RequestId, Entry> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  get(id: RequestId): Entry | undefined {
    const slot = this.#slotOf(id)
    const entry = slot < 0 ? undefined : this.#slots[slot]
    // `1` and `"1"` are different ids. // RPC-06
    return entry?.id === id ? entry : this.#others?.get(id)
  }

  has(id: RequestId): boolean {
    return this.get(id) !== undefined
  }

  /** Adds an entry under its own id, which must not be there yet. */
  add(entry: Entry): void {
    if (this.#size >= this.#slots.length / 2) this.#grow()
    this.#put(entry)
    this.#size += 1
  }

  /** Takes an entry out and gives it back. */
  take(id: RequestId): Entry | undefined {
    const slot = this.#slotOf(id)
    const entry = slot < 0 ? undefined : this.#slots[slot]
    if (entry?.id === id) {
      this.#slots[slot] = undefined
      this.#size -= 1
      return entry
    }
    const other = this.#others?.get(id)
    if (other === undefined) return undefined
    this.#others?.delete(id)
    this.#size -= 1
    return other
  }

  /** Takes everything out. */
  clear(): void {
    this.#slots = []
    this.#others = undefined
    this.#size = 0
  }

  /** Every entry, in no certain order. */
  *[Symbol.iterator](): IterableIterator<Entry> {
    for (const entry of this.#slots) if (entry !== undefined) yield entry
    if (this.#others !== undefined) yield* this.#others.values()
  }

  /** -1 for an id that has none. */
  #slotOf(id: RequestId): number {
    return typeof id === 'number' && id >= 0 && id <= 0x7fffffff
      ? id & (this.#slots.length - 1)
      : -1
  }

  #put(entry: Entry): void {
    const slot = this.#slotOf(entry.id)
    if (slot >= 0 && this.#slots[slot] === undefined) this.#slots[slot] = entry
    else (this.#others ??= new Map<RequestId, Entry>()).set(entry.id, entry)
  }

  #grow(): void {
    if (this.#slots.length >= MOST_SLOTS) return
    const entries = [...this]
    const length = Math.max(FIRST_SLOTS, this.#slots.length * 2)
    const slots: (Entry | undefined)[] = []
    // One after the other: for the few of a new table that is a tenth of what `Array.from` takes.
    for (let slot = 0; slot < length; slot += 1) slots.push(undefined)
    this.#slots = slots
    this.#others = undefined
    for (const entry of entries) this.#put(entry)
  }
}
