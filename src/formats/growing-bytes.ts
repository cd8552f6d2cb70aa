/**
 * Bytes in memory that grows in place and is given back the moment it is freed.
 *
 * The collector learns late of memory outside of its heap: the pieces of a few long messages and their joins may be all
 * there at once. This is asked for once, filled as bytes come, and gone when their text is there.
 */

/** An `ArrayBuffer` as ES2024 has it. */
interface Resizable extends ArrayBuffer {
  resize(length: number): void
}

// Every Node from 20 on has the second argument; the library that the types are checked with is older.
const ResizableBuffer = ArrayBuffer as unknown as new (
  length: number,
  options: { readonly maxByteLength: number },
) => Resizable

/** Addresses that are set aside for growing: no memory until there are bytes in it. */
const RESERVED_BYTES = 64 * 1024 * 1024

export class GrowingBytes {
  #buffer: Resizable
  #bytes: Uint8Array
  #used = 0

  /** Room for `length` bytes to begin with. Throws `RangeError` when the system has none. */
  constructor(length: number) {
    this.#buffer = reserve(length)
    this.#bytes = new Uint8Array(this.#buffer)
  }

  append(bytes: Uint8Array): void {
    const used = this.#used + bytes.length
    if (used > this.#buffer.byteLength) this.#grow(used * 2)
    this.#bytes.set(bytes, this.#used)
    this.#used = used
  }

  /** Everything so far, not copied: it is gone after `free`. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#used)
  }

  free(): void {
    this.#buffer.resize(0)
    this.#used = 0
  }

  #grow(length: number): void {
    if (length <= RESERVED_BYTES) return this.#buffer.resize(length)
    const larger = reserve(length)
    const bytes = new Uint8Array(larger)
    bytes.set(this.bytes())
    this.#buffer.resize(0)
    this.#buffer = larger
    this.#bytes = bytes
  }
}

function reserve(length: number): Resizable {
  return new ResizableBuffer(length, { maxByteLength: Math.max(length, RESERVED_BYTES) })
}

let possible: boolean | undefined

/** Whether this can be had here, and text be read from it: browsers read only from memory of a fixed length. */
export function canGrow(): boolean {
  possible ??= tryGrowing()
  return possible
}

function tryGrowing(): boolean {
  try {
    const trial = new GrowingBytes(1)
    trial.append(Uint8Array.of(97, 98))
    const text = new TextDecoder().decode(trial.bytes())
    trial.free()
    return text === 'ab'
  } catch {
    return false
  }
}
