/** A table of facts of models from a text that a person wrote. Pure. An entry that cannot be used is told and left out, the others count. */

import type { JsonObject } from '../base/json.ts'
import type { ModelFact, ModelFactTable } from './model-facts.ts'
import { readTable, type TableFault } from './read-table.ts'

export interface ReadModelFacts {
  readonly facts: ModelFactTable
  /** English sentences, one for each thing that does not count. They may hold what was written: escape them for a terminal. */
  readonly problems: readonly string[]
  /** The same in facts, in the same order. */
  readonly faults: readonly TableFault[]
}

/** Never throws: of a text that is no table nothing counts. */
export function readModelFacts(text: string): ReadModelFacts {
  const { asOf, models, problems, faults } = readTable(text, {
    whole: 'The facts of models',
    entries: 'models',
    form: 'an object with provider, model, and of window (a whole number of tokens), images, thinkingLevels and usual (true or false; usual only with a whole name) those that you know',
    read: readFact,
  })
  return { facts: { asOf, models }, problems, faults }
}

function readFact(value: JsonObject): ModelFact | undefined {
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
