/** A table of prices from a text that a person wrote. Pure. An entry that cannot be used is told and left out, the others count. */

import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { ModelPrice, PeakHours, PriceTable } from './prices.ts'
import { readTable, type TableFault } from './read-table.ts'

export interface ReadPrices {
  readonly prices: PriceTable
  /** English sentences, one for each thing that does not count. They may hold what was written: escape them for a terminal. */
  readonly problems: readonly string[]
  /** The same in facts, in the same order. */
  readonly faults: readonly TableFault[]
}

/** Never throws: of a text that is no table nothing counts. */
export function readPrices(text: string): ReadPrices {
  const { asOf, models, problems, faults } = readTable(text, {
    whole: 'The prices',
    entries: 'prices',
    form: 'an object with provider, model, and in US dollars for a million tokens input, output, and perhaps cachedInput and cacheWrite',
    read: readPrice,
  })
  return { prices: { asOf, models }, problems, faults }
}

function readPrice(value: JsonObject): ModelPrice | undefined {
  const { provider, model, peak } = value
  const input = priceIn(value, 'input')
  const output = priceIn(value, 'output')
  const cachedInput = priceIn(value, 'cachedInput')
  const cacheWrite = priceIn(value, 'cacheWrite')
  if (typeof provider !== 'string' || typeof model !== 'string' || model === '') return undefined
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  if (cachedInput === 'bad' || cacheWrite === 'bad') return undefined
  const hours = peak === undefined ? undefined : readPeak(peak)
  if (peak !== undefined && hours === undefined) return undefined
  return {
    provider,
    model,
    input,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    output,
    ...(hours !== undefined && { peak: hours }),
  }
}

/** A price may be nothing at all, for a server of one's own. */
function priceIn(value: JsonObject, name: string): number | 'bad' | undefined {
  const price = value[name]
  if (price === undefined) return undefined
  return typeof price === 'number' && Number.isFinite(price) && price >= 0 ? price : 'bad'
}

function readPeak(value: unknown): PeakHours | undefined {
  if (!isJsonObject(value)) return undefined
  const { factor, days, hours } = value
  if (typeof factor !== 'number' || !Number.isFinite(factor) || factor < 0) return undefined
  if (!Array.isArray(days) || !Array.isArray(hours)) return undefined
  const readDays = days.flatMap((day: unknown) => (isWithin(day, 6) ? [day] : []))
  const readHours = hours.flatMap((one: unknown) => {
    if (!isJsonObject(one)) return []
    const { from, to } = one
    return isWithin(from, 24) && isWithin(to, 24) ? [{ from, to }] : []
  })
  const isWhole = readDays.length === days.length && readHours.length === hours.length
  return isWhole ? { factor, days: readDays, hours: readHours } : undefined
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most
}
