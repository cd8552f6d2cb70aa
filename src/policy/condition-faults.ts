/** What can be wrong with a condition of a rule: a stable word each, and its words in English, as the beginning of a sentence. */

import { MAX_CONDITION_DEPTH, MAX_ONE_OF, MAX_PATTERN } from './policy.ts'
import { MAX_VALUE_DEPTH } from './same-value.ts'

export type ConditionFault =
  | 'too-deep'
  | 'no-object'
  | 'unknown-test'
  | 'no-test'
  | 'bad-pointer'
  | 'is-too-deep'
  | 'bad-one-of'
  | 'bad-glob'
  | 'bad-under'
  | 'bad-host'
  | 'bad-absent'

/** What a sentence is filled with: `key` is the test that is not known, `known` are those that are. */
export interface ConditionFaultFacts {
  readonly key: string
  readonly known: string
}

/** Bounds that sentences name, in every language. */
export const CONDITION_LIMITS: Readonly<
  Record<'depth' | 'values' | 'pattern' | 'valueDepth', number>
> = {
  depth: MAX_CONDITION_DEPTH,
  values: MAX_ONE_OF,
  pattern: MAX_PATTERN,
  valueDepth: MAX_VALUE_DEPTH,
}

const { depth, values, pattern, valueDepth } = CONDITION_LIMITS

export const CONDITION_FAULTS: Readonly<
  Record<ConditionFault, (facts: ConditionFaultFacts) => string>
> = {
  'too-deep': () => `"not" nests at most ${depth} deep`,
  'no-object': () => 'a condition is an object with "pointer" and a test',
  'unknown-test': ({ key, known }) => `"${key}" means nothing in a condition, which knows ${known}`,
  'no-test': ({ known }) => `a condition has one of ${known}`,
  'bad-pointer': () => '"pointer" is a JSON Pointer into the arguments, such as "/path"',
  'is-too-deep': () => `"is" nests at most ${valueDepth} deep`,
  'bad-one-of': () =>
    `"oneOf" is a list of 1 to ${values} values that nest at most ${valueDepth} deep`,
  'bad-glob': () => `"glob" is a text of 1 to ${pattern} characters`,
  'bad-under': () =>
    '"under" is a folder written out, such as "/home/me/notes" or "C:\\notes", without "~" and variables',
  'bad-host': () =>
    '"host" is the name of a host, such as "example.org", "example.org:8443" or "*.example.org"',
  'bad-absent': () => '"absent" is true or left out',
}
