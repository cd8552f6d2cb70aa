/**
 * A person at the terminal as the one who talks: lines from the editor, and Ctrl-C or Escape while the model is at work. While a
 * question is asked, the keys are the question's and nothing else is written.
 */

import type { Consent } from '../../host/consent.ts'
import type { AgentView } from './agent-view.ts'
import type { ChatInput } from './chat.ts'
import type { Keyboard } from './keyboard.ts'
import type { Key, LineEditor } from './line-editor.ts'
import type { LinePrompt } from './line-prompt.ts'

export interface PersonOptions {
  readonly keyboard: Keyboard
  readonly editor: LineEditor
  readonly prompt: LinePrompt
  /** Ends waiting for a line as well. */
  readonly signal: AbortSignal
  /** Hears of an interrupt at once. */
  readonly onInterrupt: () => void
  /** Hears each line that was sent. */
  readonly onLine?: (text: string) => void
}

export class Person implements ChatInput {
  readonly isPerson = true
  readonly #options: PersonOptions

  constructor(options: PersonOptions) {
    this.#options = options
  }

  async next(): Promise<string | undefined> {
    const { prompt, signal, keyboard, onLine } = this.#options
    const answer = await prompt.ask(signal)
    // What is typed from here on waits for the next prompt.
    keyboard.listen((key) => this.#typeAhead(key))
    if (answer.kind === 'end') return undefined
    onLine?.(answer.text)
    return answer.text
  }

  async interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { keyboard, signal, onInterrupt } = this.#options
    const controller = new AbortController()
    keyboard.listen((key) => {
      if (!interrupts(key)) return this.#typeAhead(key)
      if (controller.signal.aborted) return
      onInterrupt()
      controller.abort('the user interrupted')
    })
    try {
      return await work(AbortSignal.any([signal, controller.signal]))
    } finally {
      keyboard.listen((key) => this.#typeAhead(key))
    }
  }

  /** What is written while the model is at work stands in the next prompt; Enter does not send it. */
  #typeAhead(key: Key): void {
    if (!interrupts(key) && !(key.ctrl === true && key.name === 'd'))
      this.#options.editor.press(key)
  }
}

/** A consent that has the terminal for itself while it asks. */
export function withTerminal(
  consent: Consent,
  { keyboard, view }: { readonly keyboard: Keyboard; readonly view: AgentView },
): Consent {
  return {
    async ask(request, signal) {
      view.hold()
      keyboard.pause()
      try {
        return await consent.ask(request, signal)
      } finally {
        keyboard.resume()
        view.release()
      }
    },
  }
}

function interrupts({ name, ctrl }: Key): boolean {
  return name === 'escape' || name === 'hang-up' || (ctrl === true && name === 'c')
}
