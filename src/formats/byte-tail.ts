/**
 * Keeps the last bytes of a stream of any length in bounded memory and linear time.
 *
 * No ring: bytes are appended and, when the buffer is full, its second half moves to the front, so that
 * what is kept is one stretch. The buffer grows with use; an unused tail holds nothing.
 */

const FIRST_SIZE = 1024

export interface ByteTail {
  /** All bytes ever appended, kept or not. */
  readonly total: number
  append(bytes: Uint8Array): void
  /** A copy of the last bytes, at most `limit` of them. */
  bytes(): Uint8Array
}

/** Keeps the last `limit` bytes; takes up to twice as much memory while it works. */
export function createByteTail(limit: number): ByteTail {
  let buffer = new Uint8Array(0)
  let used = 0
  let total = 0

  const makeRoom = (more: number): void => {
    if (used + more <= buffer.length) return
    const kept = Math.min(used, limit - more)
    if (buffer.length < limit * 2) {
      const size = Math.min(limit * 2, Math.max(FIRST_SIZE, (kept + more) * 2))
      const grown = new Uint8Array(size)
      grown.set(buffer.subarray(used - kept, used))
      buffer = grown
    } else {
      buffer.copyWithin(0, used - kept, used)
    }
    used = kept
  }

  return {
    get total() {
      return total
    },
    append(bytes) {
      total += bytes.length
      const last = bytes.length > limit ? bytes.subarray(bytes.length - limit) : bytes
      makeRoom(last.length)
      buffer.set(last, used)
      used += last.length
    },
    bytes: () => buffer.slice(Math.max(0, used - limit), used),
  }
}
