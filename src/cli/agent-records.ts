/**
 * Events of a run as values for JSON lines: the events themselves, with errors as the records that all commands print. Pure.
 * What is undefined in a value is left out of its line.
 */

import type { AgentEnd, AgentEvent, CallOutcome } from '../agent/events.ts'
import { modelLabel, type AgentRoom } from './agent-room.ts'
import { failureRecord } from './failure.ts'
import type { Invocation } from './invocation.ts'

/** What a run belongs to: the first line, before any event. */
export interface BeginRecord {
  readonly type: 'begin'
  /** Id of the session, for `why --session` and `chat --resume`; absent where nothing is kept, and with it the paths. */
  readonly session?: string
  /** The id of the run in recordings and in the log of decisions. */
  readonly run: string
  /** As `--model` takes it. */
  readonly model: string
  /** Path of the recording. */
  readonly capture?: string
  /** Path of the folder of artifacts, which a result names by their ids. */
  readonly artifacts?: string
}

/** One line of `run --json` and `chat --json`, told apart by `type`. Of a run the last line is `end`; `delta` is there with `--deltas` alone. */
export type EventRecord =
  | BeginRecord
  | Exclude<AgentEvent, { readonly type: 'result' | 'end' | 'retry' }>
  | Omit<Extract<AgentEvent, { readonly type: 'retry' }>, 'error'>
  | ({ readonly type: 'result' } & Recorded<CallOutcome>)
  | { readonly type: 'end'; readonly end: Recorded<AgentEnd> }

/** With the error as every command prints it: `family`, `code`, `message`, `exitCode`, and what is known beside. */
type Recorded<Value extends { readonly error?: Error }> = Omit<Value, 'error'> & {
  readonly error?: object
}

/** Prints the first line. */
export function showBegin({
  run,
  runId,
  model,
  session,
}: Pick<AgentRoom, 'run' | 'runId' | 'model' | 'session'>): void {
  const { output, mask } = run.invocation
  const record: BeginRecord = {
    type: 'begin',
    ...(session !== undefined && { session: session.id }),
    run: runId,
    model: modelLabel(model.model),
    ...(session !== undefined && {
      capture: session.capturePath,
      artifacts: session.artifactsPath,
    }),
  }
  output.jsonLine(mask.json(record))
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
