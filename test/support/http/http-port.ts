/** A port that remembers everything an HTTP link hands over, facts and failures too. */
import type { LinkPort, Unreadable } from '../../../src/jsonrpc/link.ts'
import type { RequestId } from '../../../src/jsonrpc/message.ts'
import type { Facts, WireNote } from '../../../src/jsonrpc/wire.ts'

export class HttpPort implements LinkPort {
  readonly maxMessageBytes: number
  readonly texts: string[] = []
  readonly facts: (Facts | undefined)[] = []
  readonly failures: { readonly id: RequestId; readonly error: Error }[] = []
  readonly pieces: Unreadable[] = []
  readonly notes: WireNote[] = []
  readonly ends: (Error | undefined)[] = []
  /** What `text` answers: a promise plays a reader that is full. */
  full: Promise<void> | undefined
  #watchers: (() => void)[] = []

  constructor(maxMessageBytes: number = 1024 * 1024) {
    this.maxMessageBytes = maxMessageBytes
  }

  text(text: string, facts?: Facts): void | Promise<void> {
    this.texts.push(text)
    this.facts.push(facts)
    this.#stir()
    return this.full
  }

  failed(id: RequestId, error: Error): void {
    this.failures.push({ id, error })
    this.#stir()
  }

  unreadable(piece: Unreadable): void {
    this.pieces.push(piece)
    this.#stir()
  }

  note(note: WireNote): void {
    this.notes.push(note)
    this.#stir()
  }

  closed(reason?: Error): void {
    this.ends.push(reason)
    this.#stir()
  }

  /** The texts, read. */
  get messages(): readonly unknown[] {
    return this.texts.map((text) => JSON.parse(text) as unknown)
  }

  /** Kinds of the notes so far. */
  get kinds(): readonly string[] {
    return this.notes.map(({ kind }) => kind)
  }

  /** The error that ended a request, if one did. */
  errorOf(id: RequestId): Error | undefined {
    return this.failures.find((one) => one.id === id)?.error
  }

  /** Settles once the condition holds; looked at after each thing that comes. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#watchers.push(resolve))
  }

  #stir(): void {
    const watchers = this.#watchers
    this.#watchers = []
    for (const watcher of watchers) watcher()
  }
}
