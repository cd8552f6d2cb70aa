/** Ctrl-C at a question: a no to it and to those that wait behind it, and the end of what they belong to. */

export interface Interruptible {
  /** For whoever asks: there was a Ctrl-C. */
  readonly onInterrupt: () => void
  /** Asks; after a Ctrl-C nothing is asked until it was passed on, and `no` is the answer. */
  readonly ask: <Answer>(no: Answer, ask: () => Promise<Answer>) => Promise<Answer>
}

/**
 * Questions of which a Ctrl-C calls `interrupt` as well. The no comes first: whoever wanted the call is told that nothing was called,
 * rather than that nobody knows.
 */
export function interruptible(interrupt: () => void): Interruptible {
  let interrupted = false
  return {
    onInterrupt: () => void (interrupted = true),
    async ask(no, ask) {
      // Whoever wants all of it to end is not asked about the next call.
      if (interrupted) return no
      try {
        return await ask()
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
