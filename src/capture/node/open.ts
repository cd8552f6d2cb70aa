/** Captures in files, for whoever may never have one: what writes and reads them is loaded with the first. */

import type { CaptureItem, ReadCaptureOptions } from '../reader.ts'
import type { CaptureFile, OpenCaptureOptions } from './file.ts'

/** Opens `path` for recording. Rejects with a `UsageError` when the file may not be written so. */
export async function openCapture(
  path: string,
  options?: OpenCaptureOptions,
): Promise<CaptureFile> {
  const file = await import('./file.ts')
  return file.openCapture(path, options)
}

/** Everything in a capture file, in order. Throws a `UsageError` when it cannot be opened; what is in it never throws. */
export async function* readCaptureFile(
  path: string,
  options?: ReadCaptureOptions,
): AsyncGenerator<CaptureItem, void, undefined> {
  const file = await import('./file.ts')
  yield* file.readCaptureFile(path, options)
}
