/**
 * What a person wrote at the prompt, kept from one chat to the next: a file of JSON lines for the user alone, of which the last few
 * hundred count. It is a convenience: a file that cannot be read or written is no failure of a chat.
 */

import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from '../../base/log.ts'
import { describeError } from '../../base/errors.ts'
import { makeFolder } from '../../config/node/make-folder.ts'
import { readTextIfThere } from '../../config/node/read-text.ts'
import { writeFileWhole } from '../../config/node/write-private.ts'
import { MAX_HISTORY } from './line-editor.ts'

/** Size beyond which only the last entries are kept. */
const MAX_BYTES = 1024 * 1024
/** Largest text that is kept. */
const MAX_ENTRY = 16 * 1024

const FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0)

export class InputHistory {
  readonly #path: string
  readonly #logger: Logger
  #entries: readonly string[] = []
  #bytes = 0
  #last: Promise<void> = Promise.resolve()

  constructor(path: string, logger: Logger) {
    this.#path = path
    this.#logger = logger
  }

  /** What was written before, the newest last. */
  async read(): Promise<readonly string[]> {
    try {
      const text = (await readTextIfThere(this.#path, 2 * MAX_BYTES))?.text ?? ''
      this.#bytes = Buffer.byteLength(text)
      this.#entries = text.split('\n').flatMap(entryIn).slice(-MAX_HISTORY)
    } catch (error) {
      this.#logger.debug('what was written before cannot be read', { error: describeError(error) })
    }
    return this.#entries
  }

  /** Adds one; settles when it is written, and never rejects. */
  add(text: string): Promise<void> {
    if (text.length > MAX_ENTRY) return this.#last
    this.#entries = [...this.#entries, text].slice(-MAX_HISTORY)
    this.#last = this.#last
      .then(() => this.#write(`${JSON.stringify(text)}\n`))
      .catch((error: unknown) => {
        this.#logger.debug('what was written is not kept', { error: describeError(error) })
      })
    return this.#last
  }

  async #write(line: string): Promise<void> {
    this.#bytes += Buffer.byteLength(line)
    if (this.#bytes > MAX_BYTES) {
      const text = this.#entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      // Long ones are left out until the rest has room.
      const kept = text.slice(text.indexOf('\n', Math.max(0, text.length - MAX_BYTES / 2)) + 1)
      this.#bytes = Buffer.byteLength(kept)
      return writeFileWhole(this.#path, kept, { mode: 0o600 })
    }
    makeFolder(dirname(this.#path))
    const file = await open(this.#path, FLAGS, 0o600)
    try {
      await file.appendFile(line)
    } finally {
      await file.close()
    }
  }
}

function entryIn(line: string): readonly string[] {
  if (line === '') return []
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'string' ? [entry] : []
  } catch {
    return [] // half a line, from a process that was killed
  }
}
