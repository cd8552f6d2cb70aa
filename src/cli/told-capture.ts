/** A capture that a person named, for every command that reads one: what is in it, and on stderr what cannot be read of it. */

import { terminalText } from '../base/terminal-text.ts'
import { readNamedCapture } from '../capture/node/named-capture.ts'
import type { CaptureItem, Damage, ReadCaptureOptions } from '../capture/reader.ts'
import { EXIT } from './exit-codes.ts'
import type { Invocation } from './invocation.ts'
import type { Output } from './output.ts'

/** Places told one by one. */
const MAX_DAMAGES = 10

export type CaptureInvocation = Pick<Invocation, 'json' | 'signal' | 'messages' | 'finish'> & {
  readonly output: Pick<Output, 'note' | 'noteJson'>
}

export interface ToldCaptureOptions extends ReadCaptureOptions {
  /** Whether it is told that the end is missing, as of one that is still written. Default false. */
  readonly tellsEnd?: boolean
}

/** All of it that can be read, in order. A damaged one ends the run as a mismatch; throws a `UsageError` for what is no capture. */
export async function* readToldCapture(
  invocation: CaptureInvocation,
  path: string,
  { tellsEnd = false, ...options }: ToldCaptureOptions = {},
): AsyncGenerator<Exclude<CaptureItem, { readonly kind: 'damage' }>, void, undefined> {
  const { signal, output, json, messages } = invocation
  let damages = 0
  for await (const item of readNamedCapture(path, options)) {
    signal.throwIfAborted()
    if (item.kind !== 'damage') yield item
    else if (tellsEnd || item.damage.code !== 'unfinished') {
      damages += 1
      if (damages <= MAX_DAMAGES || json) tell(invocation, item.damage)
    }
  }
  const untold = damages - MAX_DAMAGES
  if (untold > 0 && !json) output.note(messages.notes.moreDamage(untold))
}

/** A file that only lacks its end is sound as far as it goes. */
function tell(invocation: CaptureInvocation, damage: Damage): void {
  const { output, json, messages } = invocation
  if (damage.code !== 'unfinished') invocation.finish(EXIT.mismatch)
  if (json) output.noteJson({ damage })
  else output.note(terminalText(messages.notes.damage(damage)))
}
