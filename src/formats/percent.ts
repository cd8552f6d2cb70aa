/**
 * What a text means to whoever takes its percent-encoding off. Lenient, since readers are: a `%` that begins no octet stays, and octets
 * that are no UTF-8 become U+FFFD. Linear. RFC 3986 §2.1
 */

/** How often a text is decoded at most: some readers do it once too often. */
const MAX_ROUNDS = 3

const OCTET = /%[0-9A-Fa-f]{2}/
const PERCENT = 0x25

/** The text itself, and what it is after each round of decoding that changes something. At most four, each once. */
export function percentReadings(text: string): readonly string[] {
  const readings = [text]
  for (let last = text; readings.length <= MAX_ROUNDS && isEncoded(last);) {
    last = decoded(last)
    readings.push(last)
  }
  return readings
}

/** Whether there is anything to decode. */
export function isEncoded(text: string): boolean {
  return OCTET.test(text)
}

function decoded(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let to = 0
  for (let from = 0; from < bytes.length; to += 1) {
    const octet = bytes[from] === PERCENT ? octetAt(bytes, from + 1) : -1
    bytes[to] = octet < 0 ? (bytes[from] ?? 0) : octet
    from += octet < 0 ? 1 : 3
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, to))
}

/** The value of two hexadecimal digits; below 0 where they are none. */
function octetAt(bytes: Uint8Array, at: number): number {
  const [high, low] = [digit(bytes[at]), digit(bytes[at + 1])]
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

function digit(byte: number = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
