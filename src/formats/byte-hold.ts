/**
 * Collects the pieces of something whose end has not come yet, in linear time and without an array for every byte.
 */

import { canGrow, GrowingBytes } from './growing-bytes.ts'

/** Chunks from this size on are kept as they come; smaller ones are gathered, for each kept array costs memory. */
const KEPT_AS_IS = 16 * 1024
const BLOCK_BYTES = 64 * 1024
const FIRST_BLOCK_BYTES = 1024
/** More than this is moved to memory that grows in place. */
const LONG_BYTES = 256 * 1024
const NOTHING: Uint8Array<ArrayBuffer> = new Uint8Array(0)

/** Memory is the bytes themselves and one block. */
export class ByteHold {
  size: number = 0
  #pieces: Uint8Array[] = []
  #block: Uint8Array = NOTHING
  #start = 0
  #used = 0
  #long: GrowingBytes | undefined
  /** Whether it was decided where the many bytes of this go. */
  #isSettled = false

  add(bytes: Uint8Array): void {
    if (!this.#isSettled && this.size + bytes.length > LONG_BYTES) this.#settle()
    if (this.#long !== undefined) {
      this.#long.append(bytes)
    } else if (bytes.length >= KEPT_AS_IS) {
      this.#seal()
      this.#pieces.push(bytes)
    } else {
      this.#gather(bytes)
    }
    this.size += bytes.length
  }

  /**
   * Gives everything to `read`, in one piece, and gives its memory back at once: nothing that it returns may refer to the
   * bytes. Nothing is held afterwards.
   */
  use<Result>(read: (bytes: Uint8Array) => Result): Result {
    const long = this.#long
    try {
      return read(this.take())
    } finally {
      long?.free()
    }
  }

  /** Everything in one piece, for whoever wants to keep it; nothing is held afterwards. */
  take(): Uint8Array {
    const long = this.#long
    const whole = long === undefined ? this.#join() : long.bytes()
    this.#long = undefined
    this.#isSettled = false
    this.size = 0
    return whole
  }

  /** Moves everything to memory that grows; where the system has none to set aside, it stays in pieces. */
  #settle(): void {
    this.#isSettled = true
    const long = canGrow() ? growingOf(4 * LONG_BYTES) : undefined
    for (const piece of long === undefined ? [] : this.#takePieces()) long?.append(piece)
    this.#long = long
  }

  #join(): Uint8Array {
    const pieces = this.#takePieces()
    const [only] = pieces
    return pieces.length === 1 && only !== undefined ? only : join(pieces, this.size)
  }

  /** What is not in growing memory. */
  #takePieces(): readonly Uint8Array[] {
    this.#seal()
    const pieces = this.#pieces
    this.#pieces = []
    this.#block = NOTHING
    this.#start = 0
    this.#used = 0
    return pieces
  }

  /** Makes a piece of what was gathered; what is left of the block goes on being filled. */
  #seal(): void {
    if (this.#used > this.#start) this.#pieces.push(this.#block.subarray(this.#start, this.#used))
    this.#start = this.#used
  }

  #gather(bytes: Uint8Array): void {
    let rest = bytes
    while (rest.length > 0) {
      if (this.#used === this.#block.length) {
        this.#seal()
        const size = Math.min(BLOCK_BYTES, Math.max(FIRST_BLOCK_BYTES, this.size * 2))
        this.#block = new Uint8Array(Math.max(size, rest.length))
        this.#start = 0
        this.#used = 0
      }
      const part = rest.subarray(0, this.#block.length - this.#used)
      this.#block.set(part, this.#used)
      this.#used += part.length
      rest = rest.subarray(part.length)
    }
  }
}

function growingOf(length: number): GrowingBytes | undefined {
  try {
    return new GrowingBytes(length)
  } catch {
    return undefined // many others have set aside what there is
  }
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
