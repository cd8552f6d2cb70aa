/** Why a file is not read as a capture, in words and in facts. */

import type { DetailOf } from '../../base/error-detail.ts'
import { describeError, UsageError } from '../../base/errors.ts'

export type Unreadable = DetailOf<'capture-unreadable'>['why']

const UNREADABLE: Readonly<Record<Unreadable, string>> = {
  missing: 'it is not there. Check the path',
  folder: 'it is a folder. Name the file in it',
  forbidden: 'it may not be read. Change its permissions',
  empty: 'it is empty. Name a file that was written with --capture',
  'no-capture': 'it is no capture. Name a file that was written with --capture',
  system: '',
}
const BY_CODE: ReadonlyMap<unknown, Unreadable> = new Map<unknown, Unreadable>([
  ['ENOENT', 'missing'],
  ['ENOTDIR', 'missing'],
  ['EISDIR', 'folder'],
  ['EACCES', 'forbidden'],
  ['EPERM', 'forbidden'],
])

/** The error for who named the file. */
export function unreadable(path: string, why: Unreadable, cause?: unknown): UsageError {
  const reason = cause === undefined ? undefined : describeError(cause)
  const told = why === 'system' ? reason : UNREADABLE[why]
  return new UsageError(`Cannot read the capture "${path}": ${told}.`, {
    cause,
    detail: { kind: 'capture-unreadable', path, why, reason },
  })
}

/** What the error of a system means. */
export function unreadableWhy(error: unknown): Unreadable {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return BY_CODE.get(code) ?? 'system'
}
