/**
 * The answers to one JSON-RPC batch, held back until all are there and then sent as one array.
 *
 * Only one revision has batches (RPC-11); whether they are allowed is a trait of the link.
 */

import { readMessage, type Reading } from './message.ts'

/** Most messages in one batch. A larger one is refused whole. */
export const MAX_BATCH = 1000

/** Why a batch is refused whole, or nothing. */
export function batchFault(values: readonly unknown[]): string | undefined {
  return values.length === 0 || values.length > MAX_BATCH
    ? `a batch of ${values.length} messages`
    : undefined
}

/** How many answers the members of a batch are owed. */
export function owedTo(readings: readonly Reading[]): number {
  return readings.filter(
    (one) => one.kind === 'request' || (one.kind === 'malformed' && one.answer !== true),
  ).length
}

/** Whether the sender of a batch is owed anything, be it that it is refused. */
export function expectsReply(values: readonly unknown[]): boolean {
  return batchFault(values) !== undefined || owedTo(values.map(readMessage)) > 0
}

/** Collects the texts of the answers that one batch owes. */
export class BatchReply {
  #owed: number
  readonly #texts: string[] = []

  constructor(owed: number) {
    this.#owed = owed
  }

  /** Adds one answer; gives the whole array's text when it was the last, else nothing. */
  add(text: string): string | undefined {
    this.#texts.push(text)
    return this.drop()
  }

  /** True when nothing is owed any more. */
  get settled(): boolean {
    return this.#owed === 0
  }

  /** One answer will not come (a cancelled request): gives the array's text if it was the last and there are others. */
  drop(): string | undefined {
    this.#owed -= 1
    return this.#owed === 0 && this.#texts.length > 0 ? `[${this.#texts.join(',')}]` : undefined
  }
}
