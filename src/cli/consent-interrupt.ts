/** Ctrl-C at a question: a no to that call and to those that wait behind it, and the end of what they belong to. */

import type { Consent } from '../host/consent.ts'

/**
 * A consent of which Ctrl-C calls `interrupt` as well. `make` is given what its consent tells of one. The no comes first: whoever
 * wanted the call is told that nothing was called, rather than that nobody knows.
 */
export async function interruptible(
  interrupt: () => void,
  make: (onInterrupt: () => void) => Promise<Consent>,
): Promise<Consent> {
  let interrupted = false
  const consent = await make(() => void (interrupted = true))
  return {
    async ask(request, signal) {
      // Whoever wants all of it to end is not asked about the next call.
      if (interrupted) return { kind: 'deny', by: 'person' }
      try {
        return await consent.ask(request, signal)
      } finally {
        if (interrupted)
          setImmediate(() => {
            interrupted = false
            interrupt()
          })
      }
    },
  }
}
