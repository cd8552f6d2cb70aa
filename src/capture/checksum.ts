/**
 * CRC32 (the one of zip and PNG) over bytes or over text as UTF-8, without Node.
 *
 * It finds damage, not forgery: whoever can write the file can also write the checksum.
 */

/** Four tables of 256: table k moves a byte past k further bytes. */
const TABLE: Int32Array = makeTables()

/** The checksum of bytes, as an unsigned number. */
export function crc32(bytes: Uint8Array): number {
  let crc = -1
  let at = 0
  // Typed arrays give a number at every index below their length; the casts say so to the compiler.
  for (const last = bytes.length - 4; at <= last; at += 4) {
    const a = bytes[at] as number
    const b = bytes[at + 1] as number
    const c = bytes[at + 2] as number
    const d = bytes[at + 3] as number
    crc = fold4(crc ^ (a | (b << 8) | (c << 16) | (d << 24)))
  }
  for (; at < bytes.length; at += 1) crc = fold(crc, bytes[at] as number)
  return ~crc >>> 0
}

/** The checksum of the UTF-8 bytes of `text`, which must have no lone surrogate. */
export function crc32Text(text: string): number {
  let crc = -1
  const length = text.length
  for (let at = 0; at < length;) {
    const a = text.charCodeAt(at)
    if (at + 4 <= length) {
      const b = text.charCodeAt(at + 1)
      const c = text.charCodeAt(at + 2)
      const d = text.charCodeAt(at + 3)
      if ((a | b | c | d) < 0x80) {
        crc = fold4(crc ^ (a | (b << 8) | (c << 16) | (d << 24)))
        at += 4
        continue
      }
    }
    if (a < 0x80) {
      crc = fold(crc, a)
      at += 1
    } else {
      // `at` is below the length, so there is a code point.
      const code = text.codePointAt(at) as number
      crc = foldCodePoint(crc, code)
      at += code > 0xffff ? 2 : 1
    }
  }
  return ~crc >>> 0
}

/** Eight lower-case hex digits. */
export function hex8(value: number): string {
  return value.toString(16).padStart(8, '0')
}

// oxlint-disable-next-line no-control-regex -- all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/** Bytes that `text` takes as UTF-8. */
export function utf8Length(text: string): number {
  // Three times faster than to look at each.
  if (ASCII.test(text)) return text.length
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    if (code < 0x800) bytes += 1
    else {
      bytes += 2 // a lone surrogate becomes U+FFFD with three bytes
      if ((code & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) at += 1 // a pair has four
    }
  }
  return bytes
}

function foldCodePoint(crc: number, code: number): number {
  if (code < 0x800) return fold(fold(crc, 0xc0 | (code >> 6)), 0x80 | (code & 63))
  if (code < 0x10000) {
    return fold(fold(fold(crc, 0xe0 | (code >> 12)), 0x80 | ((code >> 6) & 63)), 0x80 | (code & 63))
  }
  const high = fold(fold(crc, 0xf0 | (code >> 18)), 0x80 | ((code >> 12) & 63))
  return fold(fold(high, 0x80 | ((code >> 6) & 63)), 0x80 | (code & 63))
}

function fold(crc: number, byte: number): number {
  // Masked to 0..255, so inside the table.
  return (TABLE[(crc ^ byte) & 255] as number) ^ (crc >>> 8)
}

/** Four bytes at once; `word` is the register with the bytes already mixed in. */
function fold4(word: number): number {
  // Each index is masked to 0..255 plus the start of a table.
  return (
    (TABLE[768 + (word & 255)] as number) ^
    (TABLE[512 + ((word >>> 8) & 255)] as number) ^
    (TABLE[256 + ((word >>> 16) & 255)] as number) ^
    (TABLE[word >>> 24] as number)
  )
}

function makeTables(): Int32Array {
  const table = new Int32Array(4 * 256)
  for (let n = 0; n < 256; n += 1) {
    let value = n
    for (let bit = 0; bit < 8; bit += 1)
      value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    table[n] = value
  }
  for (let n = 256; n < table.length; n += 1) {
    const before = table[n - 256] as number // n - 256 is inside
    table[n] = (table[before & 255] as number) ^ (before >>> 8)
  }
  return table
}
