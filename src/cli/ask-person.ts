/**
 * Questions to a person at a terminal. Where there is none, nobody is asked and nothing is assumed: the library waits for
 * ever at the end of its input, so it is not even loaded.
 */

import { CancelledError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import type { AskInput } from '../config/inputs.ts'

export interface Question {
  /** Safe for a terminal. */
  readonly message: string
  readonly yes: string
  readonly no: string
  readonly signal: AbortSignal
}

/** Whether somebody can be asked: standard input and stderr are terminals. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/** True when a person says yes. The answer that needs no thought is no. */
export async function askYesNo({ message, yes, no, signal }: Question): Promise<boolean> {
  const { confirm } = await import('@clack/prompts')
  const answer = await confirm({
    message,
    active: yes,
    inactive: no,
    initialValue: false,
    output: process.stderr,
    signal,
  })
  return answer === true
}

/** Asks for inputs of a configuration; what is secret is not echoed. Nothing where nobody can be asked. */
export function inputsFromTerminal(signal: AbortSignal): AskInput | undefined {
  if (!canAsk()) return undefined
  return async ({ description, secret, suggestion, choices }) => {
    const { password, select, text, isCancel } = await import('@clack/prompts')
    const message = terminalText(description)
    const common = { message, output: process.stderr, signal }
    const answer =
      choices !== undefined && choices.length > 0
        ? await select({
            ...common,
            options: choices.map((value) => ({ value, label: terminalText(value) })),
          })
        : secret
          ? await password(common)
          : await text({ ...common, ...(suggestion !== undefined && { initialValue: suggestion }) })
    if (isCancel(answer)) throw new CancelledError('Nobody answered the question.')
    return answer
  }
}
