/** Writes a file as one step: readers see the old one or the new one whole. Only the user may read what is made anew. */

import { randomBytes } from 'node:crypto'
import { chmod, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError, describeError } from '../../base/errors.ts'
import { makeFolder } from './make-folder.ts'

export interface WriteOptions {
  /** Permissions of the file. Default: those it has, else for the user alone. */
  readonly mode?: number
}

/** Makes the folder when it is not there. Rejects with `ConfigError`, and the file is then as it was. */
export async function writeFileWhole(
  path: string,
  text: string,
  options: WriteOptions = {},
): Promise<void> {
  const fresh = `${path}.${randomBytes(6).toString('hex')}.new`
  makeFolder(dirname(path))
  try {
    const mode = options.mode ?? (await modeOf(path)) ?? 0o600
    const handle = await open(fresh, 'wx', mode)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // The mask of the process may have taken some away.
    await chmod(fresh, mode)
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined) // the first error says more
    throw unwritable(path, error)
  }
}

/** That a file cannot be written, and what to do. */
export function unwritable(path: string, cause: unknown): ConfigError {
  const reason = describeError(cause)
  return new ConfigError(
    `"${path}" cannot be written: ${reason}. Check the permissions of its folder.`,
    { file: path, cause, detail: { kind: 'file-unwritable', reason } },
  )
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777
  } catch {
    // There is none yet, or the rest fails with a better word for it.
    return undefined
  }
}
