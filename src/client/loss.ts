/** Failures of the way to a server, told apart: which may pass by themselves, which never will, and who was forgotten. */

import { HttpError, TransportError, type RpcError } from '../base/errors.ts'

/** Longest pause that a server may ask for before the next try, in ms. */
const MAX_ASKED_MS = 30_000

const LASTING: ReadonlySet<string> = new Set([
  'DP_TRANSPORT_SPAWN',
  'DP_TRANSPORT_OVERLOADED',
  'DP_TRANSPORT_TOO_LARGE',
  'DP_TRANSPORT_ORIGIN',
])

/** Whether trying again may help: the carrier failed, and not for a reason that stays. */
export function isPassing(error: unknown): error is TransportError {
  if (!(error instanceof TransportError) || LASTING.has(error.code)) return false
  if (!(error instanceof HttpError) || error.code === 'DP_TRANSPORT_SESSION') return true
  return error.status >= 500 || error.status === 429 || error.status === 408
}

/** Whether the server does not know the session any more: what was asked in it was not done. // HTTP-32 */
export function isSessionLost(error: unknown): boolean {
  return error instanceof HttpError && error.code === 'DP_TRANSPORT_SESSION'
}

/** The pause before the next try, in ms: what the server asked for, when that is longer. */
export function waitAsked(error: unknown, ms: number): number {
  const asked = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0
  return Math.max(ms, Math.min(asked, MAX_ASKED_MS))
}

/** The codes under which servers are known to say it; none is meant for it. */
const UNINITIALIZED_CODES: ReadonlySet<number> = new Set([-32600, -32000, -32002])

/**
 * Whether an error says, in words of no standard, that no handshake came before it: some servers that have lost a session say so
 * in place of a 404. A tool may use the same words about something else, so that this alone proves nothing.
 */
export function saysNotInitialized({ rpcCode, message }: RpcError): boolean {
  if (!UNINITIALIZED_CODES.has(rpcCode)) return false
  const words = message.slice(0, 500).toLowerCase()
  return words.includes('not initialized') || words.includes('not initialised')
}
