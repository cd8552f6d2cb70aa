/**
 * The line framer against a model: what each line must become, written the slow and obvious way.
 * `fuzzLines` is the entry for a fuzzer; it throws where the two differ or where borders matter.
 */
import { EDGE_BYTES } from '../../src/formats/byte-ends.ts'
import { createLineReader } from '../../src/formats/ndjson.ts'

/** What came out for one line; bytes as hex, so that results compare by value. */
export type Outcome =
  | { readonly text: string }
  | {
      readonly reason: string
      readonly size: number
      readonly head: string
      readonly tail: string
    }

/** Feeds the chunks to a fresh reader. */
export function readLines(chunks: Iterable<Uint8Array>, maxBytes: number): readonly Outcome[] {
  const outcomes: Outcome[] = []
  const reader = createLineReader({
    maxBytes,
    onText: (text) => outcomes.push({ text }),
    onUnreadable: ({ reason, size, head, tail }) =>
      outcomes.push({ reason, size, head: hex(head), tail: hex(tail) }),
  })
  for (const chunk of chunks) {
    reader.push(chunk)
    if (reader.heldBytes > maxBytes + 1) throw new Error(`holds ${reader.heldBytes} bytes`)
  }
  reader.end()
  return outcomes
}

/** The same by the book: all bytes at once, one line after the other. */
export function modelLines(bytes: Uint8Array, maxBytes: number): readonly Outcome[] {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const outcomes: Outcome[] = []
  let from = 0
  while (from < bytes.length) {
    const newline = bytes.indexOf(10, from)
    const end = newline < 0 ? bytes.length : newline
    const line = bytes.subarray(from, end > from && bytes[end - 1] === 13 ? end - 1 : end)
    from = end + 1
    const size = line.length
    const edges = {
      size,
      head: hex(line.subarray(0, EDGE_BYTES)),
      tail: hex(line.subarray(Math.max(Math.min(size, EDGE_BYTES), size - EDGE_BYTES))),
    }
    if (size > maxBytes) {
      outcomes.push({ reason: 'too-large', ...edges })
      continue
    }
    let text: string
    try {
      text = strict.decode(line)
    } catch {
      outcomes.push({ reason: 'not-utf8', ...edges })
      continue
    }
    if (text.startsWith('\uFEFF')) text = text.slice(1)
    if (!/^[ \t\r]*$/.test(text)) outcomes.push({ text })
  }
  return outcomes
}

/** Cuts bytes at the given places, each taken modulo the length. */
export function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  const borders = [0, ...at, bytes.length]
  return borders.slice(1).map((end, index) => bytes.slice(borders[index] ?? 0, end))
}

/**
 * One input of a fuzzer: the first two bytes choose the limit and the pieces, the rest is the stream.
 * Throws an error that shows both results where the reader and the model differ.
 */
export function fuzzLines(input: Uint8Array): void {
  const [limit = 0, step = 0] = input
  const bytes = input.subarray(2)
  const maxBytes = 1 + limit * (limit % 3 === 0 ? 1 : 64)
  const expected = JSON.stringify(modelLines(bytes, maxBytes))
  const size = 1 + (step % 40)
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size))
  for (const way of [chunks, [bytes]]) {
    const actual = JSON.stringify(readLines(way, maxBytes))
    if (actual !== expected) {
      throw new Error(`lines differ in ${way.length} pieces: ${actual} and not ${expected}`)
    }
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
