/**
 * Conditions on the arguments of a call. Total: whatever the arguments are, there is an answer, and where a value cannot be
 * judged the answer is that it is undecided.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { every, fitOf, opposite, some, unanimous, type Fit } from './fit.ts'
import { isUnder } from './folder.ts'
import { matchesGlob } from './glob.ts'
import { sameValue } from './same-value.ts'
import { overReadings } from './uri-readings.ts'
import { isAtHost } from './url-host.ts'
import { MAX_CONDITION_DEPTH, MAX_CONDITIONS, MAX_PATTERN, type Condition } from './policy.ts'

/** Longest text that is compared with a glob, in UTF-16 units. */
export const MAX_GLOB_TEXT = 65_536
/** Most items of a list that are looked at in the place of one value. */
export const MAX_LIST = 10_000

/** Whether all conditions hold for the arguments. */
export function allHold(when: readonly Condition[] | undefined, args: JsonObject): Fit {
  if (when === undefined) return 'yes'
  const fits = when.slice(0, MAX_CONDITIONS).map((condition) => holds(condition, args, 0))
  return every(when.length > MAX_CONDITIONS ? [...fits, 'unsure'] : fits)
}

function holds(condition: Condition, args: JsonObject, depth: number): Fit {
  if (condition.unreadable === true || depth > MAX_CONDITION_DEPTH) return 'unsure'
  const found = valueAt(args, condition.pointer)
  const fits: Fit[] = testsOf(condition).map((test) => on(found, test))
  if (condition.absent === true)
    fits.push(found.is === 'unclear' ? 'unsure' : fitOf(found.is === 'absent'))
  if (condition.not !== undefined) fits.push(opposite(holds(condition.not, args, depth + 1)))
  // A condition that asks for nothing is no condition that holds.
  return fits.length === 0 ? 'unsure' : every(fits)
}

type Test = (value: JsonValue) => Fit

function testsOf({ is, oneOf, glob, under, host }: Condition): Test[] {
  const tests: Test[] = []
  if (is !== undefined) tests.push((value) => sameValue(is, value))
  if (oneOf !== undefined)
    tests.push((value) => some(oneOf.map((wanted) => sameValue(wanted, value))))
  if (glob !== undefined) tests.push(onText((text) => globFits(glob, text)))
  if (under !== undefined) tests.push(onText((text) => isUnder(under, text)))
  if (host !== undefined) tests.push(onText((text) => isAtHost(host, text)))
  return tests
}

function on(found: Found, test: Test): Fit {
  if (found.is === 'absent') return 'no'
  return found.is === 'unclear' ? 'unsure' : test(found.value)
}

function globFits(glob: string, text: string): Fit {
  if (glob.length > MAX_PATTERN || text.length > MAX_GLOB_TEXT) return 'unsure'
  return overReadings(glob, text, matchesGlob)
}

/** A test of texts, also over a list of them. What is no text cannot be judged: servers make texts of numbers, and more. */
function onText(test: (text: string) => Fit): Test {
  const one: Test = (value) => (typeof value === 'string' ? test(value) : 'unsure')
  return (value) => {
    if (!Array.isArray(value)) return one(value)
    return value.length > MAX_LIST ? 'unsure' : unanimous(value.map(one))
  }
}

/** `unclear`: the way to it leads through something that is neither object nor list, such as JSON in a text. */
type Found =
  | { readonly is: 'there'; readonly value: JsonValue }
  | { readonly is: 'absent' }
  | { readonly is: 'unclear' }

/** RFC 6901. Own members only, so that no argument reaches a prototype. */
function valueAt(args: JsonObject, pointer: string): Found {
  let value: JsonValue = args
  if (pointer === '') return { is: 'there', value }
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(key)) return { is: 'unclear' }
    if (!Array.isArray(value) && !isJsonObject(value)) return { is: 'unclear' }
    const next: JsonValue | undefined = Object.hasOwn(value, key)
      ? (value as JsonObject)[key] // a list has its items under their numbers as an object has its members
      : undefined
    if (next === undefined) return { is: 'absent' }
    value = next
  }
  return { is: 'there', value }
}
