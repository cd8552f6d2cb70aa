/**
 * Going on with a capture that is there: finds its last whole line and moves a torn tail out of the way.
 *
 * Whole lines are never rewritten. The tail is kept beside the capture, in `<path>.torn`.
 */

import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { isJsonObject } from '../../base/json.ts'
import { UsageError } from '../../base/errors.ts'
import { CAPTURE_FORMAT, CAPTURE_MAJOR } from '../format.ts'
import type { SealState } from '../format.ts'
import { isSealed } from '../reader.ts'

export interface AppendPoint {
  readonly state: SealState
  /** Size of the whole lines. */
  readonly size: number
  /** Bytes that were cut. */
  readonly torn: number
}

/** First look backwards; each further one is eight times as long. */
const FIRST_WINDOW = 64 * 1024
/** A tail longer than this is no torn line. */
const LAST_WINDOW = 256 * 1024 * 1024
const MAX_HEADER = 64 * 1024

/** Checks the header, cuts the tail, and tells how to go on. Throws a `UsageError` when the file is no capture of ours. */
export function prepareAppend(fd: number, path: string, redaction: 'on' | 'off'): AppendPoint {
  checkHeader(fd, path, redaction)
  const total = fstatSync(fd).size
  const last = findLast(fd, total)
  if (last === undefined) {
    throw new UsageError(
      `Cannot append to "${path}": no whole record was found near its end. Record to a new file.`,
      { detail: { kind: 'capture-no-append', path, why: 'no-record' } },
    )
  }
  const torn = total - last.size
  if (torn > 0) {
    saveTail(fd, `${path}.torn`, { from: last.size, length: torn })
    ftruncateSync(fd, last.size)
    fsyncSync(fd)
  }
  return { ...last, torn }
}

function checkHeader(fd: number, path: string, redaction: 'on' | 'off'): void {
  const start = read(fd, 0, MAX_HEADER)
  const line = start.subarray(0, Math.max(0, start.indexOf(10)))
  const header = parse(line)
  const version = header?.['version']
  if (header?.['format'] !== CAPTURE_FORMAT || typeof version !== 'string') {
    throw new UsageError(`Cannot append to "${path}": it is no capture. Choose another file.`, {
      detail: { kind: 'capture-no-append', path, why: 'no-capture' },
    })
  }
  if (version.split('.')[0] !== String(CAPTURE_MAJOR)) {
    throw new UsageError(
      `Cannot append to "${path}": it has format version ${version}. Record to a new file.`,
      { detail: { kind: 'capture-no-append', path, why: 'version' } },
    )
  }
  if (header['redaction'] !== redaction) {
    throw new UsageError(
      `Cannot append to "${path}": its header says redaction is ${String(header['redaction'])}, and now it is ${redaction}. Record to a new file.`,
      { detail: { kind: 'capture-no-append', path, why: 'redaction' } },
    )
  }
}

function findLast(fd: number, total: number): { state: SealState; size: number } | undefined {
  for (let window = FIRST_WINDOW; ; window *= 8) {
    const from = Math.max(0, total - window)
    const found = lastSealed(read(fd, from, total - from), from)
    if (found !== undefined || from === 0 || window >= LAST_WINDOW) return found
  }
}

/** The last line in `bytes` that has a line end and a right checksum. */
function lastSealed(
  bytes: Uint8Array,
  offset: number,
): { state: SealState; size: number } | undefined {
  for (let end = bytes.lastIndexOf(10); end >= 0;) {
    const before = end === 0 ? -1 : bytes.lastIndexOf(10, end - 1)
    // The first line of a window that starts inside of the file is cut off at its beginning.
    if (before < 0 && offset > 0) return undefined
    const line = bytes.subarray(before + 1, end)
    const value = isSealed(line) ? parse(line) : undefined
    const crc = value?.['crc']
    if (value !== undefined && typeof crc === 'string') {
      const seq = typeof value['seq'] === 'number' ? value['seq'] : 0
      return { state: { seq, crc }, size: offset + end + 1 }
    }
    end = before
  }
  return undefined
}

function saveTail(fd: number, path: string, tail: { from: number; length: number }): void {
  const flags =
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0)
  const torn = openSync(path, flags, 0o600)
  try {
    const end = tail.from + tail.length
    for (let at = tail.from; at < end; at += 1024 * 1024) {
      const piece = read(fd, at, Math.min(1024 * 1024, end - at))
      for (let done = 0; done < piece.length;) done += writeSync(torn, piece, done)
    }
    fsyncSync(torn)
  } finally {
    closeSync(torn)
  }
}

function read(fd: number, from: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let done = 0
  while (done < length) {
    const got = readSync(fd, bytes, done, length - done, from + done)
    if (got === 0) break
    done += got
  }
  return bytes.subarray(0, done)
}

function parse(line: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(line))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
