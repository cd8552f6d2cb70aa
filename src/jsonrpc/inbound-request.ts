/**
 * One request of the far side while it is being answered: its cancellation and its own notifications.
 *
 * The abort signal is made when somebody looks at it; most handlers never do.
 */

import { CancelledError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { RequestId } from './message.ts'
import type { Facts } from './wire.ts'

/** Who sends the notifications of a request and knows its stream: its peer. */
export interface NotificationSender {
  /** Nobody hears anything any more. */
  readonly closed: boolean
  notify(method: string, params: JsonObject, options: { readonly facts: Facts | undefined }): void
  pauseStream(facts: Facts | undefined, retryMs: number): boolean
}

export class InboundRequest {
  readonly id: RequestId
  readonly method: string
  readonly facts: Facts | undefined
  /** Whatever its owner wants to find again when the answer is written. */
  memo: unknown = undefined
  readonly #sender: NotificationSender
  #controller: AbortController | undefined
  #cancelled: CancelledError | undefined
  #ended = false
  #onEnd: (() => void) | undefined

  constructor(id: RequestId, method: string, facts: Facts | undefined, sender: NotificationSender) {
    this.id = id
    this.method = method
    this.facts = facts
    this.#sender = sender
  }

  /** Aborts with a `CancelledError` when the far side gives the request up or is gone. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#cancelled !== undefined) this.#controller.abort(this.#cancelled)
    }
    return this.#controller.signal
  }

  get cancelled(): boolean {
    return this.#cancelled !== undefined
  }

  /** True once the answer is on its way, or will never be: nothing may be sent for this request any more. // PROG-05 */
  get ended(): boolean {
    return this.#ended
  }

  cancel(reason?: string): void {
    if (this.#ended || this.#cancelled !== undefined) return
    const told = reason === undefined ? '' : `: ${reason}`
    this.#cancelled = new CancelledError(`${this.method} was cancelled by the far side${told}`, {
      reason,
      method: this.method,
      id: this.id,
    })
    this.#controller?.abort(this.#cancelled)
  }

  /** Aborts what hangs on the signal although nobody cancelled: the work goes on in another request. */
  release(reason: string): void {
    this.#controller?.abort(
      new CancelledError(`${this.method} goes on later: ${reason}`, { reason }),
    )
  }

  /** Called by the peer when the answer is on its way, or will never be. */
  end(): void {
    this.#ended = true
    this.#onEnd?.()
  }

  /** Calls back once, right after the answer was handed to the channel. One listener. */
  whenEnded(run: () => void): void {
    if (this.#ended) run()
    else this.#onEnd = run
  }

  /**
   * Sends a notification on the stream of this request; does nothing once it has ended, was cancelled, or nobody is there:
   * that is told by the signal, and is no failure of whoever says something. // STDIO-15
   */
  notify(method: string, params: JsonObject): void {
    if (!this.#ended && this.#cancelled === undefined && !this.#sender.closed)
      this.#sender.notify(method, params, { facts: this.facts })
  }

  /**
   * Ends the connection on which the far side waits, which then fetches the answer after `retryMs`. True when it was
   * ended; false where nothing can be taken up again, and then all stays as it is. // HTTP-16
   */
  pauseStream(retryMs: number): boolean {
    if (this.#ended || this.#cancelled !== undefined) return false
    return this.#sender.pauseStream(this.facts, retryMs)
  }
}
