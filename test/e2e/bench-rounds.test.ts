/** Checks how the bench turns samples into figures: what a bar is judged by must itself be right. */

import { describe, expect, it } from 'vitest'
import { interleave, median, middle, ratio, type Cell } from '../../bench/rounds.ts'

function cell(id: string, values: readonly (number | Error)[], log: string[] = []): Cell {
  let turn = 0
  return {
    id,
    measure() {
      log.push(id)
      const value = values[turn++]
      return value instanceof Error ? Promise.reject(value) : Promise.resolve({ ms: value })
    },
  }
}

describe('rounds of the bench', () => {
  it('takes the median of an odd and of an even number of values', () => {
    expect(median([5, 1, 3])).toBe(3)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(median([undefined, 7])).toBe(7)
    expect(median([])).toBeUndefined()
  })

  it('takes ratios within a round, so that a slow round cancels out', async () => {
    const outcomes = await interleave([cell('base', [10, 100, 10]), cell('ours', [20, 200, 20])], 3)
    expect(ratio(outcomes, ['ours', 'base'], 'ms')).toBe(2)
    expect(middle(outcomes, 'ours', 'ms')).toBe(20)
  })

  it('measures every cell once a round, in another order each round', async () => {
    const log: string[] = []
    const ids = ['a', 'b', 'c', 'd']
    await interleave(
      ids.map((id) => cell(id, [1, 1, 1], log)),
      3,
    )
    const rounds = [log.slice(0, 4), log.slice(4, 8), log.slice(8)]
    for (const round of rounds) expect(round.toSorted()).toEqual(ids)
    expect(new Set(rounds.map((round) => round.join(''))).size).toBe(3)
  })

  it('goes on without a cell that failed twice, and says why', async () => {
    const log: string[] = []
    const broken = cell('broken', [new Error('no such peer'), new Error('no such peer')], log)
    const outcomes = await interleave([cell('base', [1, 1, 1, 1], log), broken], 4)
    expect(log.filter((id) => id === 'broken')).toHaveLength(2)
    expect(outcomes.get('broken')?.problem).toBe('no such peer')
    expect(ratio(outcomes, ['broken', 'base'], 'ms')).toBeUndefined()
    expect(middle(outcomes, 'base', 'ms')).toBe(1)
  })

  it('leaves a round out of a ratio when one side failed in it', async () => {
    const flaky = cell('flaky', [new Error('once'), 30, 30])
    const outcomes = await interleave([cell('base', [1, 10, 10]), flaky], 3)
    expect(ratio(outcomes, ['flaky', 'base'], 'ms')).toBe(3)
  })
})
