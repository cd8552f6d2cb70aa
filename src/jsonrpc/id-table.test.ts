import fc from 'fast-check'
import { expect, it } from 'vitest'
import { IdTable } from './id-table.ts'
import type { RequestId } from './message.ts'

const entry = (id: RequestId): { readonly id: RequestId } => ({ id })

it('tells a number from the same digits as text [RPC-06]', () => {
  const table = new IdTable()
  table.add(entry(1))
  expect([table.has(1), table.has('1')]).toEqual([true, false])
  table.add(entry('1'))
  expect(table.take('1')).toEqual({ id: '1' })
  expect(table.get(1)).toEqual({ id: 1 })
})

it.each([0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, '', '__proto__', 'constructor'])(
  'holds the id %j',
  (id) => {
    const table = new IdTable()
    expect(table.take(id)).toBeUndefined()
    table.add(entry(id))
    expect([table.size, table.get(id)]).toEqual([1, { id }])
    expect(table.take(id)).toEqual({ id })
    expect([table.size, table.has(id)]).toEqual([0, false])
  },
)

it('keeps a long-lived id beside a hundred thousand that come and go', () => {
  const table = new IdTable()
  table.add(entry(1))
  for (let id = 2; id < 100_000; id += 1) {
    table.add(entry(id))
    expect(table.take(id)?.id).toBe(id)
  }
  expect([table.size, table.get(1)?.id]).toEqual([1, 1])
})

it('does what a map does, whatever is added, taken and looked up', () => {
  const ids = fc.oneof(
    fc.integer({ min: -3, max: 300 }),
    fc.maxSafeInteger(),
    fc.constantFrom('a', '1', ''),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(ids, fc.boolean()), { maxLength: 600 }), (steps) => {
      const table = new IdTable()
      const model = new Map<RequestId, { readonly id: RequestId }>()
      const seen = steps.map(([id, adds]) => {
        const isNew = adds && !model.has(id)
        const both = isNew
          ? [table.add(entry(id)), model.set(id, entry(id)) && undefined]
          : [table.take(id), model.get(id)]
        if (!isNew) model.delete(id)
        return [...both, table.size - model.size]
      })
      for (const [mine, models, difference] of seen) {
        expect(mine).toEqual(models)
        expect(difference).toBe(0)
      }
      expect(new Set([...table].map(({ id }) => id))).toEqual(new Set(model.keys()))
    }),
    { seed: 20_261_201 },
  )
})
