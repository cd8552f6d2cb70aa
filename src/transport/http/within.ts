/** A wait with an end. */

import type { Clock, Timer } from '../../base/clock.ts'

/** Settles with the promise, or at the moment `late` of the clock. */
export async function within(clock: Clock, late: number, done: Promise<void>): Promise<void> {
  let timer: Timer | undefined
  const over = new Promise<void>((resolve) => {
    timer = clock.after(Math.max(0, late - clock.now()), resolve)
  })
  await Promise.race([done, over])
  timer?.cancel()
}
