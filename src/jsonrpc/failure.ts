/** The errors that end an exchange without an answer, in words: what failed, on what, and what is known of the outcome. */

import {
  describeError,
  HttpError,
  ProtocolError,
  TransportError,
  type Sent,
} from '../base/errors.ts'
import type { Malformed, RequestId } from './message.ts'

/** Of a connection that ended without a reason that anybody could tell. */
export const CLOSED = { kind: 'closed' } as const

/** What an error needs to know of the request it ends. */
export interface Asked {
  readonly method: string
  readonly id: RequestId
  readonly sent: Sent
}

/** The connection is gone; exit facts of the reason are kept. */
export function lostAnswer(
  asked: Asked,
  transport: string,
  reason: Error | undefined,
): TransportError {
  const { method, id, sent } = asked
  const where = { server: transport, method, id, sent, cause: reason }
  const outcome = sent === 'no' ? 'It was not sent.' : 'Whether it took effect is not known.'
  if (reason instanceof TransportError) {
    const { exitCode, signal, stderr, detail } = reason
    const code = reason.code as 'DP_TRANSPORT_EXIT' // TransportError takes no code of another family
    return new TransportError(
      code,
      `${method} got no answer: ${asSentence(reason.message)} ${outcome}`,
      {
        ...where,
        exitCode,
        signal,
        stderr,
        detail,
      },
    )
  }
  const why = reason === undefined ? 'the connection was closed.' : describeError(reason)
  return new TransportError('DP_TRANSPORT_CLOSED', `${method} got no answer: ${why} ${outcome}`, {
    ...where,
    detail: reason === undefined ? CLOSED : { kind: 'lost', reason: why },
  })
}

/** The exchange that carried this one request failed; the connection goes on. Errors of other families pass as they are. */
export function failedRequest(asked: Asked, transport: string, reason: Error): Error {
  if (!(reason instanceof TransportError)) return reason
  const { method, id } = asked
  const sent = reason.sent ?? asked.sent
  if (!(reason instanceof HttpError)) return lostAnswer({ method, id, sent }, transport, reason)
  // A refusal says that nothing was done; of a failure on the way nobody knows how far it had come.
  const unknown = sent !== 'no' && reason.status >= 500
  const outcome = unknown ? ' Whether it took effect is not known.' : ''
  const message = `${method} got no answer: ${asSentence(reason.message)}${outcome}`
  const { status, contentType, body, retryAfterMs, detail } = reason
  const where = { server: transport, method, id, sent, cause: reason, detail }
  const answer = { status, contentType, body, retryAfterMs }
  return new HttpError(reason.code as 'DP_TRANSPORT_HTTP', message, { ...where, ...answer })
}

/** Too many requests wait already; this one was not sent. */
export function tooManyPending(asked: Asked, transport: string, pending: number): TransportError {
  const { method, id } = asked
  return new TransportError(
    'DP_TRANSPORT_OVERLOADED',
    `${method} was not sent: ${pending} requests wait for ${transport} already. Wait for some, or raise maxPending.`,
    {
      server: transport,
      method,
      id,
      sent: 'no',
      detail: { kind: 'too-many-waiting', waiting: pending },
    },
  )
}

/** The answer came and is no valid JSON-RPC. // RPC-07 */
export function malformedAnswer(
  asked: Asked,
  transport: string,
  malformed: Malformed & { readonly text: string },
): ProtocolError {
  const { method, id } = asked
  const { reason, requirement, text } = malformed
  return new ProtocolError(
    'DP_PROTOCOL_MESSAGE',
    `The answer to ${method} is no valid JSON-RPC: ${reason}.`,
    {
      requirement,
      frame: text,
      server: transport,
      method,
      id,
    },
  )
}

/** The answer came and was too large to keep; the link goes on. */
export function tooLargeAnswer(asked: Asked, transport: string, size: number): TransportError {
  const { method, id } = asked
  return new TransportError(
    'DP_TRANSPORT_TOO_LARGE',
    `The answer to ${method} has ${size} bytes, more than are accepted. Raise maxMessageBytes to read it.`,
    {
      server: transport,
      method,
      id,
      sent: 'yes',
      detail: { kind: 'answer-too-large', bytes: size },
    },
  )
}

/** The last words of a server may stand at its end, without a full stop. */
function asSentence(text: string): string {
  return /[.!?\u3002]$/.test(text) ? text : `${text}.`
}
