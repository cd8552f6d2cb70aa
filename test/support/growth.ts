/**
 * How the work of a function grows with its input, in CPU time of this process: on a busy or slow machine a clock on
 * the wall proves nothing. It measures and judges nothing; a test compares with what linear and square growth would be.
 */

const TRIES = 5
/** Below this a figure is noise. */
const LEAST_MS = 0.5

/** CPU time in ms. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * The CPU time of the large size as a multiple of that of the small one: about `large / small` for linear work, about
 * the square of it for work that goes back and forth. The best of some tries, since noise only adds.
 */
export function growthOf(work: (size: number) => void, small: number, large: number): number {
  work(small)
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < TRIES && best > (large / small) * 2; turn += 1) {
    const once = Math.max(
      LEAST_MS,
      cpuMs(() => work(small)),
    )
    best = Math.min(best, cpuMs(() => work(large)) / once)
  }
  return best
}
