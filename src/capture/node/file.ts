/**
 * Capture files on Node: opening one to record, and reading one.
 *
 * A capture is made for its owner only (0600), never through a link, and never over another file unless that is asked
 * for. One process writes a file at a time.
 */

import { Buffer } from 'node:buffer'
import {
  closeSync,
  constants,
  createReadStream,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  unlinkSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { crc32 as nativeCrc32 } from 'node:zlib'
import { systemClock } from '../../base/clock.ts'
import type { Clock } from '../../base/clock.ts'
import { describeError, UsageError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { WireSink } from '../../jsonrpc/wire.ts'
import { crc32Text } from '../checksum.ts'
import { Sealer, timeMembers } from '../format.ts'
import { readCapture } from '../reader.ts'
import type { CaptureItem, ReadCaptureOptions } from '../reader.ts'
import { eventEncoder, headerFields } from '../recorder.ts'
import type { RecorderOptions } from '../recorder.ts'
import { prepareAppend } from './append.ts'
import type { AppendPoint } from './append.ts'
import { openDisk } from './disk.ts'
import type { Disk } from './disk.ts'
import { FileWriter } from './file-writer.ts'
import type { CaptureState } from './file-writer.ts'
import { unreadable, unreadableWhy } from './unreadable.ts'

export interface OpenCaptureOptions extends Omit<
  RecorderOptions,
  'checksum' | 'created' | 'platform'
> {
  /** What to do when the file is there: `refuse` (default), `replace` it, or `append` to it. */
  readonly existing?: 'refuse' | 'replace' | 'append'
  /**
   * `batch` (default): records of one turn of the event loop go to the kernel together, and to the disk every 100 ms
   * or 1 MiB. `frame`: each record is on the disk before the message goes on, at some milliseconds a message.
   */
  readonly sync?: 'batch' | 'frame'
  /** Characters of records that may wait for a slow disk. Default 64 Mi; what comes beyond is dropped, counted, and told by a `gap`. */
  readonly maxQueued?: number
  /** Called when the state turns degraded, ok again, or closed. Must not throw. */
  readonly onState?: (state: CaptureState) => void
  readonly clock?: Clock
  /** Stands between the writer and the disk; for tests that make it fail. */
  readonly disk?: (disk: Disk) => Disk
}

/** A capture being written. Hand `sink` to a client, server or host, and close it when they are closed. */
export interface CaptureFile extends AsyncDisposable {
  readonly sink: WireSink
  readonly state: CaptureState
  /** Settles when all events so far are on the disk, or it refuses. */
  flush(): Promise<void>
  /** The same before it returns; also done when the process exits. */
  flushNow(): void
  /** Writes the end record. Never rejects; `state` tells what was lost. May be called twice. */
  close(): Promise<void>
}

const DEFAULT_QUEUED = 64 * 1024 * 1024

/** Opens `path` for recording. Rejects with a `UsageError` when the file may not be written so. */
export async function openCapture(
  path: string,
  options: OpenCaptureOptions = {},
): Promise<CaptureFile> {
  const clock = options.clock ?? systemClock
  const existing = options.existing ?? 'refuse'
  const { fd, created } = openFor(path, existing)
  try {
    const fields = {
      ...headerFields(options),
      created: clock.wall(),
      platform: { node: process.version, os: process.platform, arch: process.arch },
    }
    const point = created ? undefined : prepareAppend(fd, path, fields.redaction)
    const sealer = new Sealer(point?.state, checksum)
    const disk = (options.disk ?? ((real) => real))(openDisk(fd))
    let position = point?.size ?? 0
    if (created) position = writeHeader(disk, sealer.header(fields), path)
    const writer = new FileWriter(disk, sealer, position, {
      clock,
      sync: options.sync ?? 'batch',
      maxQueued: options.maxQueued ?? DEFAULT_QUEUED,
      onState: options.onState ?? (() => {}),
    })
    if (point !== undefined) writer.push(appendNote(point, fields, clock))
    return captureFile(writer, eventEncoder(options))
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Everything in a capture file, in order. Throws a `UsageError` when it cannot be opened; what is in it never throws. */
export async function* readCaptureFile(
  path: string,
  options: ReadCaptureOptions = {},
): AsyncGenerator<CaptureItem, void, undefined> {
  const stream = createReadStream(path, { highWaterMark: 256 * 1024 })
  try {
    yield* readCapture(chunks(stream, path), options)
  } finally {
    stream.destroy()
  }
}

async function* chunks(
  stream: AsyncIterable<unknown>,
  path: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk
  } catch (error) {
    throw unreadable(path, unreadableWhy(error), error)
  }
}

/** Files that must be flushed when the process ends by itself. One listener for all of them. */
const unfinished = new Set<FileWriter>()

function flushAll(): void {
  for (const writer of unfinished) writer.flushNow()
}

function captureFile(writer: FileWriter, encode: ReturnType<typeof eventEncoder>): CaptureFile {
  if (unfinished.size === 0) process.on('exit', flushAll)
  unfinished.add(writer)
  const close = async (): Promise<void> => {
    await writer.close()
    if (unfinished.delete(writer) && unfinished.size === 0) process.off('exit', flushAll)
  }
  return {
    sink: (event) => writer.push(encode(event)),
    get state() {
      return writer.state
    },
    flush: () => writer.flush(),
    flushNow: () => writer.flushNow(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function openFor(
  path: string,
  existing: 'refuse' | 'replace' | 'append',
): { fd: number; created: boolean } {
  const noFollow = constants.O_NOFOLLOW ?? 0
  try {
    const there = existing === 'refuse' ? undefined : lookAt(path)
    if (there && existing === 'append') {
      // Without waiting, should it have become a pipe in the meantime.
      const fd = openSync(path, constants.O_RDWR | noFollow | (constants.O_NONBLOCK ?? 0))
      if (!fstatSync(fd).isFile()) {
        closeSync(fd)
        throw new UsageError(
          `Cannot record to "${path}": it is no ordinary file. Choose another path.`,
          { detail: { kind: 'capture-unwritable', path, why: 'odd' } },
        )
      }
      fchmodSync(fd, 0o600)
      return { fd, created: false }
    }
    if (there) unlinkSync(path)
    const fd = openSync(
      path,
      constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | noFollow,
      0o600,
    )
    syncDirectory(dirname(path))
    return { fd, created: true }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const there = code === 'EEXIST'
    const advice = there
      ? 'it is there already. Choose another path, or ask for existing "replace" or "append"'
      : describeError(error)
    const why = there ? 'there' : code === 'ENOENT' ? 'no-folder' : 'system'
    throw new UsageError(`Cannot record to "${path}": ${advice}.`, {
      cause: error,
      detail: { kind: 'capture-unwritable', path, why, reason: describeError(error) },
    })
  }
}

/** Whether an ordinary file is there; anything else is refused. */
function lookAt(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return false
  if (stats.isSymbolicLink()) {
    throw new UsageError(
      `Cannot record to "${path}": it is a link to another file. Name the file itself.`,
      { detail: { kind: 'capture-unwritable', path, why: 'link' } },
    )
  }
  if (!stats.isFile())
    throw new UsageError(
      `Cannot record to "${path}": it is no ordinary file. Choose another path.`,
      { detail: { kind: 'capture-unwritable', path, why: 'odd' } },
    )
  return true
}

/** So that the name survives a power cut as well. Not every system lets a folder be opened. */
function syncDirectory(path: string): void {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch {
    return // Windows
  }
  try {
    fsyncSync(fd)
  } catch {
    return // some network file systems; the file itself is synced all the same
  } finally {
    closeSync(fd)
  }
}

/** Written before anything else: a disk that refuses even this should be heard of at once. */
function writeHeader(disk: Disk, line: string, path: string): number {
  const bytes = Buffer.from(line, 'utf8')
  try {
    for (let done = 0; done < bytes.length;) done += disk.writeNow(bytes.subarray(done), done)
    disk.syncNow()
  } catch (error) {
    const reason = describeError(error)
    throw new UsageError(`Cannot record to "${path}": ${reason}.`, {
      cause: error,
      detail: { kind: 'capture-unwritable', path, why: 'system', reason },
    })
  }
  return bytes.length
}

/** Tells a reader that monotonic times before and after have nothing to do with each other. */
function appendNote(
  point: AppendPoint,
  fields: { product: string; platform: JsonObject },
  clock: Clock,
): string {
  const data = { product: fields.product, platform: fields.platform, torn: point.torn }
  const times = timeMembers({ wall: clock.wall(), at: clock.now() })
  return `"type":"note",${times},"kind":"append","data":${JSON.stringify(data)}`
}

/** The native checksum has a cost a call and wins from some hundred characters on. */
function checksum(text: string): number {
  return text.length < 256 ? crc32Text(text) : nativeCrc32(text)
}
