/**
 * What a text means to whoever takes its percent-encoding off. Lenient, since readers are: a `%` that begins no octet stays, and octets
 * that are no UTF-8 become U+FFFD. RFC 3986 §2.1
 */

/** How often a text is decoded at most: some readers do it once too often. */
const MAX_ROUNDS = 3

const OCTETS = /(?:%[0-9A-Fa-f]{2})+/g

/** The text itself, and what it is after each round of decoding that changes something. At most four, each once. */
export function percentReadings(text: string): readonly string[] {
  const readings = [text]
  for (let last = text; readings.length <= MAX_ROUNDS && last.includes('%');) {
    const next = last.replaceAll(OCTETS, decoded)
    if (next === last) break
    readings.push(next)
    last = next
  }
  return readings
}

function decoded(octets: string): string {
  const bytes = Uint8Array.from(octets.split('%').slice(1), (pair) => Number.parseInt(pair, 16))
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
