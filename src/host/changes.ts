/**
 * Reading a server's lists again when it says that they changed, in either era: soon, but not for each of many words at once,
 * and never twice at the same time. What is read, and what comes of it, is up to `refresh`.
 */

import type { Clock, Random, Timer } from '../base/clock.ts'
import { CapabilityError } from '../base/errors.ts'
import { HEALTHY_MS, MAX_TRIES, pauseMs } from '../client/backoff.ts'
import type { Client } from '../client/client.ts'

/** How long it is waited whether more follows. */
const QUIET_MS = 250
/** Least time between two readings, and the longest that a storm of words puts one off. */
const GAP_MS = 2000
/** Pauses after a reading that failed: doubling, from the first to the last. */
const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 30_000

export interface RefreshOptions {
  readonly clock: Clock
  /** Reads; false when that failed and is to be tried again. Must not reject. */
  readonly refresh: () => Promise<boolean>
}

/** Readings on demand, one at a time. */
export class Refresher {
  readonly #options: RefreshOptions
  #timer: Timer | undefined
  /** When the first word came that has not been followed by a reading. */
  #askedAt: number | undefined
  #lastAt = Number.NEGATIVE_INFINITY
  #failures = 0
  #reading = false
  #stopped = false

  constructor(options: RefreshOptions) {
    this.#options = options
  }

  /** Something may have changed. */
  poke(): void {
    if (this.#stopped) return
    const now = this.#options.clock.now()
    this.#askedAt ??= now
    if (!this.#reading) this.#arm(now)
  }

  stop(): void {
    this.#stopped = true
    this.#timer?.cancel()
  }

  #arm(now: number): void {
    const asked = this.#askedAt ?? now
    const quiet = Math.min(now + QUIET_MS, asked + GAP_MS)
    this.#wake(Math.max(quiet, this.#lastAt + GAP_MS) - now)
  }

  #wake(ms: number): void {
    this.#timer?.cancel()
    this.#timer = this.#options.clock.after(ms, () => void this.#read())
  }

  async #read(): Promise<void> {
    const { clock } = this.#options
    this.#timer = undefined
    this.#reading = true
    this.#askedAt = undefined
    this.#lastAt = clock.now()
    const done = await this.#options.refresh()
    this.#reading = false
    if (this.#stopped) return
    this.#failures = done ? 0 : this.#failures + 1
    if (this.#askedAt !== undefined) this.#arm(clock.now())
    else if (!done) this.#wake(Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LAST_RETRY_MS))
  }
}

export interface ListenOptions {
  readonly clock: Clock
  readonly random: Random
  readonly client: Client
  /** The list of tools may have changed. */
  readonly onChange: () => void
}

/**
 * Listens until the client is over or `stop` is called. A stream of the modern era that the server ends is asked for anew, a
 * few times in a row at most; where a server cannot tell of changes, nothing is heard.
 */
export class Listening {
  readonly #options: ListenOptions
  readonly #stop = new AbortController()
  #timer: Timer | undefined
  #tries = 0

  constructor(options: ListenOptions) {
    this.#options = options
    void options.client.closed.then(() => this.stop())
    this.#begin()
  }

  stop(): void {
    this.#timer?.cancel()
    this.#stop.abort()
  }

  #begin(): void {
    const { client, clock } = this.#options
    if (client.server.capabilities.tools?.listChanged !== true) return
    let changes
    try {
      changes = client.changes({ tools: true }, { signal: this.#stop.signal })
    } catch (error) {
      if (error instanceof CapabilityError) return // It never tells.
      throw error
    }
    const since = clock.now()
    void this.#hear(changes).then(() => this.#again(clock.now() - since))
  }

  async #hear(changes: AsyncIterable<unknown>): Promise<void> {
    for await (const _ of changes) this.#options.onChange()
  }

  #again(heldMs: number): void {
    if (this.#stop.signal.aborted) return
    this.#tries = heldMs >= HEALTHY_MS ? 1 : this.#tries + 1
    if (this.#tries > MAX_TRIES) return
    const { clock, random, onChange } = this.#options
    this.#timer = clock.after(pauseMs(this.#tries, random), () => {
      this.#begin()
      // What changed while nobody listened is never told.
      onChange()
    })
  }
}
