/** What follows from the facts of an error in any language: whether something may have happened, and whether that matters. */

import { HttpError, TimeoutError, TransportError, type PilotError } from '../../base/errors.ts'

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
