/** A capture that a person named: what is in it, or why it is none. */

import type { CaptureItem, ReadCaptureOptions } from '../reader.ts'
import { readCaptureFile } from './file.ts'
import { unreadable } from './unreadable.ts'

/** Lines of something else after which no more are read. */
const MAX_FOREIGN = 1000

/** The same for whoever names a file: also throws a `UsageError` for one that is empty, or no capture at all. */
export async function* readNamedCapture(
  path: string,
  options: ReadCaptureOptions = {},
): AsyncGenerator<CaptureItem, void, undefined> {
  const held: CaptureItem[] = []
  let isCapture = false
  for await (const item of readCaptureFile(path, options)) {
    isCapture ||= isOfCapture(item)
    held.push(item)
    if (isCapture) yield* held.splice(0)
    else if (held.length > MAX_FOREIGN) break
  }
  if (isCapture) return
  throw unreadable(path, held.length > 1 ? 'no-capture' : 'empty')
}

/** Whether it was found in a capture, maybe a damaged one; that the end is missing is true of any other file. */
function isOfCapture(item: CaptureItem): boolean {
  if (item.kind !== 'damage') return true
  return item.damage.foreign !== true && item.damage.code !== 'unfinished'
}
