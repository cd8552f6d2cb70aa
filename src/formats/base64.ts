/**
 * Base64 (RFC 4648 §4, padded) without Node: of records whose bytes are not UTF-8, and of what resources hold.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const DIGITS = Uint8Array.from(ALPHABET, (digit) => digit.charCodeAt(0))
const PADDING = 61
const ascii = new TextDecoder()

/** Written as bytes and made text once: a picture of some megabytes takes milliseconds, not seconds. */
export function encodeBase64(bytes: Uint8Array): string {
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
  let end = 0
  for (let at = 0; at < bytes.length; at += 3) {
    const word = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    out[end] = DIGITS[word >> 18] ?? 0
    out[end + 1] = DIGITS[(word >> 12) & 63] ?? 0
    out[end + 2] = DIGITS[(word >> 6) & 63] ?? 0
    out[end + 3] = DIGITS[word & 63] ?? 0
    end += 4
  }
  const spare = (3 - (bytes.length % 3)) % 3
  out.fill(PADDING, out.length - spare)
  return ascii.decode(out)
}

/** The bytes, or `undefined` when the text is no padded Base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  let word = 0
  for (let at = 0; at < text.length; at += 1) {
    const padded = at >= text.length - padding
    const digit = padded ? 0 : digitOf(text.charCodeAt(at))
    if (digit < 0) return undefined
    word = (word << 6) | digit
    if (at % 4 === 3) {
      const start = (at >> 2) * 3
      // Writes past the end of a typed array are ignored, which drops the padding.
      bytes[start] = (word >> 16) & 255
      bytes[start + 1] = (word >> 8) & 255
      bytes[start + 2] = word & 255
      word = 0
    }
  }
  return bytes
}

function digitOf(code: number): number {
  if (code >= 65 && code <= 90) return code - 65
  if (code >= 97 && code <= 122) return code - 71
  if (code >= 48 && code <= 57) return code + 4
  if (code === 43) return 62
  return code === 47 ? 63 : -1
}
