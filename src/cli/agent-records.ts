/** Events of a run as values for JSON lines: the events themselves, with errors as the records that all commands print. Pure. */

import type { AgentEvent } from '../agent/events.ts'
import { failureRecord } from './failure.ts'

/** The value of an event. */
export function eventRecord(event: AgentEvent): object {
  switch (event.type) {
    case 'result': {
      const { error, ...rest } = event
      return error === undefined ? rest : { ...rest, ...failureRecord(error) }
    }
    case 'end': {
      const { error, ...end } = event.end
      return { type: 'end', end: error === undefined ? end : { ...end, ...failureRecord(error) } }
    }
    default:
      return event
  }
}
