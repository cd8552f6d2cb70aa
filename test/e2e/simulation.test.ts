/** Seeded schedules of a client and a server, small here and large by `npm run simulate`. */

import { expect, it } from 'vitest'
import { simulate } from '../support/simulation.ts'

const SEEDS = Array.from({ length: 300 }, (_, index) => index + 1)

it('ends every call exactly once, whatever is delayed, doubled, dropped, invented or cut [RPC-29, LIFE-10]', async () => {
  const ends = new Map<string, number>()
  for (const seed of SEEDS) {
    const { violations, ends: own } = await simulate(seed)
    expect(violations, `seed ${seed}`).toEqual([])
    for (const [how, count] of own) ends.set(how, (ends.get(how) ?? 0) + count)
  }
  // The schedules reach every way a call can end, or they prove little.
  for (const how of [
    'ok',
    'DP_TIMEOUT',
    'DP_CANCELLED',
    'DP_TRANSPORT_CLOSED',
    'DP_TRANSPORT_OVERLOADED',
  ]) {
    expect(ends.get(how), how).toBeGreaterThan(0)
  }
})

it('gives the same trace for the same seed', async () => {
  for (const seed of [1, 7, 42])
    expect((await simulate(seed)).trace).toBe((await simulate(seed)).trace)
})
