/**
 * Collects the pieces of something whose end has not come yet, in linear time and without an array for every byte.
 */

/** Chunks from this size on are kept as they come; smaller ones are gathered, for each kept array costs memory. */
const KEPT_AS_IS = 16 * 1024
const BLOCK_BYTES = 64 * 1024
const FIRST_BLOCK_BYTES = 1024
const NOTHING: Uint8Array<ArrayBuffer> = new Uint8Array(0)

/** Memory is the bytes themselves and one block. */
export class ByteHold {
  size: number = 0
  #pieces: Uint8Array[] = []
  #block: Uint8Array = NOTHING
  #start = 0
  #used = 0

  add(bytes: Uint8Array): void {
    if (bytes.length >= KEPT_AS_IS) {
      this.#seal()
      this.#pieces.push(bytes)
    } else {
      this.#gather(bytes)
    }
    this.size += bytes.length
  }

  /** Everything in one piece; nothing is held afterwards. */
  take(): Uint8Array {
    this.#seal()
    const [only] = this.#pieces
    const whole =
      this.#pieces.length === 1 && only !== undefined ? only : join(this.#pieces, this.size)
    this.size = 0
    this.#pieces = []
    this.#block = NOTHING
    this.#start = 0
    this.#used = 0
    return whole
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

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
