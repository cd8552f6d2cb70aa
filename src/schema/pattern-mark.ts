/**
 * How a pattern reaches our own matcher through the library.
 *
 * The library looks a string's `format` up in a table that all its users share. A mark stands in the place of the format's name:
 * when it is made a key it remembers itself and answers with the one hidden entry we add, whose function then asks the mark. So
 * the table keeps what others put there, and never grows.
 */

import { giveUp } from './meter.ts'
import { matcherOf, parsePattern } from './pattern.ts'
import type { Matcher, ParsedPattern, PatternBudget, Re2 } from './pattern.ts'

/** The hidden entry's name in the library's table. */
const ENTRY = 'deep-pilot:pattern'

let current: PatternMark | undefined

/** Stands for one pattern in the `format` of a guarded copy. */
export class PatternMark {
  readonly parsed: ParsedPattern
  #matcher: Matcher | undefined

  constructor(source: string) {
    this.parsed = parsePattern(source)
  }

  /** Binds the pattern to its engines; matching before that ends the check. */
  bind(re2: Re2 | undefined, budget: PatternBudget): void {
    this.#matcher = matcherOf(this.parsed, re2, budget)
  }

  matches(text: string): boolean {
    if (this.#matcher === undefined) giveUp('its patterns are not ready')
    return this.#matcher(text)
  }

  [Symbol.toPrimitive](): string {
    remember(this)
    return ENTRY
  }
}

function remember(mark: PatternMark): void {
  current = mark
}

/** Adds the hidden entry to the library's table; again does nothing. */
export function addPatternEntry(table: object): void {
  if (Object.hasOwn(table, ENTRY)) return
  Object.defineProperty(table, ENTRY, {
    enumerable: false,
    value: (text: string): boolean => current?.matches(text) ?? true,
  })
}
