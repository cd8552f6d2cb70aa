/**
 * What is wrong with a configuration, entry by entry. A problem is data for people and programs: a stable word, the values
 * for a sentence in any language, and the English sentence. The value of a secret never stands in one.
 */

import { terminalText } from '../base/terminal-text.ts'
import type { Place } from './entry.ts'
import { PROBLEM_WORDS, type ProblemKind, type ProblemValues } from './problem-words.ts'

export type { ProblemKind, ProblemValues } from './problem-words.ts'

/** An error leaves its server out (or its file); a warning leaves everything in. */
export interface Problem {
  readonly severity: 'error' | 'warning'
  readonly kind: ProblemKind
  /** What the sentence is filled with; safe for a terminal, never a secret. */
  readonly values: ProblemValues
  /** English: file, line, server, then what is wrong and what to do. */
  readonly message: string
  readonly server?: string
  readonly place: Place
}

/** The sentences of one language, one a kind. */
export type ProblemWords = Readonly<Record<ProblemKind, (values: ProblemValues) => string>>

export interface ProblemFacts {
  readonly severity: 'error' | 'warning'
  readonly kind: ProblemKind
  readonly place: Place
  readonly server?: string | undefined
  readonly values?: ProblemValues
}

/** Values longer than this are cut: names in a sentence, not texts. */
const MAX_VALUE = 200

export function makeProblem({ severity, kind, place, server, values }: ProblemFacts): Problem {
  const safe = Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : shortText(value),
    ]),
  )
  const sentence = PROBLEM_WORDS[kind](safe)
  return {
    severity,
    kind,
    values: safe,
    message: `${whereText(place)}: ${server === undefined ? '' : `server "${shortText(server)}": `}${sentence}`,
    ...(server !== undefined && { server }),
    place,
  }
}

/** `FILE:LINE`, or where there is no line `FILE (POINTER)`. Safe for a terminal. */
export function whereText({ file, line, pointer }: Place): string {
  const safe = terminalText(file)
  if (line !== undefined) return `${safe}:${line}`
  return pointer === '' ? safe : `${safe} (${shortText(pointer)})`
}

function shortText(text: string): string {
  const safe = terminalText(text.slice(0, MAX_VALUE))
  return text.length > MAX_VALUE ? `${safe}…` : safe
}
