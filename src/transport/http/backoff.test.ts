import { expect, it } from 'vitest'
import { backoffMs, MAX_BACKOFF_MS } from './backoff.ts'

const most = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(0xff)
const least = (bytes: number): Uint8Array => new Uint8Array(bytes)

it('waits the base time first, whatever chance says', () => {
  expect([backoffMs(0, 1000, most), backoffMs(0, 1000, least)]).toEqual([1000, 1000])
})

it('doubles the longest wait with each try, up to the bound', () => {
  const waits = [1, 2, 3, 4, 5, 50].map((attempt) => backoffMs(attempt, 1000, most))
  expect(waits).toEqual([2000, 4000, 8000, 16_000, MAX_BACKOFF_MS, MAX_BACKOFF_MS])
})

it('waits anything from nothing on, so that many clients do not come at once', () => {
  expect(backoffMs(3, 1000, least)).toBe(0)
})
