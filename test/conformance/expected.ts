/**
 * The scenarios that are expected not to be green, each with its reason, and what comes of comparing them with what
 * happened. The list may only shrink: an entry that has become green is an error as much as a scenario that is red.
 */
import { isJsonObject } from '../../src/base/json.ts'
import type { Verdict } from './judge.ts'

/** Reasons by `run id` and scenario. */
export type Expectations = ReadonlyMap<string, ReadonlyMap<string, string>>

/** What one scenario of one run came to, and what was expected. */
export interface Finding {
  readonly scenario: string
  readonly verdict: Verdict
  /** Why it may be not green. */
  readonly reason: string | undefined
  /** Whether it is as expected. */
  readonly asExpected: boolean
}

/** Reads the list; throws with a sentence for people when it is not one. */
export function readExpectations(value: unknown): Expectations {
  if (!Array.isArray(value)) throw new Error('The list of expectations is not a list.')
  const read = new Map<string, Map<string, string>>()
  for (const group of value) {
    const { reason, runs } = isJsonObject(group) ? group : {}
    if (typeof reason !== 'string' || reason === '' || !isJsonObject(runs))
      throw new Error('A group of expectations needs a "reason" and "runs".')
    for (const [id, names] of Object.entries(runs)) addNames(read, { id, names, reason })
  }
  return read
}

function addNames(
  read: Map<string, Map<string, string>>,
  { id, names, reason }: { readonly id: string; readonly names: unknown; readonly reason: string },
): void {
  if (!Array.isArray(names) || names.length === 0)
    throw new Error(`The expectations of ${id} are no list of scenarios.`)
  const run = read.get(id) ?? new Map<string, string>()
  read.set(id, run)
  for (const name of names) {
    if (typeof name !== 'string') throw new Error(`A scenario in ${id} has no name.`)
    if (run.has(name)) throw new Error(`${id} has ${name} twice.`)
    run.set(name, reason)
  }
}

/** Each scenario of a run beside what was expected of it. */
export function compare(
  id: string,
  verdicts: ReadonlyMap<string, Verdict>,
  expectations: Expectations,
): readonly Finding[] {
  return [...verdicts].map(([scenario, verdict]) => {
    const reason = expectations.get(id)?.get(scenario)
    const asExpected = (verdict.kind === 'green') === (reason === undefined)
    return { scenario, verdict, reason, asExpected }
  })
}

/** Entries that name a run or a scenario that does not exist: what they excuse is nothing. */
export function orphans(
  known: ReadonlyMap<string, readonly string[]>,
  expectations: Expectations,
): readonly string[] {
  return [...expectations].flatMap(([id, run]) =>
    [...run.keys()]
      .filter((scenario) => known.get(id)?.includes(scenario) !== true)
      .map((scenario) => `${id} ${scenario}`),
  )
}
