/**
 * The audit log as a file of JSON lines that is only ever appended to. Beyond a size it is moved aside, and of those moved
 * aside the oldest goes. Several hosts may write to one file: each line is one write.
 */

import { constants } from 'node:fs'
import { open, rename, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../config/node/make-folder.ts'
import { unwritable } from '../config/node/write-private.ts'
import type { AuditRecord, AuditSink } from './audit.ts'

export interface AuditFileOptions {
  /** Size in bytes beyond which the file is moved aside, to `<path>.1`. Default 16 MiB. */
  readonly maxBytes?: number
  /** How many files are kept beside the current one. Default 3. */
  readonly keep?: number
}

const FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0)

/** Opens the log, or makes it, readable for its owner alone. Rejects with a `ConfigError` when that cannot be. Close it at the end. */
export async function openAuditFile(
  path: string,
  options: AuditFileOptions = {},
): Promise<Required<AuditSink>> {
  const { maxBytes = 16 * 1024 * 1024, keep = 3 } = options
  makeFolder(dirname(path))
  const log = new AuditLog(path, { maxBytes, keep })
  try {
    await log.open()
  } catch (error) {
    throw unwritable(path, error)
  }
  return log
}

class AuditLog implements AuditSink {
  readonly #path: string
  readonly #limits: Required<AuditFileOptions>
  #file: FileHandle | undefined
  #size = 0
  #last: Promise<void> = Promise.resolve()

  constructor(path: string, limits: Required<AuditFileOptions>) {
    this.#path = path
    this.#limits = limits
  }

  async open(): Promise<void> {
    this.#file = await open(this.#path, FLAGS, 0o600)
    this.#size = (await this.#file.stat()).size
  }

  /** Settles when the line is with the system. In order, also when several are on their way. */
  record(record: AuditRecord): Promise<void> {
    const line = `${JSON.stringify(record)}\n`
    const written = this.#last.then(() => this.#write(line))
    this.#last = written.catch(() => undefined) // whoever gave the record hears of it
    return written
  }

  async #write(line: string): Promise<void> {
    const bytes = Buffer.byteLength(line)
    if (this.#size + bytes > this.#limits.maxBytes && this.#size > 0) await this.#moveAside()
    if (this.#file === undefined) await this.open()
    await this.#file?.appendFile(line)
    this.#size += bytes
  }

  /** Another host may have done so meanwhile: then there is only a new file to open. */
  async #moveAside(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    const own = await file?.stat()
    await file?.close()
    if (own?.ino !== (await inodeOf(this.#path))) return
    for (let number = this.#limits.keep; number > 0; number -= 1) {
      const from = number === 1 ? this.#path : `${this.#path}.${number - 1}`
      await rename(from, `${this.#path}.${number}`).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
    }
  }

  async close(): Promise<void> {
    await this.#last
    await this.#file?.close()
    this.#file = undefined
  }
}

async function inodeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).ino
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
