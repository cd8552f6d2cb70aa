/**
 * What is known of models beyond the ways of their providers, as a dated table that a user can put entries in front of. Pure; the
 * table that comes with the program is in `model-data.ts`.
 */

import { fitsName } from './name-pattern.ts'

/** Facts of the models that a name stands for. What is not known is left out. */
export interface ModelFact {
  /** As it is written before the colon. */
  readonly provider: string
  /** A star at its beginning or end stands for whatever is there. */
  readonly model: string
  /** Tokens of prompt and reply together. */
  readonly window?: number
  /** It takes images. */
  readonly images?: boolean
  /** Its thinking has levels, where models of the provider usually think or do not, or are given tokens to think with. */
  readonly thinkingLevels?: boolean
  /** It is meant by the provider's name alone. Only with a whole name. */
  readonly usual?: boolean
}

export interface ModelFactTable {
  /** The day on which they were true, as `2026-10-31`. Undefined where nobody said. */
  readonly asOf: string | undefined
  /** Of each member, the first entry that fits and has it counts. */
  readonly models: readonly ModelFact[]
}

export interface KnownModel extends Pick<ModelFact, 'images' | 'thinkingLevels'> {
  /** Of some it is known only once their server was asked. */
  readonly window?: number | undefined
}

export function knownOf(
  { provider, name }: { readonly provider: string; readonly name: string },
  { models }: ModelFactTable,
): KnownModel {
  const fitting = models.filter((one) => one.provider === provider && fitsName(name, one.model))
  const window = fitting.find((one) => one.window !== undefined)?.window
  const images = fitting.find((one) => one.images !== undefined)?.images
  const levels = fitting.find((one) => one.thinkingLevels !== undefined)?.thinkingLevels
  return {
    ...(window !== undefined && { window }),
    ...(images !== undefined && { images }),
    ...(levels !== undefined && { thinkingLevels: levels }),
  }
}

/** The model that is meant when only its provider is named. */
export function usualModelOf(provider: string, { models }: ModelFactTable): string | undefined {
  return models.find((one) => one.provider === provider && one.usual === true)?.model
}

/** The same table with others in front, which count first. */
export function withFacts(table: ModelFactTable, own: ModelFactTable): ModelFactTable {
  return { asOf: own.asOf ?? table.asOf, models: [...own.models, ...table.models] }
}
