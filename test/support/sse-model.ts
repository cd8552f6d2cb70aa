/**
 * The event stream reader against a model: what a stream must become, written the slow and obvious way, all bytes at
 * once. `fuzzEvents` is the entry for a fuzzer; it throws where the two differ or where borders matter.
 */
import { EDGE_BYTES } from '../../src/formats/byte-ends.ts'
import { createSseReader, MAX_FIELD_BYTES } from '../../src/formats/sse.ts'

/** What came out, in order; bytes as hex, so that results compare by value. */
export type SseOutcome = Readonly<Record<string, string | number>>

export interface SseHeard {
  readonly outcomes: readonly SseOutcome[]
  readonly lastEventId: string
}

/** Feeds the chunks to a fresh reader. */
export function readEvents(chunks: Iterable<Uint8Array>, maxEventBytes: number): SseHeard {
  const outcomes: SseOutcome[] = []
  const reader = createSseReader({
    maxEventBytes,
    onEvent: (event) => void outcomes.push({ ...event }),
    onComment: () => void outcomes.push({ comment: 1 }),
    onRetry: (ms) => void outcomes.push({ retry: ms }),
    onUnreadable: ({ head, tail, ...rest }) =>
      void outcomes.push({ ...rest, head: hex(head), tail: hex(tail) }),
  })
  for (const chunk of chunks) {
    reader.push(chunk)
    if (reader.heldBytes > maxEventBytes + MAX_FIELD_BYTES + 6)
      throw new Error(`holds ${reader.heldBytes} bytes`)
  }
  reader.end()
  return { outcomes, lastEventId: reader.lastEventId }
}

/** What a stream says when it comes whole and when every byte comes alone; throws when these differ. */
export function heardEvents(
  stream: string | Uint8Array,
  maxEventBytes: number = 1024,
): readonly SseOutcome[] {
  const all = typeof stream === 'string' ? new TextEncoder().encode(stream) : stream
  const whole = readEvents([all], maxEventBytes)
  const apart = readEvents(
    Array.from(all, (byte) => Uint8Array.of(byte)),
    maxEventBytes,
  )
  if (JSON.stringify(apart) !== JSON.stringify(whole))
    throw new Error(`byte by byte ${JSON.stringify(apart)} and not ${JSON.stringify(whole)}`)
  return whole.outcomes
}

/** The same by the book. Each character of a binary string is one byte. */
export function modelEvents(bytes: Uint8Array, maxEventBytes: number): SseHeard {
  const all = Buffer.from(bytes).toString('latin1')
  const stream = all.startsWith('\u00ef\u00bb\u00bf') ? all.slice(3) : all
  const outcomes: SseOutcome[] = []
  let lastEventId = ''
  let id = ''
  let event = ''
  let data: string[] = []
  let fault = ''
  // What stands after the last line end is no whole line.
  for (const line of stream.split(/\r\n|\r|\n/).slice(0, -1)) {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    const text = utf8(value)
    if (line === '') {
      lastEventId = id
      const joined = data.join('\n')
      const reason = joined.length > maxEventBytes ? 'too-large' : fault
      const whole = utf8(joined)
      const named = event === '' ? 'message' : event
      // Members stand in the order of the reader's, for outcomes are compared as text too.
      if (data.length > 0 && (reason !== '' || whole === undefined)) {
        const { size, ...ends } = edges(joined)
        const said = reason === '' ? 'not-utf8' : reason
        outcomes.push({ reason: said, size, event: named, id, ...ends })
      } else if (whole !== undefined && whole !== '') {
        outcomes.push({ event: named, data: whole, id })
      }
      event = ''
      data = []
      fault = ''
    } else if (colon === 0) outcomes.push({ comment: 1 })
    else if (name === 'data') data.push(value)
    else if (name === 'retry') {
      if (/^[0-9]+$/.test(value) && line.length <= MAX_FIELD_BYTES)
        outcomes.push({ retry: Math.min(Number(value), Number.MAX_SAFE_INTEGER) })
    } else if (name === 'id' || name === 'event') {
      if (line.length > MAX_FIELD_BYTES) fault ||= 'too-large'
      else if (text === undefined) fault ||= 'not-utf8'
      else if (name === 'event') event = text
      else if (!text.includes('\0')) id = text
    }
  }
  return { outcomes, lastEventId }
}

/**
 * One input of a fuzzer: the first two bytes choose the limit and the pieces, the rest is the stream.
 * Throws an error that shows both results where the reader and the model differ.
 */
export function fuzzEvents(input: Uint8Array): void {
  const [limit = 0, step = 0] = input
  const bytes = input.subarray(2)
  const maxEventBytes = 1 + limit * (limit % 3 === 0 ? 1 : 64)
  const expected = JSON.stringify(modelEvents(bytes, maxEventBytes))
  const size = 1 + (step % 40)
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size))
  for (const way of [chunks, [bytes]]) {
    const actual = JSON.stringify(readEvents(way, maxEventBytes))
    if (actual !== expected) {
      throw new Error(`events differ in ${way.length} pieces: ${actual} and not ${expected}`)
    }
  }
}

function utf8(binary: string): string | undefined {
  try {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return strict.decode(Buffer.from(binary, 'latin1'))
  } catch {
    return undefined // bytes that are no UTF-8
  }
}

function edges(binary: string): { size: number; head: string; tail: string } {
  const size = binary.length
  const tail = binary.slice(Math.max(Math.min(size, EDGE_BYTES), size - EDGE_BYTES))
  const toHex = (part: string): string => Buffer.from(part, 'latin1').toString('hex')
  return { size, head: toHex(binary.slice(0, EDGE_BYTES)), tail: toHex(tail) }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
