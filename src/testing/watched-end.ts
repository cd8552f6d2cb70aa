/**
 * One end of a link under test: the link, and a port that keeps what it is handed, plays a full reader, and lets a check wait
 * for what it wants to see.
 */

import type { Clock } from '../base/clock.ts'
import { UsageError } from '../base/errors.ts'
import type { Link, LinkPort, Transport, Unreadable } from '../jsonrpc/link.ts'

export interface WatchOptions {
  readonly clock: Clock
  /** Longest wait for anything, in ms. */
  readonly timeoutMs: number
  readonly maxMessageBytes: number
}

export class WatchedEnd {
  readonly name: string
  readonly texts: string[] = []
  readonly pieces: Unreadable[] = []
  /** How often the end was told. */
  ends = 0
  /** What it was told first. */
  reason: Error | undefined
  /** What was handed over after the end. */
  readonly late: string[] = []
  readonly #options: WatchOptions
  readonly #watchers = new Set<() => void>()
  #link: Link | undefined
  #held: { readonly promise: Promise<void>; readonly release: () => void } | undefined

  private constructor(name: string, options: WatchOptions) {
    this.name = name
    this.#options = options
  }

  static async open(transport: Transport, options: WatchOptions): Promise<WatchedEnd> {
    const end = new WatchedEnd(transport.name, options)
    end.#link = await end.within(transport.open(end.#port()), 'the link is open')
    return end
  }

  get link(): Link {
    // `open` hands out no end without its link.
    return this.#link as Link
  }

  /** From now on the reader is full. */
  hold(): void {
    let release = (): void => {}
    const promise = new Promise<void>((resolve) => (release = resolve))
    this.#held ??= { promise, release }
  }

  /** The reader has room again. May be called more than once. */
  release(): void {
    this.#held?.release()
    this.#held = undefined
  }

  /** Waits until something holds; looked at whenever the port is called. */
  async until(holds: () => boolean, what: string): Promise<void> {
    if (holds()) return
    let look = (): void => {}
    const seen = new Promise<void>((resolve) => {
      look = () => {
        if (holds()) resolve()
      }
    })
    this.#watchers.add(look)
    try {
      await this.within(seen, what)
    } finally {
      this.#watchers.delete(look)
    }
  }

  /** The same promise, which must settle in time. */
  async within<Value>(promise: Promise<Value>, what: string): Promise<Value> {
    const { clock, timeoutMs } = this.#options
    let fail = (_error: Error): void => {}
    const late = new Promise<never>((_, reject) => (fail = reject))
    const timer = clock.after(timeoutMs, () =>
      fail(this.breach(`waited ${timeoutMs} ms in vain until ${what}`)),
    )
    try {
      return await Promise.race([promise, late])
    } finally {
      timer.cancel()
    }
  }

  /** Throws when something does not hold. */
  expect(holds: boolean, breach: () => string): void {
    if (!holds) throw this.breach(breach())
  }

  /** Throws unless exactly these texts came, in this order. */
  expectTexts(expected: readonly string[]): void {
    const at = expected.findIndex((text, index) => text !== this.texts[index])
    this.expect(at < 0, () => {
      const [want = '', got] = [expected[at], this.texts[at]]
      return `text ${at} should be ${shown(want)} and is ${got === undefined ? 'missing' : shown(got)}`
    })
    this.expect(this.texts.length === expected.length, () => {
      return `${expected.length} texts were written, and ${this.texts.length} came`
    })
  }

  breach(what: string): UsageError {
    return new UsageError(
      `The transport ${JSON.stringify(this.name)} breaks the link contract: ${what}.`,
    )
  }

  #port(): LinkPort {
    return {
      maxMessageBytes: this.#options.maxMessageBytes,
      text: (text) => {
        this.texts.push(text)
        this.#called('text')
        return this.#held?.promise
      },
      unreadable: (piece) => {
        this.pieces.push(piece)
        this.#called('unreadable')
      },
      failed: () => this.#called('failed'),
      note: ({ kind }) => this.#called(`note ${kind}`),
      closed: (reason) => {
        if (this.ends === 0) this.reason = reason
        this.ends += 1
        this.#look()
      },
    }
  }

  #called(what: string): void {
    if (this.ends > 0) this.late.push(what)
    this.#look()
  }

  #look(): void {
    for (const look of this.#watchers) look()
  }
}

function shown(text: string): string {
  return text.length <= 60
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, 60))}… (${text.length} characters)`
}
