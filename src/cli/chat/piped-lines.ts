/** Standard input that is no terminal as the one who talks: each line is a message. Nobody can interrupt but the system. */

import { createInterface } from 'node:readline'
import type { ChatInput } from './chat.ts'

export class PipedLines implements ChatInput {
  readonly isPerson = false
  readonly #signal: AbortSignal
  readonly #lines: AsyncIterator<string>

  constructor(input: NodeJS.ReadableStream, signal: AbortSignal) {
    this.#signal = signal
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, terminal: false })
    this.#lines = lines[Symbol.asyncIterator]()
    signal.addEventListener('abort', () => lines.close(), { once: true })
  }

  async next(): Promise<string | undefined> {
    const step: IteratorResult<string, unknown> = await this.#lines.next()
    return step.done === true ? undefined : step.value
  }

  /** Of what has come by now; whoever may still write is not waited for. Only at the end: a line is taken for it. */
  async hasMore(): Promise<boolean> {
    const none = new Promise<undefined>((settle) => setImmediate(() => settle(undefined)))
    const line = await Promise.race([this.next(), none])
    return line !== undefined && line.trim() !== ''
  }

  interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return work(this.#signal)
  }
}
