/**
 * What is kept of a stretch of bytes that is not kept: its length and both ends, so that one can tell whose it was.
 */

import { createByteTail } from './byte-tail.ts'

/** How much of each end of an unreadable line or event is kept. */
export const EDGE_BYTES: number = 64 * 1024

export interface ByteEnds {
  /** All bytes ever appended. */
  readonly size: number
  append(bytes: Uint8Array): void
  /** A copy of the first bytes. */
  head(): Uint8Array
  /** A copy of the last bytes, none of them in the head too. */
  tail(): Uint8Array
}

/** Takes bytes of any number in linear time; memory is the head and twice the tail. */
export function createByteEnds(headLimit: number, tailLimit: number): ByteEnds {
  const head = new Uint8Array(headLimit)
  let headSize = 0
  const tail = createByteTail(tailLimit)
  return {
    get size() {
      return headSize + tail.total
    },
    append(bytes) {
      const first = bytes.subarray(0, headLimit - headSize)
      head.set(first, headSize)
      headSize += first.length
      tail.append(bytes.subarray(first.length))
    },
    head: () => head.slice(0, headSize),
    tail: () => tail.bytes(),
  }
}

/** Both ends of bytes that are at hand, as copies: a small end does not keep a large chunk alive. */
export function endsOf(bytes: Uint8Array): { head: Uint8Array; tail: Uint8Array } {
  const headSize = Math.min(bytes.length, EDGE_BYTES)
  return {
    // `slice` of Node's buffers makes no copy.
    head: new Uint8Array(bytes.subarray(0, headSize)),
    tail: new Uint8Array(bytes.subarray(Math.max(headSize, bytes.length - EDGE_BYTES))),
  }
}
