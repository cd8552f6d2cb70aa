/** Models and their prices on Node: connections of Node's own, and what a user wrote down of both in the folder of this program. */

import { join } from 'node:path'
import { stateFolder } from '../../config/node/home.ts'
import { readTextIfThere } from '../../config/node/read-text.ts'
import { nodeExchange } from '../../transport/node/http-exchange.ts'
import { PRICES } from '../price-data.ts'
import { withPrices, type PriceTable } from '../prices.ts'
import { MODEL_FACTS } from '../model-data.ts'
import { withFacts, type ModelFactTable } from '../model-facts.ts'
import { modelOf, type FoundModel, type ModelOptions } from '../providers.ts'
import { readModelFacts, type ModelFactFault } from '../read-model-facts.ts'
import { readPrices, type PriceFault } from '../read-prices.ts'

/** As `modelOf`, over connections that the model closes with itself. */
export function nodeModelOf(
  spec: string | undefined,
  options: Omit<ModelOptions, 'exchange'>,
): FoundModel {
  const exchange = nodeExchange({ variables: options.env })
  try {
    return modelOf(spec, { ...options, exchange })
  } catch (error) {
    exchange.close?.()
    throw error
  }
}

export interface FoundPrices {
  readonly prices: PriceTable
  /** Where a user's own prices are looked for. */
  readonly file: string
  /** What of that file does not count, as English sentences. */
  readonly problems: readonly string[]
  /** The same in facts, in the same order. */
  readonly faults: readonly PriceFault[]
}

/** The prices that are known, with those of `$DEEP_PILOT_HOME/prices.json` in front. Rejects with `ConfigError` when that cannot be read. */
export async function pricesOf(
  env: Readonly<Record<string, string | undefined>>,
): Promise<FoundPrices> {
  const file = join(stateFolder(env), 'prices.json')
  const found = await readTextIfThere(file)
  if (found === undefined) return { prices: PRICES, file, problems: [], faults: [] }
  const { prices, ...rest } = readPrices(found.text)
  return { prices: withPrices(PRICES, prices), file, ...rest }
}

export interface FoundModelFacts {
  readonly facts: ModelFactTable
  /** Where what a user knows of models is looked for. */
  readonly file: string
  /** What of that file does not count, as English sentences. */
  readonly problems: readonly string[]
  /** The same in facts, in the same order. */
  readonly faults: readonly ModelFactFault[]
}

/** What is known of models, with what is in `$DEEP_PILOT_HOME/models.json` in front. Rejects with `ConfigError` when that cannot be read. */
export async function modelFactsOf(
  env: Readonly<Record<string, string | undefined>>,
): Promise<FoundModelFacts> {
  const file = join(stateFolder(env), 'models.json')
  const found = await readTextIfThere(file)
  if (found === undefined) return { facts: MODEL_FACTS, file, problems: [], faults: [] }
  const { facts, ...rest } = readModelFacts(found.text)
  return { facts: withFacts(MODEL_FACTS, facts), file, ...rest }
}
