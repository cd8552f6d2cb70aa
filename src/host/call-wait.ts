/**
 * The time that a call may wait for its turn. The same limits hold as for an answer: the idle one begins anew with each sign
 * of life of the server, the total one never does.
 */

import type { Clock, Timer } from '../base/clock.ts'
import { CancelledError, TimeoutError, type TimerName } from '../base/errors.ts'
import { watchAbort } from '../jsonrpc/abort-watch.ts'
import type { TimerSetting } from '../jsonrpc/exchange.ts'

export interface CallWaitOptions {
  readonly clock: Clock
  readonly server: string
  readonly tool: string
  readonly idle: TimerSetting
  readonly total: TimerSetting
  /** When the call began, by the clock. */
  readonly startedAt: number
  readonly signal: AbortSignal | undefined
  /** What is waited for, as a sentence. */
  readonly why: () => string
  /** The wait is over; called once at most, and never before the constructor is done. */
  readonly onOver: (error: Error) => void
}

export class CallWait {
  readonly #options: CallWaitOptions
  #signAt: number
  #timer: Timer | undefined
  #unwatch: (() => void) | undefined

  constructor(options: CallWaitOptions) {
    this.#options = options
    this.#signAt = options.clock.now()
    const { signal } = options
    if (signal?.aborted === false) this.#unwatch = watchAbort(signal, () => this.#cancel())
    this.#arm()
  }

  /** The server gave a sign of life. Cheap: the timer finds out when it fires. */
  touch(): void {
    this.#signAt = this.#options.clock.now()
  }

  end(): void {
    this.#timer?.cancel()
    this.#unwatch?.()
  }

  #dueAt(): number {
    const { idle, total, startedAt } = this.#options
    return Math.min(this.#signAt + idle.ms, startedAt + total.ms)
  }

  #arm(): void {
    const { clock } = this.#options
    const due = this.#dueAt()
    if (!Number.isFinite(due)) return
    this.#timer = clock.after(Math.max(0, due - clock.now()), () => {
      if (clock.now() < this.#dueAt()) this.#arm()
      else this.#expire()
    })
  }

  #expire(): void {
    const { idle, total, startedAt, server, tool, why, onOver, clock } = this.#options
    const isTotal = clock.now() >= startedAt + total.ms
    const timer: TimerName = isTotal ? 'total' : 'idle'
    const { ms, setBy } = isTotal ? total : idle
    this.end()
    const message = `The call of "${tool}" was not sent: it waited for "${server}" until its ${timer} timer of ${ms} ms ran out, set by ${setBy}. ${why()}`
    const facts = { timer, ms, setBy, server, method: 'tools/call', sent: 'no' } as const
    const detail = { kind: 'waited-for-server', tool } as const
    onOver(new TimeoutError(message, { ...facts, detail }))
  }

  #cancel(): void {
    const { signal, server, tool, onOver } = this.#options
    this.end()
    onOver(cancelled(server, tool, signal))
  }
}

/** The error of a call that was given up before it was sent. */
export function cancelled(
  server: string,
  tool: string,
  signal: AbortSignal | undefined,
): CancelledError {
  const reason: unknown = signal?.reason
  return new CancelledError(
    `The call of "${tool}" was cancelled while it waited for "${server}". It was not sent.`,
    { server, method: 'tools/call', reason, cause: reason },
  )
}
