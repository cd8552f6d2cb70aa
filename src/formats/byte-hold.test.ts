import { expect, it, vi } from 'vitest'
import { ByteHold } from './byte-hold.ts'

let tries = 0
vi.mock('./growing-bytes.ts', () => ({
  canGrow: () => true,
  GrowingBytes: function refuse() {
    tries += 1
    throw new RangeError('Array buffer allocation failed')
  },
}))

it('holds many bytes in pieces where the system has no more addresses to set aside, and asks once (A27)', () => {
  const held = new ByteHold()
  const piece = new Uint8Array(50_000).map((_, at) => at)
  for (let turn = 0; turn < 20; turn += 1) held.add(piece)
  expect(tries).toBe(1)
  expect(held.use((bytes) => [bytes.length, bytes[0], bytes[50_001], bytes.at(-1)])).toEqual([
    1_000_000,
    0,
    1,
    piece.at(-1),
  ])
  held.add(piece)
  expect(held.size).toBe(50_000)
})
