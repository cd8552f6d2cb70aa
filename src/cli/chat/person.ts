/**
 * A person at the terminal as the one who talks: lines from the editor, and Ctrl-C or Escape while the model is at work. While a
 * question is asked, the keys are the question's and nothing else is written.
 */

import type { Clock } from '../../base/clock.ts'
import type { AgentView } from './agent-view.ts'
import type { ChatInput } from './chat.ts'
import type { Keyboard } from './keyboard.ts'
import type { Key, LineEditor } from './line-editor.ts'
import type { TerminalTurn } from '../terminal-turn.ts'
import type { LinePrompt } from './line-prompt.ts'

/** Whoever types is not asked in the midst of it: keys that were meant for something else would answer. */
const QUIET_MS = 600

export interface PersonOptions {
  readonly keyboard: Keyboard
  readonly editor: LineEditor
  readonly prompt: LinePrompt
  readonly clock: Pick<Clock, 'now' | 'after'>
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
  /** When a key was pressed last that the model or nobody was to get. */
  #typedAt = Number.NEGATIVE_INFINITY
  /** Ends what is under way; undefined where nothing is. */
  #interrupt: (() => void) | undefined

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
    const interrupt = (): void => {
      if (controller.signal.aborted) return
      onInterrupt()
      controller.abort('the user interrupted')
    }
    this.#interrupt = interrupt
    keyboard.listen((key) => (interrupts(key) ? interrupt() : this.#typeAhead(key)))
    try {
      return await work(AbortSignal.any([signal, controller.signal]))
    } finally {
      this.#interrupt = undefined
      keyboard.listen((key) => this.#typeAhead(key))
    }
  }

  /** Ends what is under way, as Ctrl-C does. */
  interrupt(): void {
    this.#interrupt?.()
  }

  /** Takes the prompt away while somebody else asks, or brings it back. */
  shows(isShown: boolean): void {
    const { prompt } = this.#options
    if (isShown) prompt.show()
    else prompt.hide()
  }

  /** Settles when no key was pressed for a moment, or when it is of no use any more. */
  async quiet(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    for (;;) {
      const left = this.#typedAt + QUIET_MS - clock.now()
      if (left <= 0 || signal.aborted) return
      await new Promise<void>((settle) => {
        clock.after(left, settle)
        signal.addEventListener('abort', () => settle(), { once: true })
      })
    }
  }

  /** What is written while the model is at work stands in the next prompt; Enter does not send it. */
  #typeAhead(key: Key): void {
    this.#typedAt = this.#options.clock.now()
    if (!interrupts(key) && !(key.ctrl === true && key.name === 'd'))
      this.#options.editor.press(key)
  }
}

/** Whoever asks has the terminal for itself meanwhile. */
export function questionTurn({
  keyboard,
  view,
  person,
}: {
  readonly keyboard: Keyboard
  readonly view: AgentView
  /** Undefined until somebody can type. */
  readonly person: () => Pick<Person, 'quiet' | 'shows'> | undefined
}): TerminalTurn {
  return async (ask, signal) => {
    await person()?.quiet(signal)
    view.hold()
    // A server may ask while nothing runs, and the person is at the prompt.
    person()?.shows(false)
    keyboard.pause()
    try {
      return await ask()
    } finally {
      keyboard.resume()
      view.release()
      person()?.shows(true)
    }
  }
}

function interrupts({ name, ctrl }: Key): boolean {
  return name === 'escape' || name === 'hang-up' || (ctrl === true && name === 'c')
}
