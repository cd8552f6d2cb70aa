/**
 * Whether a server that is connected still answers. It is asked for a sign of life when it has given none for a while, and at
 * once when a call got no answer. Telling and counting is all that is done here.
 */

import type { Clock, Timer } from '../base/clock.ts'
import { CapabilityError, describeError, RpcError, TimeoutError } from '../base/errors.ts'
import type { Client } from '../client/client.ts'

export interface HealthOptions {
  readonly clock: Clock
  /** Config key of the server. */
  readonly server: string
  /** Silence after which it is asked, in ms. 0: never. */
  readonly everyMs: number
  /** How long an answer may take, in ms. */
  readonly limitMs: number
  readonly ping: () => Promise<void>
  /** Whether calls wait for the server's answer: one that works cannot be told from one that hangs. */
  readonly busy: () => boolean
  readonly onSick: (why: string) => void
  readonly onWell: () => void
  /** It has answered nothing for so long, and nobody waits for it, that it may as well be ended. */
  readonly onDead: (error: TimeoutError) => void
}

/** Unanswered questions in a row after which a server that nobody waits for is given up. */
const MAX_UNANSWERED = 3

export class Health {
  readonly #options: HealthOptions
  #heardAt: number
  #unanswered = 0
  #asking = false
  #timer: Timer | undefined
  #stopped = false

  constructor(options: HealthOptions) {
    this.#options = options
    this.#heardAt = options.clock.now()
    if (options.everyMs > 0) this.#wait(options.everyMs)
  }

  /** It has answered something. */
  heard(): void {
    this.#heardAt = this.#options.clock.now()
    if (this.#unanswered === 0) return
    this.#unanswered = 0
    this.#options.onWell()
  }

  /** A call got no answer in time. */
  suspect(): void {
    if (!this.#stopped && !this.#asking && this.#options.everyMs > 0) void this.#ask()
  }

  stop(): void {
    this.#stopped = true
    this.#timer?.cancel()
  }

  #wait(ms: number): void {
    this.#timer?.cancel()
    this.#timer = this.#options.clock.after(ms, () => this.#look())
  }

  #look(): void {
    const { clock, everyMs } = this.#options
    const silent = clock.now() - this.#heardAt
    if (this.#unanswered === 0 && silent < everyMs) return this.#wait(everyMs - silent)
    void this.#ask()
  }

  async #ask(): Promise<void> {
    this.#asking = true
    this.#timer?.cancel()
    const askedAt = this.#options.clock.now()
    const failure = await this.#options.ping().then(
      () => undefined,
      (error: unknown) => error,
    )
    this.#asking = false
    if (this.#stopped) return
    if (failure === undefined || failure instanceof RpcError) this.heard()
    // It says nothing of the kind, ever: then its calls have to show.
    else if (failure instanceof CapabilityError) return
    // Something else was heard of it meanwhile, so that it lives.
    else if (this.#heardAt <= askedAt) this.#missed(failure)
    this.#wait(this.#unanswered === 0 ? this.#options.everyMs : this.#options.limitMs)
  }

  #missed(failure: unknown): void {
    const { server, limitMs, busy, onSick, onDead } = this.#options
    this.#unanswered += 1
    const times = this.#unanswered === 1 ? 'once' : `${this.#unanswered} times in a row`
    const timedOut = failure instanceof TimeoutError
    const how = timedOut ? `no answer within ${limitMs} ms` : describeError(failure)
    const why = `It was asked for a sign of life and gave none, ${times}: ${how}.`
    onSick(why)
    if (!timedOut || this.#unanswered < MAX_UNANSWERED || busy()) return
    this.stop()
    const facts = { timer: 'idle', ms: limitMs, setBy: 'default', server, sent: 'no' } as const
    const detail = { kind: 'hangs', times: this.#unanswered } as const
    onDead(new TimeoutError(`"${server}" hangs. ${why}`, { ...facts, detail }))
  }
}

/**
 * How a server is asked. Some never answer a ping: so the first time its list is asked for as well, and whichever it answers
 * is what it is asked for from then on.
 */
export class SignsOfLife {
  readonly #client: Client
  readonly #limitMs: number
  #way: 'ping' | 'list' | undefined

  constructor(client: Client, limitMs: number) {
    this.#client = client
    this.#limitMs = limitMs
  }

  /** Settles when it answers. */
  async ask(): Promise<void> {
    if (this.#way !== undefined) return this.#by(this.#way)
    if (this.#client.server.capabilities.tools === undefined) return this.#by('ping')
    try {
      await Promise.any([this.#by('ping'), this.#by('list')])
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error
    }
  }

  async #by(way: 'ping' | 'list'): Promise<void> {
    const limits = { timeoutMs: this.#limitMs, totalTimeoutMs: this.#limitMs }
    try {
      if (way === 'ping') await this.#client.ping(limits)
      else await this.#client.listTools({ ...limits, fresh: true })
    } catch (error) {
      // A refusal is an answer.
      if (!(error instanceof RpcError)) throw error
    }
    // A ping costs the server less, so that it is taken back to when both were answered.
    if (way === 'ping' || this.#way === undefined) this.#way = way
  }
}
