/** What is measured in the same manner on every way: the middle of many calls, and the size of things. */

import type { JsonValue } from '../../base/json.ts'
import { estimateTokens } from '../../agent/token-estimate.ts'

/** Calls before those that count: what is compiled and loaded with the first ones is no part of a call. */
const WARM_UP = 20

/** The median of so many calls, one after the other, in ms. Rejects with the signal's reason. */
export async function medianMs(
  calls: number,
  call: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<number> {
  const times: number[] = []
  for (let at = -WARM_UP; at < calls; at += 1) {
    signal.throwIfAborted()
    const started = performance.now()
    await call()
    if (at >= 0) times.push(performance.now() - started)
  }
  times.sort((one, other) => one - other)
  return times[Math.floor(times.length / 2)] ?? 0
}

/** In UTF-8. */
export function jsonBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value))
}

export function jsonTokens(value: JsonValue): number {
  return estimateTokens(JSON.stringify(value))
}
