/** How long to wait before the next try: longer each time, up to a bound, and never in step with others. */

import type { Random } from '../../base/clock.ts'

/** Longest wait between two tries, in ms. */
export const MAX_BACKOFF_MS = 30_000

/**
 * Milliseconds before try number `attempt` of a row, from 0 on: first `baseMs` itself, then anything up to twice, four
 * times, … as much, at most `MAX_BACKOFF_MS`.
 */
export function backoffMs(attempt: number, baseMs: number, random: Random): number {
  if (attempt === 0) return baseMs
  const most = Math.min(MAX_BACKOFF_MS, baseMs * 2 ** Math.min(attempt, 16))
  return Math.round(most * fraction(random))
}

function fraction(random: Random): number {
  const [a = 0, b = 0, c = 0] = random(3)
  return ((a << 16) | (b << 8) | c) / 2 ** 24
}
