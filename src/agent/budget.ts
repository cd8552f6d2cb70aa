/**
 * What a run may spend and what it has spent. Only counts: what follows from a limit that is reached is for the loop to do.
 */

import type { Clock } from '../base/clock.ts'
import { UsageError } from '../base/errors.ts'
import type { Usage } from './model.ts'

/**
 * Limits of one run. One that is reached ends the run between two turns; only that of time also breaks off what runs then, and each
 * call that is broken off is answered.
 */
export interface Budget {
  /** Requests to the model, those that it broke off and that were sent again among them. Default 50. */
  readonly turns?: number
  /** Tokens read and written together, as the provider counts them, or estimated where it does not tell. Default: no limit. */
  readonly tokens?: number
  /** US dollars. A model whose price is unknown is not asked at all under this limit. Default: no limit. */
  readonly usd?: number
  /** Milliseconds from the start of the run, questions to a person included. Default: no limit. */
  readonly ms?: number
  /** Calls that are made; those of a reply that are over it are answered and not made. Default: no limit. */
  readonly calls?: number
}

const DEFAULT_TURNS = 50

/** The sum of one run. */
export class Spending {
  readonly #budget: Budget
  readonly #clock: Clock
  readonly #startedAt: number
  #turns = 0
  #calls = 0
  #usage: Usage = { input: 0, output: 0 }
  #usd: number | undefined = 0
  #estimated = false
  #uncounted = 0

  /** Throws a `UsageError` for a limit that is no number from 0 on. */
  constructor(budget: Budget, clock: Clock) {
    for (const [name, value] of Object.entries(budget)) {
      if (value === undefined || (typeof value === 'number' && value >= 0)) continue
      throw new UsageError(`The budget "${name}" must be a number from 0 on, not ${String(value)}.`)
    }
    this.#budget = budget
    this.#clock = clock
    this.#startedAt = clock.now()
  }

  get turns(): number {
    return this.#turns
  }

  get usage(): Usage {
    return this.#usage
  }

  /** US dollars; undefined when the cost of one reply is not known. */
  get usd(): number | undefined {
    return this.#usd
  }

  /** Whether a part of it is an estimate. */
  get estimated(): boolean {
    return this.#estimated
  }

  /** Requests of which nothing came, and nobody told what they count. */
  get uncounted(): number {
    return this.#uncounted
  }

  /** A request broke off before anything of its reply came. */
  addUncounted(): void {
    this.#uncounted += 1
  }

  /** A request is sent. */
  beginTurn(): void {
    this.#turns += 1
  }

  /** A reply came, or a part of one. Default for `estimated`: the provider told its usage. */
  addReply(usage: Usage, usd: number | undefined, estimated = false): void {
    if (estimated) this.#estimated = true
    this.#usage = sumOf(this.#usage, usage)
    this.#usd = this.#usd === undefined || usd === undefined ? undefined : this.#usd + usd
  }

  /** Takes one call out of the budget; false when there is none left. */
  takeCall(): boolean {
    if (this.#calls >= (this.#budget.calls ?? Number.POSITIVE_INFINITY)) return false
    this.#calls += 1
    return true
  }

  /** The first limit that is reached. */
  reached(): keyof Budget | undefined {
    const { turns = DEFAULT_TURNS, tokens, usd, ms, calls } = this.#budget
    if (this.#turns >= turns) return 'turns'
    if (tokens !== undefined && this.#usage.input + this.#usage.output >= tokens) return 'tokens'
    if (usd !== undefined && (this.#usd === undefined || this.#usd >= usd)) return 'usd'
    if (ms !== undefined && this.#clock.now() - this.#startedAt >= ms) return 'ms'
    if (calls !== undefined && this.#calls >= calls) return 'calls'
    return undefined
  }
}

const PARTS = ['cachedInput', 'cacheWrite', 'reasoning'] as const

/** Both together; a part that neither tells stays untold. */
export function sumOf(one: Usage, other: Usage): Usage {
  const parts: { [Part in (typeof PARTS)[number]]?: number } = {}
  for (const part of PARTS) {
    if (one[part] === undefined && other[part] === undefined) continue
    parts[part] = (one[part] ?? 0) + (other[part] ?? 0)
  }
  return { input: one.input + other.input, output: one.output + other.output, ...parts }
}
