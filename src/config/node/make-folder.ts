/**
 * Makes a folder with those above it that are missing, level by level. Node's own way asks again and again where a system says that
 * what it just made is not there, as below `/proc`, and its errors are the system's.
 */

import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { FolderFault } from '../../base/error-detail.ts'
import { ConfigError, describeError } from '../../base/errors.ts'

/** Most folders that are made for one. */
export const MAX_LEVELS = 64

/** For the user alone, what is made anew. Does nothing where it is there. Throws a `ConfigError`. */
export function makeFolder(path: string): void {
  const whole = resolve(path)
  for (const folder of missing(whole)) make(folder, whole)
}

/** The folders that are to be made, the highest first. */
function missing(whole: string): readonly string[] {
  const found: string[] = []
  for (let at = whole; !isThere(at, whole); at = dirname(at)) {
    if (found.length === MAX_LEVELS || at === dirname(at)) throw unmade(whole, at, 'too-deep')
    found.unshift(at)
  }
  return found
}

/** Throws where something that is no folder stands in the way. */
function isThere(folder: string, whole: string): boolean {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats?.isDirectory() === false) throw unmade(whole, folder, 'no-folder')
    return stats !== undefined
  } catch (error) {
    if (error instanceof ConfigError) throw error
    // Above it is a file: that one is found on the way up.
    if (codeOf(error) === 'ENOTDIR') return false
    throw unmade(whole, folder, FAULTS.get(codeOf(error)) ?? 'system', error)
  }
}

function make(folder: string, whole: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (codeOf(error) === 'EEXIST' && isThere(folder, whole)) return
    throw unmade(whole, dirname(folder), FAULTS.get(codeOf(error)) ?? 'system', error)
  }
}

const FAULTS: ReadonlyMap<string | undefined, FolderFault> = new Map([
  ['EACCES', 'forbidden'],
  ['EPERM', 'forbidden'],
  ['EROFS', 'read-only'],
])

/** `at` is the folder or file that is in the way. */
const SENTENCES: Readonly<Record<FolderFault, (at: string, reason: string) => string>> = {
  'no-folder': (at) => `"${at}" is no folder`,
  forbidden: (at) => `the permissions of "${at}" do not allow it`,
  'read-only': (at) => `"${at}" is on a file system that can only be read`,
  'too-deep': () => `more than ${MAX_LEVELS} folders above it are missing`,
  system: (at, reason) => `"${at}" takes none (${reason})`,
}

function unmade(whole: string, at: string, why: FolderFault, cause?: unknown): ConfigError {
  const reason = cause === undefined ? '' : describeError(cause)
  const facts = {
    ...(why === 'too-deep' && { limit: MAX_LEVELS }),
    ...(reason !== '' && { reason }),
  }
  return new ConfigError(
    `The folder "${whole}" cannot be made: ${SENTENCES[why](at, reason)}. Mend that, or choose another place; DEEP_PILOT_HOME sets where this program keeps what it needs.`,
    {
      file: whole,
      ...(cause !== undefined && { cause }),
      detail: { kind: 'folder-unmade', why, at, ...facts },
    },
  )
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
