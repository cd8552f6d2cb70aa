/**
 * Writes records to a file in batches, one a turn of the event loop, and never in the way of the traffic.
 *
 * A record gets its number and checksum when it leaves for the disk, so that what is dropped for want of room breaks
 * no chain: a `gap` record stands in its place. A failed write is tried again; it knows nothing of events.
 */

import { Buffer } from 'node:buffer'
import type { Clock, Timer } from '../../base/clock.ts'
import { describeError } from '../../base/errors.ts'
import { endMembers, gapMembers } from '../format.ts'
import type { Sealer } from '../format.ts'
import type { Disk } from './disk.ts'

export interface FileWriterOptions {
  readonly clock: Clock
  /** `frame`: each record is on the disk itself before `push` returns. */
  readonly sync: 'batch' | 'frame'
  /** Characters of records that may wait; what comes beyond is dropped and counted. */
  readonly maxQueued: number
  readonly onState: (state: CaptureState) => void
}

/** How a capture is doing. `degraded`: the disk refuses or is too slow; traffic goes on. */
export interface CaptureState {
  readonly status: 'ok' | 'degraded' | 'closed'
  /** What the disk said last, while degraded, or when it never recovered. */
  readonly reason?: string
  /** Records handed to the disk, gaps and ends not counted. */
  readonly records: number
  /** Records dropped. */
  readonly lost: number
  /** Bytes of the file. */
  readonly bytes: number
}

interface Gap {
  count: number
  reason: string
}

const BATCH = 1024 * 1024
const SYNC_BYTES = 1024 * 1024
const SYNC_MS = 100
const RETRY_MS = 100

export class FileWriter {
  readonly #disk: Disk
  readonly #sealer: Sealer
  readonly #options: FileWriterOptions
  #queue: (string | Gap)[] = []
  #queued = 0
  /** Bytes on their way, kept until the disk has taken all of them. */
  #batch: Uint8Array | undefined
  /** Where the next byte goes. */
  #position: number
  /** Counts asynchronous writes; one that was overtaken by `flushNow` finds another number and stays silent. */
  #turn = 0
  #writing = false
  #scheduled = false
  #retry: Timer | undefined
  #syncTimer: Timer | undefined
  #syncing = false
  #unsynced = 0
  #records = 0
  #lost = 0
  #failure: string | undefined
  #batchRecords = 0
  /** An end record is due after all that waits. */
  #ending = false
  /** The end record is sealed: nothing may follow it. */
  #ended = false
  #closed = false
  #closing: Promise<void> | undefined
  #waiters: (() => void)[] = []

  constructor(disk: Disk, sealer: Sealer, position: number, options: FileWriterOptions) {
    this.#disk = disk
    this.#sealer = sealer
    this.#position = position
    this.#options = options
  }

  get state(): CaptureState {
    const dropping = this.#queue.some((entry) => typeof entry !== 'string')
    const reason = this.#failure ?? (dropping ? TOO_SLOW : undefined)
    return {
      status: this.#closed ? 'closed' : reason === undefined ? 'ok' : 'degraded',
      ...(reason === undefined ? {} : { reason }),
      records: this.#records,
      lost: this.#lost,
      bytes: this.#position,
    }
  }

  /** Takes the members of one record. Never throws and never waits, `sync: 'frame'` apart. */
  push(members: string): void {
    if (this.#closed || this.#ended) {
      this.#lost += 1
      return
    }
    if (this.#queued > 0 && this.#queued + members.length > this.#options.maxQueued) {
      this.#drop()
      return
    }
    this.#queue.push(members)
    this.#queued += members.length
    if (this.#options.sync === 'frame') this.flushNow()
    else this.#schedule()
  }

  /** Settles when all that was pushed before is written and synced, or the disk refuses. */
  async flush(): Promise<void> {
    while (this.#pending() && this.#failure === undefined) {
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve)
        this.#schedule()
      })
    }
    await new Promise<void>((resolve) => this.#disk.sync(() => resolve()))
  }

  /** Writes what waits before it returns; for the moment before the process ends. Never throws. */
  flushNow(): void {
    this.#turn += 1 // what an unfinished write has written is written again, to the same place
    this.#writing = false
    try {
      for (this.#batch ??= this.#next(); this.#batch !== undefined; this.#batch ??= this.#next()) {
        const written = this.#disk.writeNow(this.#batch, this.#position)
        if (written === 0) throw new Error(NO_BYTES)
        this.#advance(written)
      }
      this.#disk.syncNow()
      this.#unsynced = 0
      this.#recovered()
    } catch (error) {
      this.#failed(error)
    }
    this.#wake()
  }

  /** Writes an end record and closes the file. Never rejects: what could not be written is in `state`. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#ending = true
    await this.#lastTries()
    this.#closed = true
    this.#stopRetry()
    this.#syncTimer?.cancel()
    const waiting = this.#queue.filter((entry) => typeof entry === 'string').length
    this.#lost += waiting + (this.#batch === undefined ? 0 : this.#batchRecords)
    if (this.#batch !== undefined) this.#records -= this.#batchRecords
    await new Promise<void>((resolve) => this.#disk.close(() => resolve()))
    this.#options.onState(this.state)
  }

  /** Without waiting, should the disk have refused so far; given up when it takes nothing three times in a row. */
  async #lastTries(): Promise<void> {
    for (let futile = 0; futile < 3;) {
      const before = this.#position
      this.#failure = undefined
      this.#stopRetry()
      await this.flush()
      if (!this.#pending()) return
      futile = this.#position > before ? 0 : futile + 1
    }
  }

  #stopRetry(): void {
    this.#retry?.cancel()
    this.#retry = undefined
  }

  #pending(): boolean {
    return this.#batch !== undefined || this.#queue.length > 0 || this.#ending
  }

  #drop(): void {
    this.#lost += 1
    const last = this.#queue.at(-1)
    if (typeof last === 'object') {
      last.count += 1
      return
    }
    this.#queue.push({ count: 1, reason: this.#failure ?? TOO_SLOW })
    this.#options.onState(this.state)
  }

  /** One batch a turn: what the turn's other events bring goes with it. */
  #schedule(): void {
    if (this.#scheduled || this.#writing || this.#retry !== undefined) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (!this.#writing && this.#retry === undefined) this.#write()
    })
  }

  #write(): void {
    this.#batch ??= this.#next()
    if (this.#batch === undefined) {
      this.#wake()
      return
    }
    this.#writing = true
    const turn = (this.#turn += 1)
    this.#disk.write(this.#batch, this.#position, (error, written) => {
      if (turn !== this.#turn) return
      this.#writing = false
      this.#advance(error === null ? written : 0)
      // A disk that takes nothing and says nothing would be asked for ever.
      if (error !== null || written === 0) this.#failed(error ?? new Error(NO_BYTES))
      else {
        this.#recovered()
        this.#sync()
        if (this.#pending()) this.#write()
      }
      this.#wake()
    })
  }

  #advance(written: number): void {
    if (this.#batch === undefined) return
    this.#position += written
    this.#unsynced += written
    this.#batch = written < this.#batch.length ? this.#batch.subarray(written) : undefined
  }

  /** Seals what waits, up to a batch. */
  #next(): Uint8Array | undefined {
    let lines = ''
    let taken = 0
    this.#batchRecords = 0
    while (taken < this.#queue.length && lines.length < BATCH) {
      const entry = this.#queue[taken] as string | Gap // `taken` is below the length
      taken += 1
      if (typeof entry === 'string') {
        this.#queued = Math.max(0, this.#queued - entry.length)
        this.#records += 1
        this.#batchRecords += 1
        lines += this.#sealer.record(entry)
      } else lines += this.#sealer.record(gapMembers(entry.count, entry.reason, this.#times()))
    }
    if (taken === this.#queue.length && this.#ending) {
      this.#ending = false
      this.#ended = true
      lines += this.#sealer.record(endMembers(this.#records, this.#times()))
    }
    if (lines === '') return undefined
    this.#queue = taken === this.#queue.length ? [] : this.#queue.slice(taken)
    return Buffer.from(lines, 'utf8')
  }

  #times(): { wall: number; at: number } {
    return { wall: this.#options.clock.wall(), at: this.#options.clock.now() }
  }

  #failed(error: unknown): void {
    const first = this.#failure === undefined
    this.#failure = describeError(error)
    // Told in the file too, also when nothing will be lost: a count of 0.
    if (typeof this.#queue[0] !== 'object' && !this.#ended)
      this.#queue.unshift({ count: 0, reason: this.#failure })
    this.#stopRetry()
    this.#retry = this.#options.clock.after(RETRY_MS, () => {
      this.#retry = undefined
      if (!this.#closed && !this.#writing) this.#write()
    })
    if (first) this.#options.onState(this.state)
  }

  #recovered(): void {
    if (this.#failure === undefined) return
    this.#failure = undefined
    this.#stopRetry()
    this.#options.onState(this.state)
  }

  #sync(): void {
    if (this.#unsynced >= SYNC_BYTES) this.#syncSoon()
    else this.#syncTimer ??= this.#options.clock.after(SYNC_MS, () => this.#syncSoon())
  }

  #syncSoon(): void {
    this.#syncTimer?.cancel()
    this.#syncTimer = undefined
    if (this.#syncing || this.#closed || this.#unsynced === 0) return
    this.#syncing = true
    this.#unsynced = 0
    this.#disk.sync((error) => {
      this.#syncing = false
      // After a failed sync nobody knows what the disk has: later records say so.
      if (error !== null && !this.#closed) this.#failed(error)
    })
  }

  #wake(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const wake of waiters) wake()
  }
}

const NO_BYTES = 'the disk took no bytes'
const TOO_SLOW = 'the disk is slower than the traffic'
