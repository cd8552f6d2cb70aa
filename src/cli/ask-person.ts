/**
 * Questions to a person at a terminal. Where there is none, nobody is asked and nothing is assumed: the library waits for
 * ever at the end of its input, so it is not even loaded.
 */

import { CancelledError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import type { AskInput } from '../config/inputs.ts'
import { choose, type Terminal } from './choose.ts'

export interface Question {
  /** Safe for a terminal. */
  readonly message: string
  readonly yes: string
  readonly no: string
  readonly signal: AbortSignal
  /** Ctrl-C is a no, and then the end of what was asked for. */
  readonly interrupt: () => void
}

/** Whether somebody can be asked: standard input and stderr are terminals. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/** True when a person says yes. The answer that needs no thought is no, and so is whatever was typed before the question. */
export async function askYesNo({
  message,
  yes,
  no,
  signal,
  interrupt,
}: Question): Promise<boolean> {
  const options = [
    { value: 'no', label: no },
    { value: 'yes', label: yes },
  ] as const
  let interrupted = false
  const onInterrupt = (): void => void (interrupted = true)
  const chosen = await choose(terminal(), { message, options, signal, onInterrupt })
  if (interrupted) interrupt()
  return chosen === 'yes'
}

/** Asks for inputs of a configuration; what is secret is not echoed. Nothing where nobody can be asked. */
export function inputsFromTerminal(signal: AbortSignal): AskInput | undefined {
  if (!canAsk()) return undefined
  return async ({ description, secret, suggestion, choices }) => {
    const message = terminalText(description)
    if (choices !== undefined && choices.length > 0) {
      const options = choices.map((value) => ({ value, label: value }))
      const chosen = await choose(terminal(), { message, options, signal })
      if (chosen === undefined) throw nobodyAnswered()
      return chosen
    }
    const { password, text, isCancel } = await import('@clack/prompts')
    const common = { message, output: process.stderr, signal }
    const answer = secret
      ? await password(common)
      : await text({ ...common, ...(suggestion !== undefined && { initialValue: suggestion }) })
    if (isCancel(answer)) throw nobodyAnswered()
    return answer
  }
}

/** Where people are asked: what is written to stdout may go elsewhere. */
function terminal(): Terminal {
  return { input: process.stdin, output: process.stderr }
}

function nobodyAnswered(): CancelledError {
  return new CancelledError('Nobody answered the question.')
}
