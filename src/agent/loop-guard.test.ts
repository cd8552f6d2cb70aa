import { expect, it } from 'vitest'
import { LoopGuard } from './loop-guard.ts'

it('counts a call by the values of its arguments and by its outcome', () => {
  const guard = new LoopGuard()
  expect(guard.count('a', { x: 1, y: [{ p: 1, q: 2 }] }, 'same')).toBe(1)
  expect(guard.count('a', { y: [{ q: 2, p: 1 }], x: 1 }, 'same')).toBe(2)
  expect(guard.count('b', { x: 1, y: [{ p: 1, q: 2 }] }, 'same')).toBe(1)
  expect(guard.count('a', { x: 2, y: [{ p: 1, q: 2 }] }, 'same')).toBe(1)
  expect(guard.count('a', { x: 1, y: [{ p: 1, q: 2 }] }, 'other')).toBe(1)
  expect(guard.count('a', { x: 1, y: [{ p: 1, q: 2 }] }, 'same')).toBe(1)
})

it('counts arguments that could not be read by their text', () => {
  const guard = new LoopGuard()
  expect(guard.count('a', '{"x', 'no')).toBe(1)
  expect(guard.count('a', '{"x', 'no')).toBe(2)
  expect(guard.count('a', '{"y', 'no')).toBe(1)
})

it('remembers a bounded number of calls, those that were made last', () => {
  const guard = new LoopGuard()
  guard.count('a', { kept: true }, 'x')
  for (let at = 0; at < 255; at += 1) guard.count('a', { at }, 'x')
  expect(guard.count('a', { kept: true }, 'x')).toBe(2)
  for (let at = 0; at < 256; at += 1) guard.count('b', { at }, 'x')
  expect(guard.count('a', { kept: true }, 'x')).toBe(1)
})

it('tells long outcomes and arguments apart without keeping them', () => {
  const guard = new LoopGuard()
  const long = 'x'.repeat(1_000_000)
  expect(guard.count('a', { long }, long)).toBe(1)
  expect(guard.count('a', { long }, long)).toBe(2)
  expect(guard.count('a', { long }, `${long}!`)).toBe(1)
  expect(guard.count('a', { long: `${long}!` }, long)).toBe(1)
})
