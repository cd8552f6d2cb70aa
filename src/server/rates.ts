/**
 * Budgets by caller: by principal where the carrier knows one, so that many connections do not make many budgets, and by
 * link where it does not.
 */

import type { Clock } from '../base/clock.ts'
import { Budget } from './pace.ts'

/** Most principals remembered; whoever was not heard of for longest begins anew. */
const MAX_PRINCIPALS = 10_000

export class Rates {
  readonly #clock: Clock
  readonly #pace: { readonly burst: number; readonly perSecond: number }
  readonly #byPrincipal = new Map<string, Budget>()
  readonly #byLink = new WeakMap<object, Budget>()

  constructor(clock: Clock, pace: { readonly burst: number; readonly perSecond: number }) {
    this.#clock = clock
    this.#pace = pace
  }

  /** Takes one for a caller; false when it has none left. */
  take(link: object, principal: string | undefined): boolean {
    if (principal === undefined) {
      const budget = this.#byLink.get(link) ?? new Budget(this.#clock, this.#pace)
      this.#byLink.set(link, budget)
      return budget.take()
    }
    const budget = this.#byPrincipal.get(principal) ?? new Budget(this.#clock, this.#pace)
    this.#byPrincipal.delete(principal)
    this.#byPrincipal.set(principal, budget)
    for (const oldest of this.#byPrincipal.keys()) {
      if (this.#byPrincipal.size <= MAX_PRINCIPALS) break
      this.#byPrincipal.delete(oldest)
    }
    return budget.take()
  }
}
