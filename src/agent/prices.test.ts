import { describe, expect, it } from 'vitest'
import { PRICES } from './price-data.ts'
import { costOf, withPrices, type PriceTable } from './prices.ts'
import { readPrices } from './read-prices.ts'

const FLASH = { provider: 'deepseek', name: 'deepseek-flash' }
/** A Sunday. */
const QUIET = Date.parse('2026-11-29T02:00:00Z')
const MILLION = 1_000_000

const at = (time: string): number => Date.parse(time)

describe('the cost of a reply', () => {
  it('counts what came from the cache, what did not, and what was written', () => {
    const usage = { input: 3 * MILLION, cachedInput: MILLION, output: MILLION, reasoning: 900 }
    const usd = costOf(usage, FLASH, { prices: PRICES, at: QUIET })
    expect(usd).toBeCloseTo(0.003 + 2 * 0.15 + 0.6, 9)
  })

  it('of another model of the same provider is another one', () => {
    const pro = { provider: 'deepseek', name: 'deepseek-v4-pro' }
    const usage = { input: MILLION, cachedInput: MILLION, output: 0 }
    expect(costOf(usage, pro, { prices: PRICES, at: QUIET })).toBeCloseTo(0.022, 9)
  })

  it.each([
    ['2026-11-30T00:59:59Z', 1],
    ['2026-11-30T01:00:00Z', 2],
    ['2026-11-30T03:59:59Z', 2],
    ['2026-11-30T04:00:00Z', 1],
    ['2026-12-04T06:00:00Z', 2],
    ['2026-12-04T09:59:59Z', 2],
    ['2026-12-04T10:00:00Z', 1],
    ['2026-12-05T02:00:00Z', 1],
    ['2026-12-06T02:00:00Z', 1],
  ])('at %s is %i times the usual one', (time, factor) => {
    const usd = costOf({ input: 0, output: MILLION }, FLASH, { prices: PRICES, at: at(time) })
    expect(usd).toBeCloseTo(0.6 * factor, 9)
  })

  it('is not known for a model that is not in the table, and never nothing', () => {
    const usage = { input: 1, output: 1 }
    for (const model of [
      { provider: 'deepseek', name: 'deepseek-next' },
      { provider: 'compatible', name: 'deepseek-flash' },
      { provider: 'ollama', name: 'qwen3' },
    ])
      expect(costOf(usage, model, { prices: PRICES, at: QUIET })).toBeUndefined()
  })

  it('takes what is read from a cache and written to it as usual input where there is no price for that', () => {
    const prices: PriceTable = {
      asOf: undefined,
      models: [{ provider: 'p', model: 'm', input: 2, output: 4 }],
    }
    const usage = { input: MILLION, cachedInput: 400_000, cacheWrite: 100_000, output: 0 }
    expect(costOf(usage, { provider: 'p', name: 'm' }, { prices, at: QUIET })).toBeCloseTo(2, 9)
  })

  it('is never less than nothing, whatever a provider counts', () => {
    const usage = { input: 1, cachedInput: 10, cacheWrite: 10, output: 0 }
    expect(costOf(usage, FLASH, { prices: PRICES, at: QUIET })).toBeGreaterThanOrEqual(0)
  })
})

describe('prices that a user wrote', () => {
  const own = (models: unknown, rest: object = {}) =>
    readPrices(JSON.stringify({ models, ...rest }))

  it('count before those that are known, by name or by its beginning', () => {
    const { prices, problems } = own(
      [
        { provider: 'deepseek', model: 'deepseek-flash', input: 1, output: 2 },
        {
          provider: 'openai',
          model: 'gpt-x*',
          input: 3,
          output: 4,
          cachedInput: 0.5,
          cacheWrite: 6,
        },
      ],
      { asOf: '2026-12-01' },
    )
    const table = withPrices(PRICES, prices)
    expect(problems).toEqual([])
    expect(table.asOf).toBe('2026-12-01')
    const usage = { input: MILLION, output: 0 }
    const options = { prices: table, at: QUIET }
    expect(costOf(usage, FLASH, options)).toBe(1)
    expect(costOf(usage, { provider: 'openai', name: 'gpt-x-2026' }, options)).toBe(3)
    expect(costOf(usage, { provider: 'deepseek', name: 'deepseek-v4-pro' }, options)).toBe(0.66)
  })

  it('may say that something costs nothing, and when it costs more', () => {
    const peak = { factor: 3, days: [0], hours: [{ from: 0, to: 24 }] }
    const { prices } = own([
      { provider: 'ollama', model: '*', input: 0, output: 0 },
      { provider: 'p', model: 'm', input: 1, output: 1, peak },
    ])
    const usage = { input: MILLION, output: 0 }
    expect(costOf(usage, { provider: 'ollama', name: 'x' }, { prices, at: QUIET })).toBe(0)
    expect(costOf(usage, { provider: 'p', name: 'm' }, { prices, at: QUIET })).toBe(3)
  })

  it('that cannot be used are told by their place, and the others count', () => {
    const good = { provider: 'p', model: 'm', input: 1, output: 1 }
    const bad = [
      null,
      'x',
      {},
      { ...good, input: '1' },
      { ...good, output: -1 },
      { ...good, input: undefined },
      { ...good, cachedInput: 'x' },
      { ...good, model: '' },
      { ...good, peak: { factor: 2, days: [7], hours: [] } },
      { ...good, peak: { factor: 2, days: [1], hours: [{ from: 1.5, to: 2 }] } },
      { ...good, peak: 'always' },
    ]
    const { prices, problems } = own([...bad, good])
    expect(prices.models).toEqual([good])
    expect(problems).toHaveLength(bad.length)
    expect(problems[0]).toMatch(/^models\[0\] does not count/)
  })

  it.each(['', '[]', '{', 'null', '{"models":{}}', '['.repeat(10_000)])(
    'that are no table are told: %#',
    (text) => {
      const { prices, problems } = readPrices(text)
      expect(prices.models).toEqual([])
      expect(problems).toHaveLength(1)
    },
  )

  it('are no more than a thousand', () => {
    const models = Array.from({ length: 1001 }, (_, n) => ({
      provider: 'p',
      model: `m${n}`,
      input: 1,
      output: 1,
    }))
    const { prices, problems } = own(models)
    expect(prices.models).toHaveLength(1000)
    expect(problems).toHaveLength(1)
  })
})
