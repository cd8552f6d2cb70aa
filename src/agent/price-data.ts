/** What replies cost, as dated data. A model that is not here has no known price: that is not the same as none. */

import type { PriceTable } from './prices.ts'

/** Mondays to Fridays. */
const WEEKDAYS: readonly number[] = [1, 2, 3, 4, 5]

/** DeepSeek: 9 to 12 and 14 to 18 o'clock in Beijing. */
const DEEPSEEK_PEAK = {
  factor: 2,
  days: WEEKDAYS,
  hours: [
    { from: 1, to: 4 },
    { from: 6, to: 10 },
  ],
} as const

export const PRICES: PriceTable = {
  asOf: '2026-10-31',
  models: [
    {
      provider: 'deepseek',
      model: 'deepseek-flash',
      input: 0.15,
      cachedInput: 0.003,
      output: 0.6,
      peak: DEEPSEEK_PEAK,
    },
    {
      provider: 'deepseek',
      model: 'deepseek-v4-pro',
      input: 0.66,
      cachedInput: 0.022,
      output: 1.98,
      peak: DEEPSEEK_PEAK,
    },
  ],
}
