/** Files as text, with a limit: what is no file, too large or no UTF-8 is refused before anything reads it. */

import { createHash } from 'node:crypto'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { ConfigError, describeError } from '../../base/errors.ts'
import { MAX_CONFIG_BYTES } from '../document.ts'
import { fileFaultInWords, type FileFaultFacts } from '../file-faults.ts'

export interface FileText {
  readonly text: string
  /** Of the bytes, in hexadecimal digits. */
  readonly sha256: string
}

/** The file, or nothing when there is none. Rejects with `ConfigError` for everything that cannot be read as a text. */
export async function readTextIfThere(
  path: string,
  limit: number = MAX_CONFIG_BYTES,
): Promise<FileText | undefined> {
  try {
    return await readText(path, limit)
  } catch (error) {
    if (error instanceof ConfigError && isMissing(error.cause)) return undefined
    throw error
  }
}

/** The same, where a file that is not there is an error as well. */
export async function readText(path: string, limit: number = MAX_CONFIG_BYTES): Promise<FileText> {
  const bytes = await readBytes(path, limit)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), sha256 }
  } catch (error) {
    throw fault(path, { why: 'no-utf8' }, error)
  }
}

async function readBytes(path: string, limit: number): Promise<Uint8Array> {
  let handle: FileHandle | undefined
  try {
    // A pipe would be waited for without end.
    if (!(await stat(path)).isFile()) throw fault(path, { why: 'no-file' })
    handle = await open(path, 'r')
    return await upTo(handle, path, limit)
  } catch (error) {
    throw error instanceof ConfigError ? error : fault(path, faultOf(error), error)
  } finally {
    await handle?.close()
  }
}

/** All of a file; its size is not believed, as it may grow or be none. */
async function upTo(handle: FileHandle, path: string, limit: number): Promise<Uint8Array> {
  const { size } = await handle.stat()
  const chunks: Uint8Array[] = []
  let total = 0
  for (;;) {
    const chunk = new Uint8Array(Math.min(Math.max(size - total, 0) + 4096, limit + 1))
    const { bytesRead } = await handle.read(chunk)
    if (bytesRead === 0) return Buffer.concat(chunks)
    total += bytesRead
    if (total > limit) throw fault(path, { why: 'too-large', limit })
    chunks.push(chunk.subarray(0, bytesRead))
  }
}

function fault(path: string, facts: FileFaultFacts, cause?: unknown): ConfigError {
  return new ConfigError(`"${path}" cannot be used, because ${fileFaultInWords(facts)}.`, {
    file: path,
    cause,
    detail: { kind: 'file-unusable', ...facts },
  })
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && MISSING.has(error.code)
}

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])

function faultOf(error: unknown): FileFaultFacts {
  if (isMissing(error)) return { why: 'missing' }
  if (error instanceof Error && 'code' in error && error.code === 'EACCES')
    return { why: 'forbidden' }
  return { why: 'system', reason: describeError(error) }
}
