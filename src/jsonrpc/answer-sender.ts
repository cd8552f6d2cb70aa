/**
 * Sends the answers that a peer owes. What the carrier does not take is kept, and sent when it has room again.
 */

import type { Clock } from '../base/clock.ts'
import { TransportError } from '../base/errors.ts'
import type { BatchReply } from './batch.ts'
import type { Channel } from './channel.ts'
import type { RequestId } from './message.ts'
import type { Facts } from './wire.ts'

/** Whom an answer goes to. */
export interface Debt {
  readonly id: RequestId | undefined
  readonly facts: Facts | undefined
  readonly batch: BatchReply | undefined
}

/** The same debt, to be paid with an HTTP status where the carrier has one. */
export function withStatus(debt: Debt, status: number | undefined): Debt {
  if (status === undefined || debt.facts === undefined) return debt
  return { ...debt, facts: { ...debt.facts, status } }
}

const PAUSE_MS = 10

export class AnswerSender {
  readonly #channel: Channel
  readonly #clock: Clock
  /** At most as many as there are running requests: nothing more is read while there are some. */
  #owed: { readonly text: string; readonly debt: Debt }[] | undefined
  #settling: Promise<void> | undefined

  constructor(channel: Channel, clock: Clock) {
    this.#channel = channel
    this.#clock = clock
  }

  /** Never throws: what cannot be sent now is sent later, or nobody is there any more. */
  send(text: string, debt: Debt): void {
    if (this.#channel.closed) return
    const { id, facts, batch } = debt
    try {
      this.#channel.send({ text, kind: 'answer', id, facts, chain: undefined }, batch)
    } catch (error) {
      if (!(error instanceof TransportError) || error.code !== 'DP_TRANSPORT_OVERLOADED') return
      ;(this.#owed ??= []).push({ text, debt })
      void this.settle()
    }
  }

  /** Waits for a far side that asks and asks and does not read, then sends what could not be sent. */
  settle(): Promise<void> {
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = undefined
    })
    return this.#settling
  }

  async #settle(): Promise<void> {
    await this.#channel.drained()
    while (this.#owed !== undefined && !this.#channel.closed) {
      const owed = this.#owed
      this.#owed = undefined
      for (const { text, debt } of owed) this.send(text, debt)
      if (this.#owed === undefined) return
      // A link that says drained and still takes nothing must not make this a busy loop.
      await new Promise<void>((resolve) => void this.#clock.after(PAUSE_MS, resolve))
      await this.#channel.drained()
    }
  }
}
