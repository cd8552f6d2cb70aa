/**
 * The capture file, version 1: JSON lines, a header first, each line sealed by a checksum that names the line before.
 *
 * This file knows how lines look; what goes into them is `recorder`, how they are read back is `reader`. The whole
 * format is told in `docs/capture-format.md`.
 */

import type { JsonObject } from '../base/json.ts'
import type { Chain, Direction } from '../jsonrpc/wire.ts'
import { crc32Text, hex8 } from './checksum.ts'

export const CAPTURE_FORMAT = 'deep-pilot.capture'
/** A reader refuses another major version; a higher minor one only adds members and record types. */
export const CAPTURE_MAJOR = 1
export const CAPTURE_MINOR = 0

/** Line 1. Members of newer minor versions are kept. */
export interface CaptureHeader {
  readonly format: typeof CAPTURE_FORMAT
  /** `major.minor`. */
  readonly version: string
  /** Name and version of what wrote the file, e.g. `deep-pilot/0.8.0`. */
  readonly product: string
  /** Milliseconds since 1970. */
  readonly created: number
  /** `off` when the file may hold secrets in the open. */
  readonly redaction: 'on' | 'off'
  /** Facts of the machine that are no secrets, e.g. `{ "node": "v20.20.2", "os": "linux", "arch": "x64" }`. */
  readonly platform?: JsonObject
  readonly crc?: string
  readonly [member: string]: unknown
}

export const RECORD_TYPES = ['open', 'message', 'note', 'close', 'gap', 'end'] as const
export type RecordType = (typeof RECORD_TYPES)[number]

/** One line after the header, as it stands in the file. */
export interface CaptureRecord {
  /** Place in the file: 1 for the line after the header, up by one. */
  readonly seq: number
  /** One of `RECORD_TYPES`, or the word of a newer minor version. */
  readonly type: string
  /** Milliseconds since 1970. */
  readonly wall: number
  /** Monotonic milliseconds of the process that wrote; comparable within one stretch of writing only. */
  readonly at: number
  /** The connection; missing in `gap`, `end` and remarks about the file itself. */
  readonly conn?: string
  /** Counts within the connection. */
  readonly n?: number
  readonly transport?: string
  readonly dir?: Direction
  /** Of a note. */
  readonly kind?: string
  /** The exact text, redaction apart. */
  readonly text?: string
  /** The exact bytes as Base64, where they are not UTF-8. */
  readonly b64?: string
  /** Of a note. */
  readonly data?: JsonObject
  readonly facts?: JsonObject
  readonly chain?: Chain
  /** Why a connection closed or records are missing. */
  readonly reason?: JsonObject
  /** Of a gap: records lost. Of an end: records in this stretch of writing. */
  readonly count?: number
  /** Values that redaction replaced in this record. */
  readonly redacted?: number
  /** Checksum of the line before. */
  readonly prev?: string
  readonly crc?: string
  readonly [member: string]: unknown
}

export interface HeaderFields {
  readonly product: string
  readonly created: number
  readonly redaction: 'on' | 'off'
  readonly platform?: JsonObject | undefined
}

/** Where a file stands: what the next line must say. */
export interface SealState {
  /** `seq` of the last line; 0 is the header. */
  readonly seq: number
  /** Its checksum. */
  readonly crc: string
}

/** Computes CRC32 of a text's UTF-8 bytes; a faster native one may be passed where there is one. */
export type Checksum = (text: string) => number

/** Length of `,"crc":"01234567"}`, which ends every line. */
export const SEAL_LENGTH = 18

/** Numbers the lines of one file and chains their checksums. Not safe to share between files. */
export class Sealer {
  /** Set it back to undo the last line, when that could not be written. */
  state: SealState
  readonly #checksum: Checksum

  constructor(state: SealState = { seq: -1, crc: '' }, checksum: Checksum = crc32Text) {
    this.state = state
    this.#checksum = checksum
  }

  /** The first line, with its line end. */
  header(fields: HeaderFields): string {
    const { product, created, redaction, platform } = fields
    const head = {
      format: CAPTURE_FORMAT,
      version: `${CAPTURE_MAJOR}.${CAPTURE_MINOR}`,
      product,
      created,
      redaction,
      ...(platform === undefined ? {} : { platform }),
    }
    return this.#close(JSON.stringify(head).slice(0, -1), 0)
  }

  /** A line from the members between `seq` and `prev` (`"type":…`, no braces), with its line end. */
  record(members: string): string {
    const seq = this.state.seq + 1
    return this.#close(`{"seq":${seq},${members},"prev":"${this.state.crc}"`, seq)
  }

  #close(body: string, seq: number): string {
    const crc = hex8(this.#checksum(body))
    this.state = { seq, crc }
    return `${body},"crc":"${crc}"}\n`
  }
}

/** The members of a `gap`: `count` records are missing here, or 0 when writing failed for a while and nothing was lost. */
export function gapMembers(count: number, reason: string, times: RecordTimes): string {
  return `"type":"gap",${timeMembers(times)},"reason":${JSON.stringify({ message: reason })},"count":${count}`
}

/** The members of an `end`: written on purpose, so a file without it was cut off or is still being written. */
export function endMembers(count: number, times: RecordTimes): string {
  return `"type":"end",${timeMembers(times)},"count":${count}`
}

export interface RecordTimes {
  readonly wall: number
  readonly at: number
}

/** Both times; microseconds are kept, what is finer is noise. */
export function timeMembers(times: RecordTimes): string {
  return `"wall":${jsonNumber(times.wall)},"at":${jsonNumber(times.at)}`
}

/** At most three decimals. Built from whole numbers: writing a fraction the general way costs as much as a checksum. */
function jsonNumber(value: number): string {
  if (Number.isInteger(value)) return String(value)
  if (!Number.isFinite(value)) return '0'
  const micro = Math.round(value * 1000)
  if (micro < 0 || micro >= 2 ** 40) return String(micro / 1000)
  const whole = Math.floor(micro / 1000)
  const rest = micro - whole * 1000
  if (rest === 0) return String(whole)
  if (rest % 100 === 0) return `${whole}.${rest / 100}`
  if (rest % 10 === 0) return `${whole}.${rest < 100 ? '0' : ''}${rest / 10}`
  return `${whole}.${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}`
}
