/** Text of a peer as the result of a run: all of it into a pipe or a file, on a terminal as much as anybody reads there. */

import type { Invocation } from './invocation.ts'

/** Most characters of one text that a terminal is given. */
const MAX_SHOWN = 200_000

export function showText(
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
  text: string,
): void {
  if (output.columns === undefined || text.length <= MAX_SHOWN) return output.result(text)
  output.result(text.slice(0, MAX_SHOWN))
  output.note(messages.notes.cut(MAX_SHOWN, text.length))
}
