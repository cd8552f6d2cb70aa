/**
 * A transcript as a file of JSON lines that is only ever appended to, for its owner alone. Each line is with the system before
 * anything follows from it, so that a killed program loses what was under way and nothing else.
 */

import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { makeFolder } from '../../config/node/make-folder.ts'
import { unwritable } from '../../config/node/write-private.ts'
import { Transcript, type TranscriptProblem } from '../transcript.ts'

export interface TranscriptFileOptions {
  /** Largest file that is read again, in bytes. Default 256 MiB. */
  readonly maxBytes?: number
}

export interface TranscriptFile {
  readonly transcript: Transcript
  /** Lines that could not be read, and are left out. */
  readonly problems: readonly TranscriptProblem[]
  /** May be called more than once; what is said afterwards is not written down any more. */
  close(): void
}

const FLAGS =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0)
const MAX_BYTES = 256 * 1024 * 1024

/**
 * Opens a transcript, or begins one; its folder is made as well. Rejects with a `UsageError` for a file that is none or is too large,
 * and with a `ConfigError` when it cannot be opened. One program at a time may write to a file.
 */
export async function openTranscriptFile(
  path: string,
  { maxBytes = MAX_BYTES }: TranscriptFileOptions = {},
): Promise<TranscriptFile> {
  makeFolder(dirname(path))
  const file = opened(path)
  let isOpen = true
  const close = (): void => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  const write = (line: string): void => {
    if (!isOpen) throw new UsageError(`The transcript ${path} was closed.`)
    writeAll(file, Buffer.from(line, 'utf8'))
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile())
      throw new UsageError(`${path} is no file, so that no transcript can be kept in it.`, {
        detail: { kind: 'session-file', path, why: 'no-file' },
      })
    if (stats.size > maxBytes) {
      throw new UsageError(
        `The transcript ${path} has ${stats.size} bytes; at most ${maxBytes} are read. Begin a new one.`,
        { detail: { kind: 'session-file', path, why: 'too-large', limit: maxBytes } },
      )
    }
    return { ...Transcript.read(readFileSync(file, 'utf8'), { write }), close }
  } catch (error) {
    close()
    throw error
  }
}

function opened(path: string): number {
  try {
    return openSync(path, FLAGS, 0o600)
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** A system may take a part of what it is given. */
function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}
