/**
 * Turns a stranger's `pattern` into a matcher whose cost is known before it runs.
 *
 * The native engine gets only patterns in which it cannot go back and forth more than linearly in text and
 * pattern; everything else goes to RE2, which is linear always. What neither takes is refused with the reason.
 */

import { spend, giveUp } from './meter.ts'
import { readPattern } from './pattern-syntax.ts'
import type { PatternFacts } from './pattern-syntax.ts'

/** Longest pattern, in UTF-16 units. */
const MAX_PATTERN_LENGTH = 1_000
/** Longest text that goes to the native engine where its cost is more than linear. */
const MAX_NATIVE_TEXT = 1_000
/** RE2 instructions of all patterns of one schema. */
const MAX_PATTERN_PROGRAM = 20_000
/** Patterns of one schema that RE2 is asked to compile, in characters. */
const MAX_PATTERN_CHARACTERS = 50_000

/** Says whether the text has a match anywhere. Charges the meter before it looks. */
export type Matcher = (text: string) => boolean

/** What of the `re2js` package is used. */
export interface Re2 {
  compile(pattern: string): { matcher(text: string): { find(): boolean }; programSize(): number }
}

/** A pattern that was read, not yet bound to an engine. */
export interface ParsedPattern {
  readonly source: string
  readonly native: RegExp | undefined
  readonly facts: PatternFacts
  /** Whether matching it wants RE2, for all texts or for long ones. */
  readonly wantsRe2: boolean
}

/** Reads a pattern. Throws with the reason when no engine here can take it. */
export function parsePattern(source: string): ParsedPattern {
  if (source.length > MAX_PATTERN_LENGTH) giveUp('it is longer than 1,000 characters')
  const unicode = compileNative(source, 'u')
  const regex = unicode ?? compileNative(source, '')
  if (regex === undefined) giveUp('it is not a regular expression')
  const facts = readPattern(source, unicode !== undefined)
  const safe = facts.choices <= 1 && !facts.repeatsChoice && facts.length <= 10_000
  const steps = safe ? nativeSteps(facts, MAX_NATIVE_TEXT) : Number.POSITIVE_INFINITY
  const native = steps <= 20_000 ? regex : undefined
  if (native === undefined && 'missing' in facts.re2) {
    giveUp(`the engine that is safe with it has no ${facts.re2.missing}`)
  }
  const isLinear = facts.length <= 64 && (facts.choices === 0 || facts.anchored)
  return {
    source,
    native,
    facts,
    wantsRe2: native === undefined || (!isLinear && 'text' in facts.re2),
  }
}

/** A regular expression for `patternProperties`, which the library runs itself: native and in `u` mode only. */
export function requireNative(source: string): void {
  const parsed = parsePattern(source)
  if (parsed.native === undefined || !parsed.native.unicode) {
    giveUp('in "patternProperties" only patterns with one varying part are safe to run')
  }
}

/** Keeps count of the RE2 programs of one schema. */
export interface PatternBudget {
  program: number
  characters: number
}

/** Binds a parsed pattern to its engines. `re2` must be there when the pattern wants it. */
export function matcherOf(
  parsed: ParsedPattern,
  re2: Re2 | undefined,
  budget: PatternBudget,
): Matcher {
  const { native, facts } = parsed
  const linear =
    parsed.wantsRe2 && re2 !== undefined ? linearMatcher(parsed, re2, budget) : undefined
  if (native === undefined) {
    if (linear === undefined) giveUp('the engine that is safe with it is not loaded')
    return linear
  }
  return (text) => {
    if (linear !== undefined && text.length > MAX_NATIVE_TEXT) return linear(text)
    spend(nativeSteps(facts, text.length))
    return native.test(text)
  }
}

function linearMatcher(
  parsed: ParsedPattern,
  re2: Re2,
  budget: PatternBudget,
): Matcher | undefined {
  if (!('text' in parsed.facts.re2)) return undefined
  budget.characters += parsed.source.length
  if (budget.characters > MAX_PATTERN_CHARACTERS)
    giveUp('the patterns of the schema are too long in sum')
  const program = compileLinear(re2, parsed.facts.re2.text)
  if (program === undefined) {
    if (parsed.native !== undefined) return undefined
    giveUp('the engine that is safe with it cannot take it; it repeats too often, perhaps')
  }
  const size = program.programSize()
  budget.program += size
  if (budget.program > MAX_PATTERN_PROGRAM)
    giveUp('the patterns of the schema are too large in sum')
  return (text) => {
    // 20 ns a character and instruction at worst, a hundredth of a step.
    spend(1 + Math.ceil((text.length * size) / 100))
    return program.matcher(text).find()
  }
}

function compileLinear(re2: Re2, text: string): ReturnType<Re2['compile']> | undefined {
  try {
    return re2.compile(text)
  } catch {
    return undefined // Its reason speaks of the translated text, which nobody wrote.
  }
}

/** Steps that the native engine may need, each about 300 single matches. */
function nativeSteps(facts: PatternFacts, length: number): number {
  const starts = facts.anchored ? 1 : length
  const returns = facts.choices === 0 ? 1 : length
  return Math.floor((starts * returns * Math.min(facts.length, length + 1)) / 300)
}

function compileNative(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}
