/** Who has the terminal: one question at a time, and what runs beside it keeps away meanwhile. */

/** Asks when the terminal is free, and gives it back whatever came of it. */
export type TerminalTurn = <Answer>(
  ask: () => Promise<Answer>,
  signal: AbortSignal,
) => Promise<Answer>

/** Questions of different kinds in the order in which they came. Whoever asks looks at the signal first: it may be given up by then. */
export function oneAtATime(turn: TerminalTurn = (ask) => ask()): TerminalTurn {
  let last: Promise<unknown> = Promise.resolve()
  return <Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> => {
    const before = last
    const asked = before.then(() => turn(ask, signal))
    last = asked.catch(() => undefined)
    return asked
  }
}
