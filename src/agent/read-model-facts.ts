/** A table of facts of models from a text that a person wrote. Pure. An entry that cannot be used is told and left out, the others count. */

import { exceedsDepth, isJsonObject } from '../base/json.ts'
import type { ModelFact, ModelFactTable } from './model-facts.ts'

export interface ReadModelFacts {
  readonly facts: ModelFactTable
  /** English sentences, one for each thing that does not count. They may hold what was written: escape them for a terminal. */
  readonly problems: readonly string[]
  /** The same in facts, in the same order. */
  readonly faults: readonly ModelFactFault[]
}

/** What of a table does not count; `at` is the place of an entry in the list, from 0. */
export type ModelFactFault =
  | { readonly kind: 'no-object' | 'no-list' }
  | { readonly kind: 'too-many'; readonly most: number }
  | { readonly kind: 'entry'; readonly at: number }

/** Most entries. */
const MAX_MODELS = 1000
const FORM =
  'an object with provider, model, and of window (a whole number of tokens), images, thinkingLevels and usual (true or false; usual only with a whole name) those that you know'

/** Never throws: of a text that is no table nothing counts. */
export function readModelFacts(text: string): ReadModelFacts {
  const whole = parsed(text)
  if (!isJsonObject(whole)) return nothing('no-object')
  const { models, asOf } = whole
  if (!Array.isArray(models)) return nothing('no-list')
  const faults: ModelFactFault[] = []
  if (models.length > MAX_MODELS) faults.push({ kind: 'too-many', most: MAX_MODELS })
  const read = models.slice(0, MAX_MODELS).flatMap((one: unknown, at) => {
    const fact = readFact(one)
    if (fact === undefined) faults.push({ kind: 'entry', at })
    return fact === undefined ? [] : [fact]
  })
  return {
    facts: { asOf: typeof asOf === 'string' ? asOf.slice(0, 40) : undefined, models: read },
    problems: faults.map(inWords),
    faults,
  }
}

function nothing(kind: 'no-object' | 'no-list'): ReadModelFacts {
  const fault = { kind }
  return { facts: { asOf: undefined, models: [] }, problems: [inWords(fault)], faults: [fault] }
}

function inWords(fault: ModelFactFault): string {
  switch (fault.kind) {
    case 'no-object':
      return 'The facts of models are no JSON object.'
    case 'no-list':
      return 'The facts of models have no list "models".'
    case 'too-many':
      return `Only the first ${fault.most} of the models count.`
    case 'entry':
      return `models[${fault.at}] does not count: write ${FORM}.`
    default:
      return fault satisfies never
  }
}

function readFact(value: unknown): ModelFact | undefined {
  if (!isJsonObject(value)) return undefined
  const { provider, model, window, images, thinkingLevels, usual } = value
  if (typeof provider !== 'string' || typeof model !== 'string' || model === '') return undefined
  if (window !== undefined && !isCount(window)) return undefined
  if (!isFlag(images) || !isFlag(thinkingLevels) || !isFlag(usual)) return undefined
  if (usual === true && model.includes('*')) return undefined
  return {
    provider,
    model,
    ...(window !== undefined && { window }),
    ...(images !== undefined && { images }),
    ...(thinkingLevels !== undefined && { thinkingLevels }),
    ...(usual !== undefined && { usual }),
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function isFlag(value: unknown): value is boolean | undefined {
  return value === undefined || typeof value === 'boolean'
}

function parsed(text: string): unknown {
  if (exceedsDepth(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined // told by the caller as what it is: no object
  }
}
