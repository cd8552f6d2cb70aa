/**
 * UTF-8 at the border: decoding that never throws and a strict check of single stretches.
 *
 * An exception for each bad line would cost a hundred times its decoding and hand a peer a cheap way to
 * burn time, so bad bytes are found by looking for the replacement character first.
 */

// Without a stream no state stays behind, so one decoder serves everybody.
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

const REPLACEMENT = '\uFFFD'

/** The text of well-formed UTF-8, a byte order mark included, or `undefined`. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const text = lenient.decode(bytes)
  // A replacement character is either one of ours or was sent as such: only then every byte is looked at.
  if (text.includes(REPLACEMENT) && !isUtf8(bytes)) return undefined
  return text
}

/** The text of any bytes, with U+FFFD for what is not UTF-8. For people, not for parsers. */
export function showUtf8(bytes: Uint8Array): string {
  return lenient.decode(bytes)
}

/** Whether all bytes are well-formed: no overlong form, no surrogate, nothing cut off. RFC 3629 §4. */
export function isUtf8(bytes: Uint8Array): boolean {
  let at = 0
  while (at < bytes.length) {
    const first = bytes[at] ?? 0
    if (first < 0x80) {
      at += 1
      continue
    }
    const length = sequenceLength(first)
    if (length === 0 || at + length > bytes.length) return false
    const second = bytes[at + 1] ?? 0
    if (second < leastSecond(first) || second > greatestSecond(first)) return false
    for (let more = 2; more < length; more += 1) {
      if (((bytes[at + more] ?? 0) & 0xc0) !== 0x80) return false
    }
    at += length
  }
  return true
}

function sequenceLength(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2
  if (first >= 0xe0 && first <= 0xef) return 3
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0
}

function leastSecond(first: number): number {
  if (first === 0xe0) return 0xa0
  return first === 0xf0 ? 0x90 : 0x80
}

function greatestSecond(first: number): number {
  if (first === 0xed) return 0x9f
  return first === 0xf4 ? 0x8f : 0xbf
}
