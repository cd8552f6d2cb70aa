import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createByteTail } from './byte-tail.ts'

it('holds nothing before something is appended', () => {
  const tail = createByteTail(10)
  expect(tail.bytes()).toEqual(new Uint8Array(0))
  expect(tail.total).toBe(0)
})

it('keeps the last bytes of any stream, however it is cut (seed 7)', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3000 }),
      fc.array(fc.uint8Array({ maxLength: 2500 }), { maxLength: 20 }),
      (limit, pieces) => {
        const tail = createByteTail(limit)
        for (const piece of pieces) tail.append(piece)
        const all = pieces.flatMap((piece) => [...piece])
        expect([...tail.bytes()]).toEqual(all.slice(-limit))
        expect(tail.total).toBe(all.length)
      },
    ),
    { seed: 7, numRuns: 300 },
  )
})

it('hands out a copy', () => {
  const tail = createByteTail(4)
  tail.append(Uint8Array.of(1, 2, 3))
  const copy = tail.bytes()
  tail.append(Uint8Array.of(4, 5))
  expect([...copy]).toEqual([1, 2, 3])
})
