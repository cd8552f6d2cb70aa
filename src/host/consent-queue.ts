/**
 * One question at a time: those that wait stand in a queue with an end, and an answer that does not come in time is a no.
 * What is asked is made up when its turn comes, since earlier answers may have settled it.
 */

import type { Clock } from '../base/clock.ts'
import { CancelledError, describeError } from '../base/errors.ts'
import { watchAbort } from '../jsonrpc/abort-watch.ts'
import {
  unansweredBy,
  type Consent,
  type ConsentAnswer,
  type ConsentKind,
  type ConsentRequest,
} from './consent.ts'

export interface ConsentQueueOptions {
  readonly consent: Consent
  readonly clock: Clock
  /** How long an answer is waited for once the question is asked, in ms. */
  readonly timeoutMs: number
  /** Questions that may wait; one more is answered with no. Default 64. */
  readonly maxWaiting?: number
}

export class ConsentQueue {
  readonly #options: ConsentQueueOptions
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: ConsentQueueOptions) {
    this.#options = options
  }

  /**
   * Asks what `make` gives when nothing else is being asked; undefined from `make` means that there is nothing to ask any
   * more, and is the answer then. What `settle` does with an answer is done before the next question is made up. Rejects with a
   * `CancelledError` when `signal` aborts.
   */
  async ask(
    make: () => ConsentRequest | undefined,
    signal: AbortSignal = NEVER,
    settle?: (answer: ConsentAnswer) => Promise<void>,
  ): Promise<ConsentAnswer | undefined> {
    if (signal.aborted) throw cancelled(signal)
    if (this.#waiting >= (this.#options.maxWaiting ?? 64)) return unansweredBy('too-many')
    this.#waiting += 1
    let free = (): void => undefined
    const before = this.#last
    this.#last = new Promise<void>((resolve) => (free = resolve))
    try {
      await untilAbort(before, signal)
      const request = make()
      if (request === undefined) return undefined
      const answer = await this.#askNow(request, signal)
      await settle?.(answer)
      return answer
    } finally {
      this.#waiting -= 1
      // Whoever left while someone else was asked: the one behind waits for that all the same.
      void before.then(free)
    }
  }

  async #askNow(request: ConsentRequest, signal: AbortSignal): Promise<ConsentAnswer> {
    const { consent, clock, timeoutMs } = this.#options
    const over = new AbortController()
    let late = (_answer: ConsentAnswer): void => undefined
    const expired = new Promise<ConsentAnswer>((resolve) => (late = resolve))
    const timer = clock.after(timeoutMs, () =>
      late(unansweredBy('late', `no answer within ${timeoutMs} ms`)),
    )
    try {
      const asked = Promise.resolve().then(() => consent.ask(request, over.signal))
      const answer = await untilAbort(Promise.race([asked, expired]), signal)
      return KINDS.has(answer.kind) ? answer : unansweredBy('odd')
    } catch (error) {
      if (signal.aborted) throw cancelled(signal)
      const reason = `the question could not be asked: ${describeError(error)}`
      return { kind: 'deny', reason, by: 'nobody' }
    } finally {
      timer.cancel()
      over.abort()
    }
  }
}

const KINDS: ReadonlySet<ConsentKind> = new Set([
  'once',
  'session',
  'always',
  'always-these-arguments',
  'deny',
])

const NEVER: AbortSignal = new AbortController().signal

function cancelled(signal: AbortSignal): CancelledError {
  const reason: unknown = signal.reason
  return new CancelledError('The call was cancelled while a person was asked. It was not sent.', {
    method: 'tools/call',
    reason,
  })
}

async function untilAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) throw cancelled(signal)
  let giveUp = (): void => undefined
  const aborted = new Promise<never>((_, reject) => (giveUp = () => reject(cancelled(signal))))
  const unwatch = watchAbort(signal, giveUp)
  try {
    return await Promise.race([promise, aborted])
  } finally {
    unwatch()
  }
}
