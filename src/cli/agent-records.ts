/**
 * Events of a run as values for JSON lines: the events themselves, with errors as the records that all commands print. Pure.
 * What is undefined in a value is left out of its line.
 */

import type { AgentEnd, AgentEvent, CallOutcome } from '../agent/events.ts'
import { failureRecord } from './failure.ts'
import type { Invocation } from './invocation.ts'

/** One line of `run --json` and `chat --json`, told apart by `type`. The last line is `end`; `delta` is there with `--deltas` alone. */
export type EventRecord =
  | Exclude<AgentEvent, { readonly type: 'result' | 'end' | 'retry' }>
  | Omit<Extract<AgentEvent, { readonly type: 'retry' }>, 'error'>
  | ({ readonly type: 'result' } & Recorded<CallOutcome>)
  | { readonly type: 'end'; readonly end: Recorded<AgentEnd> }

/** With the error as every command prints it: `family`, `code`, `message`, `exitCode`, and what is known beside. */
type Recorded<Value extends { readonly error?: Error }> = Omit<Value, 'error'> & {
  readonly error?: object
}

/** Prints an event as its line; the pieces of replies only where they are wanted. */
export function showEvent(
  { output, mask }: Pick<Invocation, 'output' | 'mask'>,
  event: AgentEvent,
  { deltas }: { readonly deltas?: boolean },
): void {
  if (event.type === 'delta' && deltas !== true) return
  output.jsonLine(mask.json(eventRecord(event)))
}

/** The value of an event. */
export function eventRecord(event: AgentEvent): EventRecord {
  switch (event.type) {
    case 'result': {
      const { error, ...rest } = event
      return error === undefined ? rest : { ...rest, ...failureRecord(error) }
    }
    case 'end': {
      const { error, ...end } = event.end
      return { type: 'end', end: error === undefined ? end : { ...end, ...failureRecord(error) } }
    }
    case 'retry': {
      const { error: _error, ...rest } = event
      return rest
    }
    default:
      return event
  }
}
