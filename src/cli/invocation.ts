/** One run of the program: what was typed, what it says things with, and how it ends. Handed to every command. */

import { silentLogger, type Logger } from '../base/log.ts'
import { EXIT, exitCodeOf } from './exit-codes.ts'
import { failureLines, failureRecord } from './failure.ts'
import type { Messages } from './messages/messages.ts'
import type { Output } from './output.ts'
import { SecretMask } from './secrets.ts'

export interface InvocationOptions {
  readonly messages: Messages
  readonly output: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Words before `--`. */
  readonly words: readonly string[]
  /** Words after `--`; `undefined` when there was none. */
  readonly serverWords: readonly string[] | undefined
  /** Path of the program itself, to start it again as a demo server. */
  readonly program: string
  /** Aborts when a person or the system wants this to end. */
  readonly signal: AbortSignal
  /** Does what Ctrl-C does. Default: nothing. */
  readonly interrupt?: () => void
}

export class Invocation {
  readonly messages: Messages
  readonly output: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly words: readonly string[]
  readonly serverWords: readonly string[] | undefined
  readonly program: string
  readonly signal: AbortSignal
  /** Gives up as with Ctrl-C, for one that was read as a key. */
  readonly interrupt: () => void
  /** Whether results and errors are wanted as JSON. */
  readonly json: boolean
  /** What errors and log lines go through. */
  readonly mask: SecretMask = new SecretMask()
  /** Set once the options are read. */
  logger: Logger = silentLogger
  #exitCode: number = EXIT.success
  #endsByInterrupt = false

  constructor(options: InvocationOptions) {
    const { messages, output, env, words, serverWords, program, signal } = options
    this.messages = messages
    this.output = output
    this.env = env
    this.words = words
    this.serverWords = serverWords
    this.program = program
    this.signal = signal
    this.interrupt = options.interrupt ?? (() => {})
    this.json = words.includes('--json')
  }

  get exitCode(): number {
    return this.#exitCode
  }

  /** Ctrl-C is how this run is meant to end: it says nothing and is no failure. */
  endsByInterrupt(): void {
    this.#endsByInterrupt = true
  }

  /** Whether Ctrl-C is the end that was meant. */
  get expectsInterrupt(): boolean {
    return this.#endsByInterrupt
  }

  /** The run ends with this code, unless something worse happens. */
  finish(exitCode: number): void {
    this.#exitCode = exitCode
  }

  /** Tells of an error and sets its code; `exitCode` and `title` where the family of the error does not say it all. */
  fail(error: unknown, exitCode: number = exitCodeOf(error), title?: string): void {
    this.#exitCode = exitCode
    if (this.json) this.output.noteJson(this.mask.json(failureRecord(error, exitCode)))
    else
      for (const line of failureLines(error, this.messages, title))
        this.output.note(this.mask.text(line))
  }
}
