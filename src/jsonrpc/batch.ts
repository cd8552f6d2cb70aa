/**
 * The answers to one JSON-RPC batch, held back until all are there and then sent as one array.
 *
 * Only one revision has batches (RPC-11); whether they are allowed is a trait of the link.
 */

/** Most messages in one batch. A larger one is refused whole. */
export const MAX_BATCH = 1000

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
