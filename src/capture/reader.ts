/**
 * Reads a capture, also a torn, damaged or hostile one: what is whole is handed out, what is not is told.
 *
 * Garbage never throws; an error of the source itself does. Memory is bounded by the longest line allowed.
 */

import { exceedsDepth, isJsonObject } from '../base/json.ts'
import type { JsonObject } from '../base/json.ts'
import type { WireEvent } from '../jsonrpc/wire.ts'
import { crc32, hex8 } from './checksum.ts'
import { CAPTURE_FORMAT, CAPTURE_MAJOR, SEAL_LENGTH } from './format.ts'
import type { CaptureHeader, CaptureRecord } from './format.ts'
import { LineCutter } from './lines.ts'
import type { Line } from './lines.ts'
import { toEvent } from './record-event.ts'

/**
 * What is wrong with a stretch of the file: `header` no capture's first line; `version` a newer major one, nothing is
 * read; `checksum` altered bytes; `shape` a whole line that is no record; `too-long` a line over the limit; `torn` cut
 * off in the last line; `missing` records between this one and the one before; `order` a number that was there before;
 * `unfinished` no `end` record, so the writer was killed or is still at work.
 */
export type DamageCode =
  | 'header'
  | 'version'
  | 'checksum'
  | 'shape'
  | 'too-long'
  | 'torn'
  | 'missing'
  | 'order'
  | 'unfinished'

export interface Damage {
  readonly code: DamageCode
  /** From 1; 0 where no line is meant. */
  readonly line: number
  /** Place of the line in bytes. */
  readonly offset: number
  readonly message: string
  /** How many records are missing, when that is known. */
  readonly count?: number
  /** The line does not even begin as one of a capture. */
  readonly foreign?: true
}

/** What a capture is read as. `record` stands for gaps, ends, and types of newer minor versions. */
export type CaptureItem =
  | { readonly kind: 'header'; readonly header: CaptureHeader }
  | { readonly kind: 'event'; readonly event: WireEvent; readonly record: CaptureRecord }
  | { readonly kind: 'record'; readonly record: CaptureRecord }
  | { readonly kind: 'damage'; readonly damage: Damage }

export interface ReadCaptureOptions {
  /** Longest line in bytes; a longer one is skipped and told. Default 96 MiB. */
  readonly maxLineBytes?: number
  /** Whether lines with a wrong or no checksum are damage. `false` reads captures that were edited by hand. Default true. */
  readonly verify?: boolean
  /** Whether message events get their `reading`, which parses each text. Default true. */
  readonly readings?: boolean
}

const DEFAULT_MAX_LINE = 96 * 1024 * 1024
/** Facts are ours and shallow; a line that nests deeper was not written by a recorder. */
const MAX_RECORD_DEPTH = 1024

/** Everything in the file, in order. Ends early only after a `version` damage. */
export async function* readCapture(
  source: AsyncIterable<Uint8Array | string>,
  options: ReadCaptureOptions = {},
): AsyncGenerator<CaptureItem, void, undefined> {
  const parser = new CaptureParser(options)
  for await (const chunk of source) {
    yield* parser.push(chunk)
    if (parser.refused) return
  }
  yield* parser.end()
}

/** The events alone, for what takes a wire: lint, replay, a console view. */
export async function* captureEvents(
  items: AsyncIterable<CaptureItem>,
): AsyncGenerator<WireEvent, void, undefined> {
  for await (const item of items) if (item.kind === 'event') yield item.event
}

/** The same reader for chunks that are at hand. */
export class CaptureParser {
  /** True once a newer major version was met; nothing more comes. */
  refused = false
  readonly #cutter: LineCutter
  readonly #verify: boolean
  readonly #readings: boolean
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  readonly #encoder = new TextEncoder()
  #items: CaptureItem[] = []
  #line = 0
  #headed = false
  #seq = 0
  #crc: string | undefined
  /** Damaged lines since the last whole record: that many numbers may be missing without another word. */
  #damaged = 0
  #ended = false

  constructor(options: ReadCaptureOptions = {}) {
    this.#cutter = new LineCutter(options.maxLineBytes ?? DEFAULT_MAX_LINE)
    this.#verify = options.verify !== false
    this.#readings = options.readings !== false
  }

  push(chunk: Uint8Array | string): readonly CaptureItem[] {
    if (this.refused) return []
    const bytes = typeof chunk === 'string' ? this.#encoder.encode(chunk) : chunk
    this.#cutter.push(bytes, (line) => this.#take(line))
    return this.#drain()
  }

  /** What is left, and whether the file was finished. Call once. */
  end(): readonly CaptureItem[] {
    if (this.refused) return []
    this.#cutter.end((line) => this.#take(line))
    if (!this.refused && !this.#ended) {
      this.#tell(
        'unfinished',
        0,
        'The capture has no end record: its writer was stopped, or is still writing.',
      )
    }
    return this.#drain()
  }

  #drain(): readonly CaptureItem[] {
    const items = this.#items
    this.#items = []
    return items
  }

  #take(line: Line): void {
    if (this.refused) return
    this.#line += 1
    if (line.kind === 'too-long') {
      this.#damaged += 1
      this.#tell(
        'too-long',
        line.offset,
        `Line ${this.#line} has ${line.size} bytes, more than a capture's line may have. It is skipped.`,
      )
      return
    }
    const bytes = this.#line === 1 ? withoutBom(trimmed(line.bytes)) : trimmed(line.bytes)
    if (bytes.length === 0) return
    const body = this.#open(bytes)
    if (typeof body === 'object') this.#whole(body, line.offset)
    else if (!line.ended)
      this.#tell('torn', line.offset, `The last line is cut off after ${bytes.length} bytes.`, {
        foreign: isForeign(bytes),
      })
    else if (!this.#salvage(bytes, line.offset)) this.#broken(body, line.offset, isForeign(bytes))
  }

  /** The line as an object; or the name of what is wrong with it. */
  #open(bytes: Uint8Array): JsonObject | DamageCode {
    if (this.#verify && !isSealed(bytes)) return 'checksum'
    try {
      const text = this.#decoder.decode(bytes)
      if (exceedsDepth(text, MAX_RECORD_DEPTH)) return 'shape'
      const value: unknown = JSON.parse(text)
      return isJsonObject(value) ? value : 'shape'
    } catch {
      return 'shape' // no UTF-8, or no JSON
    }
  }

  #whole(value: JsonObject, offset: number): void {
    const first = !this.#headed && this.#seq === 0 && value['seq'] === undefined
    if (first || 'format' in value) this.#header(value, offset)
    else this.#record(value, offset)
  }

  #header(value: JsonObject, offset: number): void {
    const { format, version } = value
    const match = typeof version === 'string' ? /^(\d{1,6})\.(\d{1,6})$/.exec(version) : null
    if (format !== CAPTURE_FORMAT || match === null) {
      return this.#broken('header', offset, format !== CAPTURE_FORMAT)
    }
    if (Number(match[1]) !== CAPTURE_MAJOR) {
      this.refused = true
      this.#tell(
        'version',
        offset,
        `This capture has format version ${match[0]}; this program reads version ${CAPTURE_MAJOR}. Read it with the version of deep-pilot that wrote it, or a newer one.`,
      )
      return
    }
    this.#headed = true
    this.#crc = text(value['crc'])
    // Format and version were just checked, the rest is optional to readers.
    this.#items.push({ kind: 'header', header: value as unknown as CaptureHeader })
  }

  #record(value: JsonObject, offset: number): void {
    const { seq, type, wall, at } = value
    const sound =
      Number.isSafeInteger(seq) &&
      typeof type === 'string' &&
      typeof wall === 'number' &&
      typeof at === 'number'
    if (!sound) return this.#broken('shape', offset)
    // The four members that every record has were just checked; the others are checked where they are used.
    const record = value as unknown as CaptureRecord
    if (!this.#headed && this.#seq === 0 && this.#damaged === 0) {
      this.#tell(
        'header',
        offset,
        'The capture has no header. Its records are read as format version 1.',
      )
    }
    this.#chain(record, offset)
    const event = toEvent(record, this.#readings)
    this.#ended = record.type === 'end'
    if (event === 'bad') this.#broken('shape', offset)
    else if (event === undefined) this.#items.push({ kind: 'record', record })
    else this.#items.push({ kind: 'event', event, record })
  }

  /** Whether this record follows the one before. */
  #chain(record: CaptureRecord, offset: number): void {
    const gap = record.seq - this.#seq - 1
    if (gap < 0) {
      this.#tell(
        'order',
        offset,
        `Record ${record.seq} comes after record ${this.#seq}: lines were moved or copied.`,
      )
    } else if (gap > this.#damaged) {
      const count = gap - this.#damaged
      this.#tell('missing', offset, `${count} record(s) before record ${record.seq} are missing.`, {
        count,
      })
    } else if (
      gap === 0 &&
      this.#verify &&
      this.#damaged === 0 &&
      this.#crc !== undefined &&
      record.prev !== this.#crc
    ) {
      this.#tell(
        'missing',
        offset,
        `Record ${record.seq} does not continue the line before: one of them is from elsewhere.`,
      )
    }
    this.#damaged = 0
    this.#seq = record.seq
    this.#crc = text(record.crc)
  }

  #broken(code: DamageCode, offset: number, foreign = false): void {
    this.#damaged += 1
    const first = this.#line === 1
    const message = first
      ? 'Line 1 is not the header of a capture, or it is damaged. What follows is read as format version 1.'
      : `Line ${this.#line} is damaged (${code}). All other lines are read.`
    this.#tell(first ? 'header' : code, offset, message, { foreign })
  }

  /**
   * A damaged line may be two whole records whose line end was altered: both are looked for. Pieces do not overlap,
   * so this is linear.
   */
  #salvage(bytes: Uint8Array, offset: number): boolean {
    const pieces = splitJoined(bytes)
    if (pieces.length < 2) return false
    const found = pieces.map((piece) => ({
      start: piece.start,
      value: this.#open(bytes.subarray(piece.start, piece.end)),
    }))
    if (!found.some(({ value }) => typeof value === 'object')) return false
    this.#tell(
      'checksum',
      offset,
      `Line ${this.#line} has lost a line end between records. All records in it that are whole are read.`,
    )
    for (const { start, value } of found) {
      if (typeof value === 'object') this.#whole(value, offset + start)
      else this.#damaged += 1
    }
    return true
  }

  #tell(
    ...[code, offset, message, { count, foreign = false } = {}]: [
      code: DamageCode,
      offset: number,
      message: string,
      more?: { readonly count?: number; readonly foreign?: boolean },
    ]
  ): void {
    const line = code === 'unfinished' ? 0 : this.#line
    const damage: Damage = {
      code,
      line,
      offset,
      message,
      ...(count !== undefined && { count }),
      ...(foreign && { foreign }),
    }
    this.#items.push({ kind: 'damage', damage })
  }
}

const SEAL_START = new TextEncoder().encode(',"crc":"')
const RECORD_START = new TextEncoder().encode('{"seq":')
const HEADER_START = new TextEncoder().encode('{"format":')

/** Whether a line was never one of a capture; of a damaged one the beginning is mostly whole. */
function isForeign(bytes: Uint8Array): boolean {
  return !startsAt(bytes, RECORD_START, 0) && !startsAt(bytes, HEADER_START, 0)
}

/** Whether the line ends in the checksum of what stands before it. */
export function isSealed(bytes: Uint8Array): boolean {
  const body = bytes.length - SEAL_LENGTH
  if (body < 1 || !startsAt(bytes, SEAL_START, body)) return false
  const said = String.fromCharCode(...bytes.subarray(body + 8, body + 16))
  return (
    bytes[body + 16] === 34 &&
    bytes[body + 17] === 125 &&
    said === hex8(crc32(bytes.subarray(0, body)))
  )
}

/** Stretches that each look like one record: cut where a seal is followed, after one odd byte, by a record's beginning. */
function splitJoined(bytes: Uint8Array): { start: number; end: number }[] {
  const pieces: { start: number; end: number }[] = []
  let start = 0
  for (let at = bytes.indexOf(123, 1); at >= 0; at = bytes.indexOf(123, at + 1)) {
    if (!startsAt(bytes, RECORD_START, at)) continue
    // The odd byte stands where the line end was; none when it was lost.
    for (const end of [at - 1, at]) {
      if (
        end - SEAL_LENGTH > start &&
        bytes[end - 1] === 125 &&
        startsAt(bytes, SEAL_START, end - SEAL_LENGTH)
      ) {
        pieces.push({ start, end })
        start = at
        break
      }
    }
  }
  pieces.push({ start, end: bytes.length })
  return pieces
}

function startsAt(bytes: Uint8Array, sign: Uint8Array, at: number): boolean {
  for (let i = 0; i < sign.length; i += 1) if (bytes[at + i] !== sign[i]) return false
  return true
}

/** Without a carriage return, which text tools add. */
function trimmed(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes
}

function withoutBom(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
