/**
 * Remembers which request states were redeemed, so that none is twice. // MRTR-11
 *
 * In memory, for one process: replicas that share `stateKeys` need a memory that they share as well.
 */

import type { Clock } from '../base/clock.ts'

/** Where redeemed states are remembered. */
export interface UsedStates {
  /**
   * Notes that a state was redeemed; false when it had been before. `id` is unique to the state, `until` the moment from
   * which it is refused anyway, in milliseconds since 1970. Must be atomic: of two at once one gets true.
   */
  use(id: string, until: number): boolean | Promise<boolean>
}

/** Most states remembered; beyond it the oldest are forgotten before their time. */
const MAX_USED = 65_536

export function usedStatesInMemory(clock: Clock, limit: number = MAX_USED): UsedStates {
  /** In the order of use, which is nearly that of their ends: all live equally long. */
  const used = new Map<string, number>()
  return {
    use(id, until) {
      const now = clock.wall()
      for (const [oldest, end] of used) {
        if (end > now) break
        used.delete(oldest)
      }
      if (used.has(id)) return false
      for (const oldest of used.keys()) {
        if (used.size < limit) break
        used.delete(oldest)
      }
      used.set(id, until)
      return true
    },
  }
}
