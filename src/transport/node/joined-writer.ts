/**
 * Writes lines to a byte stream, all of one turn of the event loop in one write.
 *
 * The write call is the dearest native step of a message, so joining is worth more than anything else here; but
 * lines that come one by one go at once. One write is under way at a time: what comes meanwhile waits in this
 * object, where it is counted.
 */

import type { Clock } from '../../base/clock.ts'
import type { Sent } from '../../base/errors.ts'
import type { Receipt } from '../../jsonrpc/link.ts'
import { StallWatch } from './stall-watch.ts'

/** The part of a Node stream that is written to. */
export interface ByteSink {
  /** `done` is called once, when the bytes are with the operating system or the stream has failed. */
  write(text: string, done: (error?: Error | null) => void): unknown
}

export interface JoinedWriterOptions {
  readonly clock: Clock
  /** Longest time without any part of a write being taken, in milliseconds. */
  readonly stallMs: number
  /** The stream failed; nothing is written any more. Called at most once. */
  onFailed(error: Error): void
  /** Nothing was taken for `stallMs`; nothing is written any more. Called at most once. */
  onStalled(): void
}

export interface JoinedWriter {
  /** Lines that are not yet with the operating system. */
  readonly backlogMessages: number
  /** Their UTF-16 units: exact for ASCII, an estimate for the rest. */
  readonly backlogBytes: number
  /** Takes a line without its newline. The receipt stays `no` for ever when the writer has stopped. */
  write(text: string): Receipt
  /** Settles when everything is written, or the writer has stopped. */
  drained(): Promise<void>
  /** Drops what waits and takes no more; settles `drained`. May be called more than once. */
  stop(): void
}

interface Batch extends Receipt {
  sent: Sent
  messages: number
  units: number
}

/** The receipt of what was never written. */
export const NOT_SENT: Receipt = Object.freeze({ sent: 'no' })

/** Waiting text above this is written at once and not at the end of the turn. */
const FLUSH_UNITS = 64 * 1024
/** Longest single write: the pieces of a long message are also the signs of life for the stall timer. */
export const PIECE_UNITS: number = 256 * 1024

export function createJoinedWriter(sink: ByteSink, options: JoinedWriterOptions): JoinedWriter {
  return new StreamWriter(sink, options)
}

class StreamWriter implements JoinedWriter {
  readonly #sink: ByteSink
  readonly #options: JoinedWriterOptions
  #text = ''
  #waiting: Batch | undefined
  #leaving: Batch | undefined
  #rest = ''
  #planned: NodeJS.Immediate | undefined
  readonly #stall: StallWatch
  #stopped = false
  /** The last write had one line: whoever writes waits for each answer, and is not made to wait for the turn. */
  #alone = true
  #drained: (() => void)[] | undefined

  constructor(sink: ByteSink, options: JoinedWriterOptions) {
    this.#sink = sink
    this.#options = options
    this.#stall = new StallWatch(options.clock, options.stallMs, () => {
      this.stop()
      options.onStalled()
    })
  }

  get backlogMessages(): number {
    return (this.#waiting?.messages ?? 0) + (this.#leaving?.messages ?? 0)
  }

  get backlogBytes(): number {
    return (this.#waiting?.units ?? 0) + (this.#leaving?.units ?? 0)
  }

  write(text: string): Receipt {
    if (this.#stopped) return NOT_SENT
    const batch = (this.#waiting ??= { sent: 'no', messages: 0, units: 0 })
    this.#text += `${text}\n`
    batch.messages += 1
    batch.units += text.length + 1
    if (this.#leaving !== undefined) this.#alone = false
    else if (this.#alone || batch.units > FLUSH_UNITS) this.#flush()
    else this.#planned ??= setImmediate(() => this.#flush())
    return batch
  }

  drained(): Promise<void> {
    if (this.#stopped || (this.#waiting === undefined && this.#leaving === undefined)) {
      return Promise.resolve()
    }
    return new Promise((resolve) => (this.#drained ??= []).push(resolve))
  }

  stop(): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#unplan()
    this.#stall.stop()
    this.#text = ''
    this.#rest = ''
    this.#waiting = undefined
    this.#leaving = undefined
    this.#settle()
  }

  #flush(): void {
    this.#unplan()
    if (this.#waiting === undefined || this.#leaving !== undefined) return
    this.#leaving = this.#waiting
    this.#alone = this.#leaving.messages === 1
    this.#rest = this.#text
    this.#waiting = undefined
    this.#text = ''
    this.#leaving.sent = 'maybe'
    this.#writePiece()
  }

  #writePiece(): void {
    const end = pieceEnd(this.#rest)
    const piece = end === this.#rest.length ? this.#rest : this.#rest.slice(0, end)
    this.#rest = end === this.#rest.length ? '' : this.#rest.slice(end)
    this.#stall.moved()
    try {
      this.#sink.write(piece, this.#onPiece)
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  readonly #onPiece = (error?: Error | null): void => {
    if (this.#stopped || this.#leaving === undefined) return
    if (error !== undefined && error !== null) return this.#fail(error)
    if (this.#rest !== '') return this.#writePiece()
    this.#leaving.sent = 'yes'
    this.#leaving = undefined
    this.#stall.rest()
    if (this.#waiting === undefined) this.#settle()
    // What gathered behind a write that took longer goes on at the end of this turn, joined again.
    else this.#planned ??= setImmediate(() => this.#flush())
  }

  #fail(error: Error): void {
    if (this.#stopped) return
    this.stop()
    this.#options.onFailed(error)
  }

  #unplan(): void {
    if (this.#planned !== undefined) clearImmediate(this.#planned)
    this.#planned = undefined
  }

  #settle(): void {
    const waiting = this.#drained
    this.#drained = undefined
    for (const resolve of waiting ?? []) resolve()
  }
}

/** Where a piece that begins at `from` ends: never between the halves of a surrogate pair. */
export function pieceEnd(text: string, from: number = 0): number {
  const end = from + PIECE_UNITS
  if (text.length <= end) return text.length
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}
