import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gapMembers, Sealer, timeMembers } from './format.ts'

describe('capture lines', () => {
  it('keep times to the microsecond and write them as JSON numbers', () => {
    const time = (at: number): unknown =>
      (JSON.parse(`{${timeMembers({ wall: 0, at })}}`) as { at: unknown }).at
    expect([1.5, 0.001, 12.034, 7.25, 3, 0.9999, -1.5, 1e21].map(time)).toEqual([
      1.5, 0.001, 12.034, 7.25, 3, 1, -1.5, 1e21,
    ])
    expect([Number.NaN, Infinity].map(time)).toEqual([0, 0])
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (at) => {
        expect(time(at)).toBeCloseTo(at, 2)
      }),
      { seed: 20261201 },
    )
  })

  it('chain: each names the checksum of the one before, and a line can be taken back', () => {
    const sealer = new Sealer()
    const times = { wall: 1, at: 2 }
    const header = sealer.header({ product: 'p', created: 0, redaction: 'on' })
    const before = sealer.state
    sealer.record(gapMembers(9, 'never written', times))
    sealer.state = before
    const first = JSON.parse(sealer.record(gapMembers(1, 'full', times))) as {
      seq: number
      prev: string
    }
    expect(first).toMatchObject({ seq: 1, prev: (JSON.parse(header) as { crc: string }).crc })
  })
})
