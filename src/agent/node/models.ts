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
import { readModelFacts } from '../read-model-facts.ts'
import { readPrices } from '../read-prices.ts'
import type { TableFault } from '../read-table.ts'

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

type Variables = Readonly<Record<string, string | undefined>>

/** A file in which a user wrote down what goes in front of a table of the program. */
interface OwnFile {
  /** Where it is looked for. */
  readonly file: string
  /** What of it does not count, as English sentences. */
  readonly problems: readonly string[]
  /** The same in facts, in the same order. */
  readonly faults: readonly TableFault[]
}

export interface FoundPrices extends OwnFile {
  readonly prices: PriceTable
}

/** The prices that are known, with those of `$DEEP_PILOT_HOME/prices.json` in front. Rejects with `ConfigError` when that cannot be read. */
export async function pricesOf(env: Variables): Promise<FoundPrices> {
  const { file, text } = await ownFile(env, 'prices.json')
  if (text === undefined) return { prices: PRICES, file, ...NO_FAULTS }
  const { prices, ...rest } = readPrices(text)
  return { prices: withPrices(PRICES, prices), file, ...rest }
}

export interface FoundModelFacts extends OwnFile {
  readonly facts: ModelFactTable
}

/** What is known of models, with what is in `$DEEP_PILOT_HOME/models.json` in front. Rejects with `ConfigError` when that cannot be read. */
export async function modelFactsOf(env: Variables): Promise<FoundModelFacts> {
  const { file, text } = await ownFile(env, 'models.json')
  if (text === undefined) return { facts: MODEL_FACTS, file, ...NO_FAULTS }
  const { facts, ...rest } = readModelFacts(text)
  return { facts: withFacts(MODEL_FACTS, facts), file, ...rest }
}

const NO_FAULTS = { problems: [], faults: [] } as const

async function ownFile(
  env: Variables,
  name: string,
): Promise<{ readonly file: string; readonly text: string | undefined }> {
  const file = join(stateFolder(env), name)
  const found = await readTextIfThere(file)
  return { file, text: found?.text }
}
