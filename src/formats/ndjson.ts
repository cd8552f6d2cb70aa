/**
 * Cuts a stream of bytes into lines of text: the framing of newline-delimited JSON.
 *
 * It knows nothing of JSON. Time is linear and memory bounded however the bytes are cut: only a new chunk is
 * searched, what waits for its newline is joined once, and a line over the limit is not kept.
 */

import { createByteEnds, EDGE_BYTES, endsOf } from './byte-ends.ts'
import { ByteHold } from './byte-hold.ts'
import { decodeUtf8 } from './utf8.ts'

/** A line that could not become text. The same shape as the `Unreadable` of a link. */
export interface UnreadableLine {
  readonly reason: 'not-utf8' | 'too-large'
  /** All bytes of the line, its line end not counted. */
  readonly size: number
  /** Its first bytes, at most `EDGE_BYTES`. */
  readonly head: Uint8Array
  /** Its last bytes, at most `EDGE_BYTES`, none of them in `head` too. */
  readonly tail: Uint8Array
}

export interface LineReaderOptions {
  /** Longest line, in bytes, its line end not counted. */
  readonly maxBytes: number
  /** One line that is not blank, without its line end and a leading byte order mark. Must not throw. */
  onText(text: string): void
  /** A line that is no text or too long; the lines after it go on. Must not throw. */
  onUnreadable(line: UnreadableLine): void
}

export interface LineReader {
  /** Bytes that wait for their newline; never more than `maxBytes + 1`. */
  readonly heldBytes: number
  /** Takes the next bytes and keeps the array: do not write to it afterwards. */
  push(chunk: Uint8Array): void
  /** The stream has ended: what is left is a line, newline or not. The reader is fresh afterwards. */
  end(): void
}

const NEWLINE = 10
const CARRIAGE_RETURN = 13
const BYTE_ORDER_MARK = 0xfeff

/** A reader that calls back during `push` and `end`, in the order of the lines. // STDIO-02, STDIO-20 */
export function createLineReader(options: LineReaderOptions): LineReader {
  return new ChunkReader(options)
}

/** A class, for every idle connection has one or two: a closure for each method would weigh more than the state. */
class ChunkReader implements LineReader {
  readonly #options: LineReaderOptions
  readonly #held = new ByteHold()
  #skipped: SkippedLine | undefined

  constructor(options: LineReaderOptions) {
    this.#options = options
  }

  get heldBytes(): number {
    return this.#held.size
  }

  push(chunk: Uint8Array): void {
    let from = 0
    if (this.#held.size > 0 || this.#skipped !== undefined) {
      const newline = chunk.indexOf(NEWLINE)
      if (newline < 0) return this.#hold(chunk)
      this.#hold(chunk.subarray(0, newline))
      this.#finish()
      from = newline + 1
    }
    const last = chunk.lastIndexOf(NEWLINE)
    if (last >= from) {
      emitLines(chunk.subarray(from, last), this.#options)
      from = last + 1
    }
    if (from < chunk.length) this.#hold(from === 0 ? chunk : chunk.subarray(from))
  }

  end(): void {
    if (this.#held.size > 0 || this.#skipped !== undefined) this.#finish()
  }

  #hold(bytes: Uint8Array): void {
    if (this.#skipped !== undefined) return this.#skipped.append(bytes)
    // One byte more is allowed, for it may be the CR of the line end.
    if (this.#held.size + bytes.length <= this.#options.maxBytes + 1) return this.#held.add(bytes)
    const skipped = createSkippedLine()
    this.#held.use((held) => skipped.append(held))
    skipped.append(bytes)
    this.#skipped = skipped
  }

  #finish(): void {
    const { maxBytes } = this.#options
    if (this.#skipped === undefined)
      return tell(
        this.#held.use((bytes) => readLine(bytes, maxBytes)),
        this.#options,
      )
    const line = this.#skipped.describe()
    this.#skipped = undefined
    this.#options.onUnreadable(line)
  }
}

/** Whole lines with newlines between them: decoded at once, then cut as text. */
function emitLines(bytes: Uint8Array, options: LineReaderOptions): void {
  const text = bytes.length <= options.maxBytes ? decodeUtf8(bytes) : undefined
  if (text === undefined) return emitLineByLine(bytes, options)
  let from = 0
  for (;;) {
    const newline = text.indexOf('\n', from)
    if (newline < 0) break
    emitText(text.slice(from, newline), options)
    from = newline + 1
  }
  emitText(from === 0 ? text : text.slice(from), options)
}

/** The careful way, for a chunk with a bad or long line in it: only that line is lost. */
function emitLineByLine(bytes: Uint8Array, options: LineReaderOptions): void {
  let from = 0
  for (;;) {
    const newline = bytes.indexOf(NEWLINE, from)
    if (newline < 0) break
    emitLine(bytes.subarray(from, newline), options)
    from = newline + 1
  }
  emitLine(bytes.subarray(from), options)
}

function emitLine(bytes: Uint8Array, options: LineReaderOptions): void {
  tell(readLine(bytes, options.maxBytes), options)
}

function readLine(bytes: Uint8Array, maxBytes: number): string | UnreadableLine {
  const size = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length
  const text = size <= maxBytes ? decodeUtf8(bytes) : undefined
  if (text !== undefined) return text
  const reason = size > maxBytes ? 'too-large' : 'not-utf8'
  return { reason, size, ...endsOf(bytes.subarray(0, size)) }
}

function tell(line: string | UnreadableLine, options: LineReaderOptions): void {
  if (typeof line === 'string') emitText(line, options)
  else options.onUnreadable(line)
}

function emitText(line: string, options: LineReaderOptions): void {
  const from = line.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
  const to = line.charCodeAt(line.length - 1) === CARRIAGE_RETURN ? line.length - 1 : line.length
  if (isBlank(line, from, to)) return
  options.onText(from === 0 && to === line.length ? line : line.slice(from, to))
}

function isBlank(line: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const code = line.charCodeAt(at)
    if (code !== 32 && code !== 9 && code !== CARRIAGE_RETURN) return false
  }
  return true
}

interface SkippedLine {
  append(bytes: Uint8Array): void
  describe(): UnreadableLine
}

/** What is kept of a line over the limit: both ends and a count. */
function createSkippedLine(): SkippedLine {
  // One byte more, for the last may be the CR of the line end.
  const ends = createByteEnds(EDGE_BYTES, EDGE_BYTES + 1)
  return {
    append: (bytes) => ends.append(bytes),
    describe() {
      const first = ends.head()
      const last = ends.tail()
      const ending = (last.at(-1) ?? first.at(-1)) === CARRIAGE_RETURN ? 1 : 0
      const size = ends.size - ending
      const beyond = Math.min(EDGE_BYTES, Math.max(0, size - first.length))
      const end = last.length - (last.length > 0 ? ending : 0)
      return {
        reason: 'too-large',
        size,
        head: first.slice(0, Math.min(first.length, size)),
        tail: last.slice(end - beyond, end),
      }
    },
  }
}
