/** Answers that broke off within a character: their last bytes are no UTF-8, and yet nothing is wrong but that more was to come. Pure. */

/** Without the beginning of a character at its end. */
export function wholeCharacters(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(MOST_CUT, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    return lengthFrom(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

/** Whether what cannot be read ends with the beginning of a character. */
export function endsInCharacter({ head, tail }: UnreadableEdges): boolean {
  const end = tail.length > 0 ? tail : head
  return wholeCharacters(end).length < end.length
}

/** As readers of lines and of events tell what is no text. */
export interface UnreadableEdges {
  readonly head: Uint8Array
  readonly tail: Uint8Array
}

/** Bytes of the longest character but one. */
const MOST_CUT = 3

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

/** Bytes of the character that begins with this one. */
function lengthFrom(first: number): number {
  if (first >= 0xf0) return 4
  if (first >= 0xe0) return 3
  return first >= 0xc0 ? 2 : 1
}
