/**
 * Notices that a model makes the same call with the same outcome again and again. A call whose outcome differs from the last one is
 * progress, however often it is made: who waits for a job asks the same thing many times.
 */

import { canonicalJson, type JsonObject } from '../base/json.ts'

/** Times until the model is told of it, and until the run ends. */
export const TOLD_AT = 3
export const ENDS_AT = 5
/** Most calls that are remembered; the one that was not made for the longest time is forgotten first. */
const MAX_CALLS = 256
/** Longest arguments and outcomes that are remembered, in UTF-16 units: longer ones are compared by their length and ends. */
const MAX_LENGTH = 16_384

interface Seen {
  readonly outcome: string
  readonly times: number
}

export class LoopGuard {
  readonly #seen = new Map<string, Seen>()

  /** How often the call had this outcome in a row, this time included. Arguments are the same when their values are. */
  count(name: string, args: JsonObject | string, outcome: string): number {
    const written = typeof args === 'string' ? args : canonicalJson(args)
    const key = `${name} ${shortened(written)}`
    const short = shortened(outcome)
    const before = this.#seen.get(key)
    const times = before?.outcome === short ? before.times + 1 : 1
    this.#seen.delete(key)
    this.#seen.set(key, { outcome: short, times })
    if (this.#seen.size > MAX_CALLS) this.#forgetOldest()
    return times
  }

  #forgetOldest(): void {
    const [oldest] = this.#seen.keys()
    if (oldest !== undefined) this.#seen.delete(oldest)
  }
}

function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const half = MAX_LENGTH / 2
  return `${text.length} ${text.slice(0, half)} ${text.slice(text.length - half)}`
}
