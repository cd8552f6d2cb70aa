/**
 * One listener a signal, however many wait for it: fifty calls with the same signal are common, and each listener more
 * than ten makes Node warn of a leak.
 */

const watched = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls `run` when the signal aborts. Gives a function that forgets it; the signal must not be aborted yet. */
export function watchAbort(signal: AbortSignal, run: () => void): () => void {
  const known = watched.get(signal)
  const runs = known ?? new Set<() => void>()
  if (known === undefined) {
    watched.set(signal, runs)
    signal.addEventListener('abort', () => abort(signal), { once: true })
  }
  runs.add(run)
  return () => void runs.delete(run)
}

function abort(signal: AbortSignal): void {
  const runs = watched.get(signal) ?? new Set<() => void>()
  watched.delete(signal)
  for (const run of runs) run()
}
