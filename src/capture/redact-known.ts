/**
 * The ways in which a known secret can be spelled: as it is, inside of JSON strings, percent-encoded, in Base64.
 */

import { encodeBase64 } from '../formats/base64.ts'

/** Every spelling to look for, longest first, so that the one that covers most is found first. */
export function encodedSecrets(secrets: readonly string[]): readonly string[] {
  const spellings = new Set<string>()
  for (const secret of secrets) {
    spellings.add(secret)
    for (let level = 0, text = secret; level < 3; level += 1) {
      text = JSON.stringify(text).slice(1, -1)
      spellings.add(text)
    }
    spellings.add(JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'))
    spellings.add(escapeNonAscii(secret))
    const bytes = new TextEncoder().encode(secret)
    // Bytes that are no UTF-8 are searched one character a byte.
    spellings.add(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    // By way of the bytes: a lone surrogate cannot be percent-encoded.
    const percent = encodeURIComponent(new TextDecoder().decode(bytes))
    spellings.add(percent)
    spellings.add(percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))
    spellings.add(percent.replaceAll('%20', '+'))
    for (const text of base64Cores(bytes)) spellings.add(text)
  }
  return [...spellings].sort((a, b) => b.length - a.length)
}

/** What other writers do with characters beyond ASCII: `\u4e2d`. */
function escapeNonAscii(secret: string): string {
  return JSON.stringify(secret)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * The part of the Base64 that does not depend on what stands before and after the secret, for each of the three ways
 * it can fall on the groups of three bytes; `user:secret` in a `Basic` header is one. Too short a part would hit anything.
 */
function base64Cores(bytes: Uint8Array): readonly string[] {
  const cores: string[] = []
  for (let shift = 0; shift < 3; shift += 1) {
    const padded = new Uint8Array(bytes.length + shift)
    padded.set(bytes, shift)
    const whole = Math.floor(padded.length / 3) * 4
    const core = encodeBase64(padded).slice(shift === 0 ? 0 : 4, whole)
    if (core.length < 8) continue
    cores.push(core, core.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return cores
}
