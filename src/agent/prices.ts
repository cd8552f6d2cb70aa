/**
 * What a reply costs, from its counts of tokens and a table of prices. Pure: which moment it is, the caller says.
 *
 * Bills of providers may have more in them, as taxes and rebates. What is not in the table costs "unknown", never nothing.
 */

import type { Usage } from './model.ts'
import { fitsName } from './name-pattern.ts'

/** Hours in which everything costs more, by UTC. */
export interface PeakHours {
  /** 2 doubles the prices. */
  readonly factor: number
  /** 0 is Sunday. */
  readonly days: readonly number[]
  /** Whole hours, the last one not included. */
  readonly hours: readonly { readonly from: number; readonly to: number }[]
}

/** US dollars for a million tokens. */
export interface ModelPrice {
  readonly provider: string
  /** A star at its beginning or end stands for whatever is there. */
  readonly model: string
  readonly input: number
  /** Default: as `input`. */
  readonly cachedInput?: number
  /** Default: as `input`. */
  readonly cacheWrite?: number
  readonly output: number
  readonly peak?: PeakHours
}

export interface PriceTable {
  /** The day on which they were true, as `2026-10-31`. Undefined where nobody said. */
  readonly asOf: string | undefined
  /** The first that fits counts. */
  readonly models: readonly ModelPrice[]
}

export interface CostOptions {
  readonly prices: PriceTable
  /** When the request was made, in milliseconds since 1970. */
  readonly at: number
}

export interface PricedModel {
  readonly provider: string
  readonly name: string
}

/** In US dollars, or undefined where the price of the model is not known. */
export function costOf(
  usage: Usage,
  model: PricedModel,
  { prices, at }: CostOptions,
): number | undefined {
  const price = priceOf(model, prices)
  if (price === undefined) return undefined
  const { input, cachedInput: cached = 0, cacheWrite: written = 0, output } = usage
  const fresh = Math.max(0, input - cached - written)
  const dollars =
    fresh * price.input +
    cached * (price.cachedInput ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    output * price.output
  return (dollars * factorAt(price.peak, at)) / 1_000_000
}

export function priceOf(
  { provider, name }: PricedModel,
  { models }: PriceTable,
): ModelPrice | undefined {
  return models.find((one) => one.provider === provider && fitsName(name, one.model))
}

/** The same table with others in front, which count first. */
export function withPrices(table: PriceTable, own: PriceTable): PriceTable {
  return { asOf: own.asOf ?? table.asOf, models: [...own.models, ...table.models] }
}

function factorAt(peak: PeakHours | undefined, at: number): number {
  if (peak === undefined) return 1
  const moment = new Date(at)
  const hour = moment.getUTCHours()
  const isPeak =
    peak.days.includes(moment.getUTCDay()) &&
    peak.hours.some(({ from, to }) => hour >= from && hour < to)
  return isPeak ? peak.factor : 1
}
