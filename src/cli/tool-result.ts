/** What is to be called, and how its result is shown; the same for one server and for all of a configuration. */

import type { JsonObject } from '../base/json.ts'
import { terminalText } from '../base/terminal-text.ts'
import type { Progress } from '../protocol/types/common.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import { resultToText } from '../tools/content.ts'
import { EXIT } from './exit-codes.ts'
import type { Invocation } from './invocation.ts'
import { showText } from './shown-text.ts'
import type { Pair } from './tool-arguments.ts'

/** What is to be called, as far as the words say it. */
export interface Wish {
  readonly name: string
  readonly pairs: readonly Pair[]
  readonly base: JsonObject
  readonly check: boolean
}

/** Prints a result; one with `isError` ends with the code of a failed tool. */
export function showToolResult(invocation: Invocation, result: CallToolResult): void {
  const { output, messages } = invocation
  if (invocation.json) output.json(result)
  else showText(invocation, resultToText(result))
  if (result.isError !== true) return
  if (!invocation.json) output.note(messages.notes.toolFailed)
  invocation.finish(EXIT.tool)
}

/** How far a call is, on one line; safe for a terminal. */
export function progressLine(name: string, { progress, total, message }: Progress): string {
  const share = typeof total === 'number' ? `${progress}/${total}` : String(progress)
  const words = typeof message === 'string' ? ` ${message}` : ''
  return terminalText(`${name}: ${share}${words}`)
}
