/**
 * When a server is asked by its other way, and what is told when neither led to it.
 *
 * A status alone does not prove an old server: it is tried, and what it answers then is the proof. // VERS-17
 */

import { describeError, HttpError, TransportError } from '../base/errors.ts'

/** Statuses by which a server says that it does not take requests like this here. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405])

/** Whether the handshake was refused in a way that another transport may do better. 401 is none of these. // VERS-23 */
export function refusesHandshake(error: unknown): error is HttpError {
  return error instanceof HttpError && REFUSALS.has(error.status)
}

/** Whether a server that was asked what it is went away over it: it gets the handshake alone. */
export function wentAway(error: unknown): boolean {
  if (!(error instanceof TransportError)) return false
  // What was never reached is not there for a handshake either.
  return error.code !== 'DP_TRANSPORT_CONNECT' && error.code !== 'DP_TRANSPORT_ORIGIN'
}

/**
 * The error of two ways that failed. The first is told when the second was not there at all; else the second, which got
 * further, with the first as its reason.
 */
export function neitherWay(first: HttpError, second: unknown): unknown {
  if (!(second instanceof TransportError)) {
    if (second instanceof Error && second.cause === undefined) second.cause = first
    return second
  }
  const { status, contentType, body, retryAfterMs, method, detail } = first
  return new HttpError(
    'DP_TRANSPORT_HTTP',
    `${first.message} The old transport does not help either: ${describeError(second)}`,
    {
      status,
      contentType,
      body,
      retryAfterMs,
      cause: first,
      sent: 'yes',
      detail: detail?.kind === 'http-status' ? { ...detail, oldWay: true } : detail,
      ...(method === undefined ? {} : { method }),
    },
  )
}
