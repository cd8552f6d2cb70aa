/** What follows from the facts of an error in any language: whether something may have happened, and whether that matters. */

import {
  HttpError,
  TimeoutError,
  TransportError,
  type PilotError,
  type TimerName,
} from '../../base/errors.ts'

/** Whether what was asked for may have been done although nobody answered; of an HTTP status only where the server broke down. */
export function isOutcomeOpen(error: PilotError): boolean {
  if (error instanceof HttpError) return error.sent !== 'no' && error.status >= 500
  if (error instanceof TransportError || error instanceof TimeoutError) return error.sent !== 'no'
  return false
}

/** What is asked while there is no connection yet: it says nothing to a person. */
export function isOpening(method: string): boolean {
  return method === 'initialize' || method === 'server/discover'
}

/** What only asks: whether it took effect is no question. */
export function isHarmless(method: string): boolean {
  return isOpening(method) || method === 'ping' || /\/(list|get|read)$/.test(method)
}

/** The options that widen a limit. A limit without one is not up to a person. */
export const TIMER_OPTIONS: ReadonlyMap<TimerName, string> = new Map([
  ['start', '--start-timeout'],
  ['idle', '--timeout'],
  ['total', '--total-timeout'],
])

/** Limits of the program itself or of the command, which no file sets. */
const SET_HERE: ReadonlySet<string> = new Set(['default', 'client', 'call'])

/** The place in a file where a limit was set; nothing where it was an option, or nobody. */
export function widenedAt({ setBy }: TimeoutError): string | undefined {
  const place = setBy.replace(/, less \d+ ms of waiting$/, '')
  return SET_HERE.has(place) ? undefined : place
}
