/**
 * Cuts a stream of bytes into lines of text: the framing of newline-delimited JSON.
 *
 * It knows nothing of JSON. Time is linear and memory bounded however the bytes are cut: only a new chunk is
 * searched, what waits for its newline is joined once, and a line over the limit is not kept.
 */

import { createByteTail } from './byte-tail.ts'
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

/** How much of each end of an unreadable line is kept. */
export const EDGE_BYTES: number = 64 * 1024

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
  readonly #held = new Hold()
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
    this.#skipped = createSkippedLine()
    this.#skipped.append(this.#held.take())
    this.#skipped.append(bytes)
  }

  #finish(): void {
    if (this.#skipped === undefined) return emitLine(this.#held.take(), this.#options)
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
  const size = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length
  const text = size <= options.maxBytes ? decodeUtf8(bytes) : undefined
  if (text !== undefined) return emitText(text, options)
  const headSize = Math.min(size, EDGE_BYTES)
  options.onUnreadable({
    reason: size > options.maxBytes ? 'too-large' : 'not-utf8',
    size,
    head: copyOf(bytes, 0, headSize),
    tail: copyOf(bytes, Math.max(headSize, size - EDGE_BYTES), size),
  })
}

/** A copy, so that a small end does not keep a large chunk alive. `slice` of Node's buffers makes none. */
function copyOf(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(bytes.subarray(from, to))
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
  const head = new Uint8Array(EDGE_BYTES)
  let headSize = 0
  // One byte more, for the last may be the CR of the line end.
  const tail = createByteTail(EDGE_BYTES + 1)
  return {
    append(bytes) {
      const first = bytes.subarray(0, EDGE_BYTES - headSize)
      head.set(first, headSize)
      headSize += first.length
      tail.append(bytes.subarray(first.length))
    },
    describe() {
      const last = tail.bytes()
      const ending = (last.at(-1) ?? head[headSize - 1]) === CARRIAGE_RETURN ? 1 : 0
      const size = headSize + tail.total - ending
      const beyond = Math.min(EDGE_BYTES, Math.max(0, size - headSize))
      const end = last.length - (last.length > 0 ? ending : 0)
      return {
        reason: 'too-large',
        size,
        head: head.slice(0, Math.min(headSize, size)),
        tail: last.slice(end - beyond, end),
      }
    },
  }
}

/** Chunks from this size on are kept as they come; smaller ones are gathered, for each kept array costs memory. */
const KEPT_AS_IS = 16 * 1024
const BLOCK_BYTES = 64 * 1024
const FIRST_BLOCK_BYTES = 1024
const NOTHING: Uint8Array<ArrayBuffer> = new Uint8Array(0)

/** Collects the pieces of one line. Memory is the bytes themselves and one block. */
class Hold {
  size = 0
  #pieces: Uint8Array[] = []
  #block: Uint8Array = NOTHING
  #start = 0
  #used = 0

  add(bytes: Uint8Array): void {
    if (bytes.length >= KEPT_AS_IS) {
      this.#seal()
      this.#pieces.push(bytes)
    } else {
      this.#gather(bytes)
    }
    this.size += bytes.length
  }

  /** Everything in one piece; nothing is held afterwards. */
  take(): Uint8Array {
    this.#seal()
    const [only] = this.#pieces
    const whole =
      this.#pieces.length === 1 && only !== undefined ? only : join(this.#pieces, this.size)
    this.size = 0
    this.#pieces = []
    this.#block = NOTHING
    this.#start = 0
    this.#used = 0
    return whole
  }

  /** Makes a piece of what was gathered; what is left of the block goes on being filled. */
  #seal(): void {
    if (this.#used > this.#start) this.#pieces.push(this.#block.subarray(this.#start, this.#used))
    this.#start = this.#used
  }

  #gather(bytes: Uint8Array): void {
    let rest = bytes
    while (rest.length > 0) {
      if (this.#used === this.#block.length) {
        this.#seal()
        const size = Math.min(BLOCK_BYTES, Math.max(FIRST_BLOCK_BYTES, this.size * 2))
        this.#block = new Uint8Array(Math.max(size, rest.length))
        this.#start = 0
        this.#used = 0
      }
      const part = rest.subarray(0, this.#block.length - this.#used)
      this.#block.set(part, this.#used)
      this.#used += part.length
      rest = rest.subarray(part.length)
    }
  }
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
