/**
 * What is wrong with a policy, as data: a stable word, the values for a sentence in any language, and the English sentence. A
 * problem never makes a policy laxer.
 */

import { terminalText } from '../base/terminal-text.ts'
import type { Place } from '../config/entry.ts'
import { whereText } from '../config/problem.ts'
import { shortName } from './sentences.ts'

export type PolicyProblemValues = Readonly<Record<string, string | number>>

/** Stable words for what can be wrong. */
export type PolicyProblemKind =
  | 'not-an-object'
  | 'unknown-key'
  | 'bad-word'
  | 'not-a-list'
  | 'bad-rule'
  | 'bad-tools'
  | 'bad-effect'
  | 'unknown-rule-key'
  | 'bad-condition'
  | 'too-many-conditions'
  | 'too-many-rules'
  | 'allow-needs-server'
  | 'ambiguous-allow'
  | 'ignored-key'
  | 'path-by-glob'
  | 'project-allows'
  | 'allows-everything'
  | 'more-problems'

/** The sentences, one a kind; what was put in place of what could not be read is part of each. */
export const POLICY_PROBLEM_WORDS: Readonly<
  Record<PolicyProblemKind, (values: PolicyProblemValues) => string>
> = {
  'not-an-object': () =>
    'a policy is an object with "allow", "ask", "deny" or "rules"; until it is, everything is denied',
  'unknown-key': ({ key, known }) =>
    `"${key}" means nothing in a policy; as it could have been a rule, everything is asked until it is taken out. Known are ${known}`,
  'bad-word': ({ key, words, taken }) =>
    `"${key}" is one of ${words}; until it is, "${taken}" holds`,
  'not-a-list': ({ key, effect }) => `"${key}" is a list of rules; until it is, ${effect}`,
  'bad-rule': ({ effect }) => `a rule is a text or an object with "tools"; until it is, ${effect}`,
  'bad-tools': ({ effect, most }) =>
    `"tools" is a text of 1 to ${most} characters, and "server" as well where it is there; until they are, ${effect}`,
  'bad-effect': () => '"effect" is "allow", "ask" or "deny"; until it is, the rule denies',
  'unknown-rule-key': ({ key, known, effect }) =>
    `"${key}" means nothing in a rule; until it is taken out, ${effect}. Known are ${known}`,
  'bad-condition': ({ reason, effect }) =>
    `a condition cannot be read, as ${reason}; until it can, ${effect}`,
  'too-many-conditions': ({ most, effect }) =>
    `a rule has at most ${most} conditions; until it has, ${effect}`,
  'too-many-rules': ({ most, effect }) =>
    `a policy has at most ${most} rules; what is beyond is not read, and ${effect}`,
  'allow-needs-server': ({ tools }) =>
    `"${tools}" allows nothing: the server of what is allowed is written out, as in "server" or "server__tool_*"`,
  'ambiguous-allow': ({ tools }) =>
    `"${tools}" allows nothing, as it can be read as several tools: write {"server": "…", "tools": "…"}`,
  'ignored-key': ({ key }) => `"${key}" says nothing here and is left out`,
  'path-by-glob': ({ glob }) =>
    `the glob "${glob}" looks like a path, and its "*" takes "/../" as well: use "under"`,
  'project-allows': ({ tools }) =>
    `a project may ask and deny and allow nothing: "${tools}" is left out`,
  'allows-everything': ({ key }) =>
    `with "${key}": "allow" tools that nobody looked at are called without a question`,
  'more-problems': ({ most }) => `there are more than ${most} problems; the others are not listed`,
}

export interface PolicyProblem {
  /** An error means that something else holds than was written; a warning that what holds may not be what was meant. */
  readonly severity: 'error' | 'warning'
  readonly kind: PolicyProblemKind
  /** Safe for a terminal. */
  readonly values: PolicyProblemValues
  /** English: where, what is wrong, what holds until it is right. */
  readonly message: string
  /** JSON Pointer from the policy on. */
  readonly pointer: string
  readonly place?: Place
}

/** Longest value in a sentence, in characters. */
const MAX_SHOWN_VALUE = 400

/** Most problems that are listed. */
export const MAX_PROBLEMS = 100

/** A policy with the places of its parts, as a configuration hands it over. All optional: a policy made in code has none. */
export interface PolicyPlaces {
  readonly place?: Place
  /** By the pointer from the policy on. */
  readonly places?: ReadonlyMap<string, Place>
}

export interface ProblemReport {
  readonly kind: PolicyProblemKind
  readonly pointer: string
  readonly values?: PolicyProblemValues
  /** Default `error`. */
  readonly severity?: 'error' | 'warning'
}

/** Collects problems up to a bound, and knows where parts of the policy stand. */
export class PolicyReport {
  readonly problems: PolicyProblem[] = []
  readonly #places: PolicyPlaces

  constructor(places: PolicyPlaces) {
    this.#places = places
  }

  add({ kind, pointer, values = {}, severity = 'error' }: ProblemReport): void {
    if (this.problems.length > MAX_PROBLEMS) return
    const isLast = this.problems.length === MAX_PROBLEMS
    this.problems.push(
      isLast
        ? this.#problem(
            { kind: 'more-problems', pointer: '', values: { most: MAX_PROBLEMS } },
            'error',
          )
        : this.#problem({ kind, pointer, values }, severity),
    )
  }

  /** `FILE:LINE` of the part, or of what it stands in; undefined for a policy made in code. */
  placeText(pointer: string): string | undefined {
    const place = this.#placeOf(pointer)
    return place === undefined ? undefined : whereText(place)
  }

  #problem(
    { kind, pointer, values = {} }: ProblemReport,
    severity: 'error' | 'warning',
  ): PolicyProblem {
    const safe = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'number' ? value : shortText(value),
      ]),
    )
    const place = this.#placeOf(pointer)
    const where = place === undefined ? `The policy at "${shortName(pointer)}"` : whereText(place)
    const sentence = POLICY_PROBLEM_WORDS[kind]
    return {
      severity,
      kind,
      values: safe,
      message: `${where}: ${sentence(safe)}.`,
      pointer,
      ...(place !== undefined && { place }),
    }
  }

  #placeOf(pointer: string): Place | undefined {
    const { place, places } = this.#places
    for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const found = places?.get(at)
      if (found !== undefined) return found
    }
    return place
  }
}

function shortText(text: string): string {
  const safe = terminalText(text.slice(0, MAX_SHOWN_VALUE))
  return text.length > MAX_SHOWN_VALUE ? `${safe}…` : safe
}
