/**
 * Reads and writes `text/event-stream` as the HTML standard describes it: bytes to events, and back. // HTTP-39
 *
 * It knows nothing of HTTP and nothing of JSON. Time is linear and memory bounded however the bytes are cut. Two things
 * are stricter than in browsers: data that is no UTF-8 is reported and not repaired, and events have a longest size.
 */

import { UsageError } from '../base/errors.ts'
import { createByteEnds, EDGE_BYTES, endsOf, type ByteEnds } from './byte-ends.ts'
import { ByteHold } from './byte-hold.ts'
import { decodeUtf8 } from './utf8.ts'

/** One event that carries data. */
export interface SseEvent {
  /** Its name; `message` when none was given. */
  readonly event: string
  /** Its lines of data with newlines between them; never empty. */
  readonly data: string
  /** The last id that the stream has named, in this event or before; empty when there was none. */
  readonly id: string
}

/** An event whose data could not become text. The same shape as the `Unreadable` of a link, and more. */
export interface UnreadableEvent {
  readonly reason: 'not-utf8' | 'too-large'
  /** All bytes of its data. */
  readonly size: number
  /** The first bytes of its data, at most `EDGE_BYTES`. */
  readonly head: Uint8Array
  /** The last bytes, at most `EDGE_BYTES`, none of them in `head` too. */
  readonly tail: Uint8Array
  readonly event: string
  readonly id: string
}

export interface SseReaderOptions {
  /** Most data in one event, in bytes. */
  readonly maxEventBytes: number
  /** One event with data in it. Events without data only move `lastEventId`. Must not throw. */
  onEvent(event: SseEvent): void
  /** An event that is no text or too large; the events after it go on, and its id counts. Must not throw. */
  onUnreadable(event: UnreadableEvent): void
  /** A comment line: a sign of life. Must not throw. */
  onComment?(): void
  /** How long the far side wants a client to wait before it connects again; any whole number. Must not throw. */
  onRetry?(ms: number): void
}

export interface SseReader {
  /** The id of the last whole event that the stream has named; empty when there was none. Kept by `end`. */
  readonly lastEventId: string
  /** Bytes of an unfinished event that are held: no more than `maxEventBytes` of data and `MAX_FIELD_BYTES` of a field. */
  readonly heldBytes: number
  /** Takes the next bytes and keeps the array: do not write to it afterwards. */
  push(chunk: Uint8Array): void
  /** The stream has ended: an unfinished event is dropped, and the next bytes begin a new stream. */
  end(): void
}

/** A line of `id` or `event` that is longer makes its event unreadable; one of `retry` is ignored. */
export const MAX_FIELD_BYTES: number = 64 * 1024

/** A reader that calls back during `push`, in the order of the events. // HTTP-39 */
export function createSseReader(options: SseReaderOptions): SseReader {
  return new EventReader(options)
}

/** What an event may hold when it is written. */
export interface SseFields {
  /** Default `message`, which is not written. */
  readonly event?: string | undefined
  /** Line ends in it, CR and CR LF too, arrive as newlines. Empty data is no event for the reader, but its id counts. */
  readonly data: string
  readonly id?: string | undefined
  /** Milliseconds. */
  readonly retry?: number | undefined
}

/** The text of one event. Throws `UsageError` when a field holds what it cannot hold: line ends, or NUL in an id. */
export function writeEvent({ event, data, id, retry }: SseFields): string {
  let text = ''
  if (event !== undefined && event !== 'message') text += `event: ${oneLine('event', event)}\n`
  if (id !== undefined) text += `id: ${oneLine('id', id)}\n`
  if (retry !== undefined) text += `retry: ${wholeNumber(retry)}\n`
  return `${text}data: ${hasLineEnd(data) ? data.replace(/\r\n?|\n/g, '\ndata: ') : data}\n\n`
}

function oneLine(name: 'event' | 'id', value: string): string {
  if (!hasLineEnd(value) && !(name === 'id' && value.includes('\0'))) return value
  throw new UsageError(
    `The ${name} of an event cannot be ${JSON.stringify(value.slice(0, 100))}: it must be one line${name === 'id' ? ' without NUL' : ''}.`,
  )
}

function wholeNumber(ms: number): number {
  if (Number.isSafeInteger(ms) && ms >= 0) return ms
  throw new UsageError(`The retry time of an event is a whole number of milliseconds, not ${ms}.`)
}

function hasLineEnd(text: string): boolean {
  return text.includes('\n') || text.includes('\r')
}

const NEWLINE = 10
const CARRIAGE_RETURN = 13
const SPACE = 32
const COLON = 58
const SMALL_D = 100
const SMALL_R = 114
const BYTE_ORDER_MARK: Uint8Array = Uint8Array.of(0xef, 0xbb, 0xbf)
const NEWLINE_BYTES: Uint8Array = Uint8Array.of(NEWLINE)
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)
const DATA = ascii('data')
const FIELDS = [ascii('event'), ascii('id'), ascii('retry')]
/** So many bytes tell what a line is, and in the case of data where its value begins. */
const PREFIX_BYTES = 6

/** What is known of the line that is being read. */
type LineKind = 'unknown' | 'data' | 'field' | 'comment' | 'ignored'

/** A class, for every open stream has one: a closure for each method would weigh more than the state. */
class EventReader implements SseReader {
  lastEventId = ''
  readonly #options: SseReaderOptions
  /** Bytes of the byte order mark that have been seen, all of them once there was something else. */
  #markBytes = 0
  #afterReturn = false
  #kind: LineKind = 'unknown'
  readonly #prefix = new Uint8Array(PREFIX_BYTES)
  #prefixSize = 0
  readonly #field = new ByteHold()
  readonly #data = new ByteHold()
  #hasData = false
  /** What is kept of data over the limit. */
  #ends: ByteEnds | undefined
  #fault: UnreadableEvent['reason'] | undefined
  #type = ''
  #id = ''

  constructor(options: SseReaderOptions) {
    this.#options = options
  }

  get heldBytes(): number {
    return (this.#kind === 'unknown' ? this.#prefixSize : 0) + this.#field.size + this.#data.size
  }

  push(chunk: Uint8Array): void {
    let from = this.#markBytes < BYTE_ORDER_MARK.length ? this.#skipMark(chunk) : 0
    if (from === chunk.length) return
    if (this.#afterReturn && chunk[from] === NEWLINE) from += 1
    this.#afterReturn = false
    from = this.#readAsText(chunk, from)
    if (from < chunk.length) this.#readLines(chunk, from)
  }

  end(): void {
    this.#field.take()
    this.#data.take()
    this.#id = this.lastEventId
    this.#clear()
    this.#kind = 'unknown'
    this.#prefixSize = 0
    this.#markBytes = 0
    this.#afterReturn = false
  }

  /** Passes over a byte order mark at the very start; what only began like one is the start of a line. */
  #skipMark(chunk: Uint8Array): number {
    let from = 0
    while (from < chunk.length && this.#markBytes < BYTE_ORDER_MARK.length) {
      if (chunk[from] === BYTE_ORDER_MARK[this.#markBytes]) {
        this.#markBytes += 1
        from += 1
      } else {
        const begun = BYTE_ORDER_MARK.subarray(0, this.#markBytes)
        this.#markBytes = BYTE_ORDER_MARK.length
        if (begun.length > 0) this.#feed(begun)
      }
    }
    return from
  }

  /**
   * The short way, for a chunk with whole small events in it: decoded at once, then cut as text. Gives the place up to
   * which it went, which is the start when the careful way must be gone.
   */
  #readAsText(chunk: Uint8Array, from: number): number {
    const begun = this.#kind !== 'unknown' || this.#prefixSize > 0 || this.#hasData
    if (begun || this.#fault !== undefined) return from
    const to = endOfEvents(chunk, from)
    // Within these bounds no event and no field is too large.
    if (to - from > Math.min(this.#options.maxEventBytes, MAX_FIELD_BYTES) || to <= from)
      return from
    const text = decodeUtf8(chunk.subarray(from, to))
    if (text === undefined) return from
    const firstReturn = text.indexOf('\r')
    if (firstReturn >= 0 && hasLoneReturn(text, firstReturn)) return from
    this.#readText(text, firstReturn >= 0)
    return to
  }

  /** Whole events: each line ends with a newline, and with a CR before it at most. */
  #readText(text: string, returns: boolean): void {
    let data: string | undefined
    let from = 0
    for (;;) {
      const newline = text.indexOf('\n', from)
      if (newline < 0) return
      const returned = returns && newline > from && text.charCodeAt(newline - 1) === CARRIAGE_RETURN
      const to = returned ? newline - 1 : newline
      if (to === from) {
        this.#dispatch(data)
        data = undefined
      } else if (isData(text, from, to)) {
        const value = to === from + 4 ? '' : valueIn(text, from + 5, to)
        data = data === undefined ? value : `${data}\n${value}`
      } else this.#takeLine(text.slice(from, to))
      from = newline + 1
    }
  }

  /** The careful way: any bytes from any state, line by line. Nothing is searched twice. */
  #readLines(chunk: Uint8Array, start: number): void {
    let from = start
    let newline = indexOrEnd(chunk, NEWLINE, from)
    let carriageReturn = indexOrEnd(chunk, CARRIAGE_RETURN, from)
    for (;;) {
      const end = Math.min(newline, carriageReturn)
      if (end > from) this.#feed(chunk.subarray(from, end))
      if (end === chunk.length) return
      this.#endLine()
      from = end + 1
      if (end === carriageReturn) {
        this.#afterReturn = from === chunk.length
        if (chunk[from] === NEWLINE) from += 1
        carriageReturn = indexOrEnd(chunk, CARRIAGE_RETURN, from)
      }
      if (newline < from) newline = indexOrEnd(chunk, NEWLINE, from)
    }
  }

  /** More bytes of the current line. */
  #feed(bytes: Uint8Array): void {
    let rest = bytes
    if (this.#kind === 'unknown') {
      const first = rest.subarray(0, PREFIX_BYTES - this.#prefixSize)
      this.#prefix.set(first, this.#prefixSize)
      this.#prefixSize += first.length
      if (this.#prefixSize < PREFIX_BYTES) return
      rest = rest.subarray(first.length)
      this.#begin(this.#prefix)
    }
    if (rest.length === 0) return
    if (this.#kind === 'data') this.#addData(rest)
    else if (this.#kind === 'field') this.#addField(rest)
  }

  /** Tells by its first bytes what a line is. */
  #begin(bytes: Uint8Array): void {
    const value = valueOf(bytes, DATA)
    if (value >= 0) {
      this.#kind = 'data'
      if (this.#hasData) this.#addData(NEWLINE_BYTES)
      this.#hasData = true
      if (value < bytes.length) this.#addData(bytes.subarray(value))
    } else if (bytes[0] === COLON) {
      this.#kind = 'comment'
    } else if (FIELDS.some((name) => valueOf(bytes, name) >= 0)) {
      this.#kind = 'field'
      this.#field.add(bytes)
    } else this.#kind = 'ignored'
  }

  #endLine(): void {
    if (this.#kind === 'unknown') {
      if (this.#prefixSize === 0) return this.#dispatch(undefined)
      this.#begin(this.#prefix.subarray(0, this.#prefixSize))
    }
    const kind = this.#kind
    this.#kind = 'unknown'
    this.#prefixSize = 0
    if (kind === 'comment') this.#options.onComment?.()
    else if (kind === 'field') {
      const line = decodeUtf8(this.#field.take())
      if (line !== undefined) this.#takeLine(line)
      else if (this.#prefix[0] !== SMALL_R) this.#fault ??= 'not-utf8'
    }
  }

  #addData(bytes: Uint8Array): void {
    if (this.#ends !== undefined) return this.#ends.append(bytes)
    if (this.#data.size + bytes.length <= this.#options.maxEventBytes) return this.#data.add(bytes)
    this.#ends = createByteEnds(EDGE_BYTES, EDGE_BYTES)
    this.#ends.append(this.#data.take())
    this.#ends.append(bytes)
  }

  #addField(bytes: Uint8Array): void {
    if (this.#field.size + bytes.length <= MAX_FIELD_BYTES) return this.#field.add(bytes)
    this.#field.take()
    this.#kind = 'ignored'
    // An event must not lose its name or its id in silence; without `retry` one can live.
    if (this.#prefix[0] !== SMALL_R) this.#fault ??= 'too-large'
  }

  /** A line that holds no data. */
  #takeLine(line: string): void {
    const colon = line.indexOf(':')
    if (colon === 0) this.#options.onComment?.()
    else if (colon < 0) this.#takeField(line, '')
    else this.#takeField(line.slice(0, colon), valueIn(line, colon + 1, line.length))
  }

  #takeField(name: string, value: string): void {
    if (name === 'event') this.#type = value
    else if (name === 'retry') {
      if (isDigits(value)) this.#options.onRetry?.(Math.min(Number(value), Number.MAX_SAFE_INTEGER))
    } else if (name === 'id' && !value.includes('\0')) this.#id = value
  }

  /** An empty line: the event is whole. `text` is its data when that was never held as bytes. */
  #dispatch(text: string | undefined): void {
    this.lastEventId = this.#id
    if (!this.#hasData) {
      if (text !== undefined && text !== '') {
        const event = this.#type === '' ? 'message' : this.#type
        this.#type = ''
        return this.#options.onEvent({ event, data: text, id: this.#id })
      }
      return this.#clear()
    }
    this.#dispatchBytes()
  }

  #dispatchBytes(): void {
    const event = this.#type === '' ? 'message' : this.#type
    const id = this.#id
    const fault = this.#fault
    const ends = this.#ends
    const bytes = this.#data.take()
    this.#clear()
    if (ends !== undefined) {
      const { size } = ends
      const [head, tail] = [ends.head(), ends.tail()]
      return this.#options.onUnreadable({ reason: 'too-large', size, head, tail, event, id })
    }
    const data = fault === undefined ? decodeUtf8(bytes) : undefined
    if (data === undefined) {
      const reason = fault ?? 'not-utf8'
      const size = bytes.length
      return this.#options.onUnreadable({ reason, size, ...endsOf(bytes), event, id })
    }
    if (data !== '') this.#options.onEvent({ event, data, id })
  }

  #clear(): void {
    this.#hasData = false
    this.#ends = undefined
    this.#fault = undefined
    this.#type = ''
  }
}

function isData(text: string, from: number, to: number): boolean {
  if (text.charCodeAt(from) !== SMALL_D) return false
  return text.startsWith('data:', from) || (to === from + 4 && text.startsWith('data', from))
}

/** The value behind a colon, without one blank at its start. */
function valueIn(text: string, from: number, to: number): string {
  return text.slice(text.charCodeAt(from) === SPACE ? from + 1 : from, to)
}

/** Where the value of a line begins that has this name, or -1 when it has another. */
function valueOf(line: Uint8Array, name: Uint8Array): number {
  for (let at = 0; at < name.length; at += 1) if (line[at] !== name[at]) return -1
  if (line.length === name.length) return line.length
  if (line[name.length] !== COLON) return -1
  return line[name.length + 1] === SPACE ? name.length + 2 : name.length + 1
}

/** Index behind the last empty line that ends with a newline, or `from` when there is none. */
function endOfEvents(chunk: Uint8Array, from: number): number {
  let at = chunk.length
  while (at > from) {
    at = chunk.lastIndexOf(NEWLINE, at - 1)
    if (at < from) return from
    const before = chunk[at - 1] === CARRIAGE_RETURN && at - 1 >= from ? at - 1 : at
    if (before === from || chunk[before - 1] === NEWLINE) return at + 1
  }
  return from
}

function hasLoneReturn(text: string, first: number): boolean {
  for (let at = first; at >= 0; at = text.indexOf('\r', at + 1)) {
    if (text.charCodeAt(at + 1) !== NEWLINE) return true
  }
  return false
}

function indexOrEnd(bytes: Uint8Array, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from)
  return at < 0 ? bytes.length : at
}

function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 48 || code > 57) return false
  }
  return text !== ''
}
