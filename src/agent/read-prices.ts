/** A table of prices from a text that a person wrote. Pure. An entry that cannot be used is told and left out, the others count. */

import { exceedsDepth, isJsonObject, type JsonObject } from '../base/json.ts'
import type { ModelPrice, PeakHours, PriceTable } from './prices.ts'

export interface ReadPrices {
  readonly prices: PriceTable
  /** English sentences, one for each thing that does not count. They may hold what was written: escape them for a terminal. */
  readonly problems: readonly string[]
  /** The same in facts, in the same order. */
  readonly faults: readonly PriceFault[]
}

/** What of a table of prices does not count; `at` is the place of an entry in the list, from 0. */
export type PriceFault =
  | { readonly kind: 'no-object' | 'no-list' }
  | { readonly kind: 'too-many'; readonly most: number }
  | { readonly kind: 'entry'; readonly at: number }

/** Most entries. */
const MAX_MODELS = 1000
const FORM =
  'an object with provider, model, and in US dollars for a million tokens input, output, and perhaps cachedInput and cacheWrite'

/** Never throws: of a text that is no table nothing counts. */
export function readPrices(text: string): ReadPrices {
  const whole = parsed(text)
  if (!isJsonObject(whole)) return nothing('no-object')
  const { models, asOf } = whole
  if (!Array.isArray(models)) return nothing('no-list')
  const faults: PriceFault[] = []
  if (models.length > MAX_MODELS) faults.push({ kind: 'too-many', most: MAX_MODELS })
  const read = models.slice(0, MAX_MODELS).flatMap((one: unknown, at) => {
    const price = readPrice(one)
    if (price === undefined) faults.push({ kind: 'entry', at })
    return price === undefined ? [] : [price]
  })
  return {
    prices: { asOf: typeof asOf === 'string' ? asOf.slice(0, 40) : undefined, models: read },
    problems: faults.map(inWords),
    faults,
  }
}

function nothing(kind: 'no-object' | 'no-list'): ReadPrices {
  const fault = { kind }
  return { prices: { asOf: undefined, models: [] }, problems: [inWords(fault)], faults: [fault] }
}

function inWords(fault: PriceFault): string {
  switch (fault.kind) {
    case 'no-object':
      return 'The prices are no JSON object.'
    case 'no-list':
      return 'The prices have no list "models".'
    case 'too-many':
      return `Only the first ${fault.most} of the prices count.`
    case 'entry':
      return `models[${fault.at}] does not count: write ${FORM}.`
    default:
      return fault satisfies never
  }
}

function readPrice(value: unknown): ModelPrice | undefined {
  if (!isJsonObject(value)) return undefined
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

function parsed(text: string): unknown {
  if (exceedsDepth(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined // told by the caller as what it is: no object
  }
}
