/** What a run of a model came to, for a shell: its exit code, and why. Pure. */

import type { AgentEnd, CallOutcome } from '../agent/events.ts'
import { sumOf } from '../agent/budget.ts'
import { PolicyError } from '../base/errors.ts'
import type { SpentSoFar } from './agent-sessions.ts'
import { EXIT, exitCodeOf, familyExitCode } from './exit-codes.ts'

/** The calls of the last reply that made any; what a run knows of how far it got. */
export class LastCalls {
  #turn = ''
  #outcomes: CallOutcome[] = []

  add(outcome: CallOutcome): void {
    const { turn } = outcome.call
    if (turn !== this.#turn) this.#outcomes = []
    this.#turn = turn
    this.#outcomes.push(outcome)
  }

  /** The first that was refused by a rule, a person or a pin; only where none of them came to something. */
  get refused(): CallOutcome | undefined {
    if (this.#outcomes.some(({ failed }) => !failed)) return undefined
    return this.#outcomes.find(({ error }) => error instanceof PolicyError)
  }
}

/** The number that the shell sees. A refused call that nothing followed on counts as the end of the task, and no words are no answer. */
export function outcomeCode(end: AgentEnd, calls: Pick<LastCalls, 'refused'>): number {
  switch (end.reason) {
    case 'done':
      if (calls.refused !== undefined) return familyExitCode('policy')
      return end.text.trim() === '' ? familyExitCode('model') : EXIT.success
    case 'budget':
    case 'loop':
    case 'length':
      return EXIT.limit
    case 'filtered':
      return familyExitCode('model')
    case 'cancelled':
      return EXIT.interrupted
    case 'model-error':
      return exitCodeOf(end.error)
    default:
      return end.reason satisfies never
  }
}

/** What a session came to, with one run more. */
export function spentWith(
  spent: SpentSoFar,
  { turns, usage, usd, estimated, uncounted = 0 }: Pick<AgentEnd, keyof SpentSoFar>,
): SpentSoFar {
  const open = (spent.uncounted ?? 0) + uncounted
  return {
    turns: spent.turns + turns,
    usage: sumOf(spent.usage, usage),
    ...((spent.estimated === true || estimated === true) && { estimated: true as const }),
    ...(open > 0 && { uncounted: open }),
    usd: spent.usd === undefined || usd === undefined ? undefined : spent.usd + usd,
  }
}
