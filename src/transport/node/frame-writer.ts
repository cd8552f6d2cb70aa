/**
 * Writes texts as frames of a WebSocket, all of one turn of the event loop in one write.
 *
 * The counterpart of `joined-writer` for a carrier that keeps messages apart. A long text leaves in fragments: each one that
 * is taken is a sign of life, and a ping finds its way in between.
 */

import type { Clock } from '../../base/clock.ts'
import type { Sent } from '../../base/errors.ts'
import type { Receipt } from '../../jsonrpc/link.ts'
import { NOT_SENT, PIECE_UNITS, pieceEnd } from './joined-writer.ts'
import { StallWatch } from './stall-watch.ts'

/** The part of a WebSocket, and of the socket below, that is written to. */
export interface FrameSink {
  /** One fragment of a text message. `done` is called once, when it is with the operating system or has failed. */
  send(piece: string, last: boolean, done: ((error?: Error | null) => void) | undefined): void
  /** What is sent between these two leaves in one write. */
  cork(): void
  uncork(): void
}

export interface FrameWriterOptions {
  readonly clock: Clock
  /** Longest time without any part of a write being taken, in milliseconds. */
  readonly stallMs: number
  /** The carrier failed; nothing is written any more. Called at most once. */
  onFailed(error: Error): void
  /** Nothing was taken for `stallMs`; nothing is written any more. Called at most once. */
  onStalled(): void
}

interface Batch extends Receipt {
  sent: Sent
  readonly texts: string[]
  units: number
}

/** Waiting text above this is written at once and not at the end of the turn. */
const FLUSH_UNITS = 64 * 1024

export class FrameWriter {
  readonly #sink: FrameSink
  readonly #options: FrameWriterOptions
  readonly #stall: StallWatch
  #waiting: Batch | undefined
  #leaving: Batch | undefined
  /** The next text of what leaves, and where in it the next fragment begins. */
  #at = 0
  #from = 0
  #planned: NodeJS.Immediate | undefined
  #stopped = false
  /** The last write had one text: whoever writes waits for each answer, and is not made to wait for the turn. */
  #alone = true
  #drained: (() => void)[] = []

  constructor(sink: FrameSink, options: FrameWriterOptions) {
    this.#sink = sink
    this.#options = options
    this.#stall = new StallWatch(options.clock, options.stallMs, () => {
      this.stop()
      options.onStalled()
    })
  }

  /** Texts that are not yet with the operating system. */
  get backlogMessages(): number {
    return (this.#waiting?.texts.length ?? 0) + (this.#leaving?.texts.length ?? 0)
  }

  /** Their UTF-16 units: exact for ASCII, an estimate for the rest. */
  get backlogBytes(): number {
    return (this.#waiting?.units ?? 0) + (this.#leaving?.units ?? 0)
  }

  /** Takes one message. The receipt stays `no` for ever when the writer has stopped. */
  write(text: string): Receipt {
    if (this.#stopped) return NOT_SENT
    const batch = (this.#waiting ??= { sent: 'no', texts: [], units: 0 })
    batch.texts.push(text)
    batch.units += text.length
    if (this.#leaving !== undefined) this.#alone = false
    else if (this.#alone || batch.units > FLUSH_UNITS) this.#flush()
    else this.#planned ??= setImmediate(() => this.#flush())
    return batch
  }

  /** Settles when everything is written, or the writer has stopped. */
  drained(): Promise<void> {
    if (this.#stopped || (this.#waiting === undefined && this.#leaving === undefined)) {
      return Promise.resolve()
    }
    return new Promise((resolve) => this.#drained.push(resolve))
  }

  /** Drops what waits and takes no more; settles `drained`. May be called more than once. */
  stop(): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#unplan()
    this.#stall.stop()
    this.#waiting = undefined
    this.#leaving = undefined
    this.#settle()
  }

  #flush(): void {
    this.#unplan()
    if (this.#waiting === undefined || this.#leaving !== undefined) return
    this.#leaving = this.#waiting
    this.#waiting = undefined
    this.#alone = this.#leaving.texts.length === 1
    this.#leaving.sent = 'maybe'
    this.#at = 0
    this.#from = 0
    this.#writeSome(this.#leaving)
  }

  /** Whole texts up to the size of a piece, or one piece of a long text. */
  #writeSome({ texts }: Batch): void {
    this.#stall.moved()
    this.#sink.cork()
    try {
      for (let room = PIECE_UNITS; room > 0 && this.#at < texts.length;) {
        const text = texts[this.#at] ?? ''
        const end = pieceEnd(text, this.#from)
        const piece = this.#from === 0 && end === text.length ? text : text.slice(this.#from, end)
        const last = end === text.length
        room -= piece.length + 1
        this.#from = last ? 0 : end
        if (last) this.#at += 1
        const isEnd = room <= 0 || this.#at === texts.length
        this.#sink.send(piece, last, isEnd ? this.#onTaken : undefined)
      }
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    } finally {
      this.#sink.uncork()
    }
  }

  readonly #onTaken = (error?: Error | null): void => {
    const batch = this.#leaving
    if (this.#stopped || batch === undefined) return
    if (error !== undefined && error !== null) return this.#fail(error)
    if (this.#at < batch.texts.length) return this.#writeSome(batch)
    batch.sent = 'yes'
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
    this.#drained = []
    for (const resolve of waiting) resolve()
  }
}
