/** What a text that came back for a request is to that request: its answer, some other message, or nothing of the kind. */

import { HttpError, ProtocolError, RpcError, TransportError } from '../../base/errors.ts'
import { isJsonObject } from '../../base/json.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { MAX_BATCH } from '../../jsonrpc/batch.ts'
import { isBatch } from '../../jsonrpc/channel.ts'
import type { TextReading } from '../../jsonrpc/link.ts'
import type { ErrorObject, RequestId } from '../../jsonrpc/message.ts'

/** Whether a text answers this request. One of a batch does where there are batches. // RPC-29 */
export function answers(reading: TextReading, id: RequestId, batches: boolean): boolean {
  if (isBatch(reading)) {
    if (!batches || reading.length > MAX_BATCH) return false
    return reading.some(
      (one) => isJsonObject(one) && one['id'] === id && one['method'] === undefined,
    )
  }
  switch (reading.kind) {
    case 'result':
    case 'error':
      return reading.message.id === id
    case 'malformed':
      return reading.answer === true && reading.id === id
    default:
      return false
  }
}

/** Whether a text was meant to be a message. */
export function isMessage(reading: TextReading): boolean {
  return isBatch(reading) || reading.kind !== 'malformed' || reading.answer === true
}

/** The error that a text is, if it is one. */
export function errorOf(reading: TextReading): ErrorObject | undefined {
  return isBatch(reading) || reading.kind !== 'error' ? undefined : reading.message.error
}

/** The error of a peer that named no request, as the reason of an error here. */
export function causeOf(said: ErrorObject | undefined): RpcError | undefined {
  return said === undefined
    ? undefined
    : new RpcError(said.code, said.message, said.data === undefined ? {} : { data: said.data })
}

export function tooLarge(name: string, maxBytes: number): TransportError {
  return new TransportError(
    'DP_TRANSPORT_TOO_LARGE',
    `The answer of ${name} has more than the ${maxBytes} bytes that are accepted. Raise maxMessageBytes to read it.`,
    { sent: 'yes', detail: { kind: 'answer-too-large', limit: maxBytes } },
  )
}

export function notUtf8(name: string, id: RequestId): ProtocolError {
  return new ProtocolError('DP_PROTOCOL_MESSAGE', `The answer of ${name} is not UTF-8.`, {
    requirement: 'RPC-02',
    id,
  })
}

/** What came back for a request was JSON, and no answer to it. */
export function noAnswer(
  name: string,
  id: RequestId,
  { reading, text }: { readonly reading: TextReading; readonly text: string },
): ProtocolError {
  const said = errorOf(reading)
  const what =
    said === undefined
      ? 'holds no answer to it'
      : `is an error without its id: ${terminalText(said.message.slice(0, 200))}`
  return new ProtocolError('DP_PROTOCOL_MESSAGE', `What ${name} sent back for a request ${what}.`, {
    requirement: 'HTTP-10',
    id,
    frame: text,
    cause: causeOf(said),
  })
}

export function brokeOff(name: string, cause: Error | undefined): TransportError {
  return new TransportError(
    'DP_TRANSPORT_CLOSED',
    `The event stream of ${name} ended before the answer.`,
    { sent: 'yes', cause, detail: { kind: 'broke-off', address: name } },
  )
}

/** The session that a request named is not known to the server any more; this one was not sent. // HTTP-32 */
export function sessionGone(name: string): HttpError {
  return new HttpError(
    'DP_TRANSPORT_SESSION',
    `${name} does not know this session any more (404).`,
    { status: 404, sent: 'no', detail: { kind: 'session-gone', address: name } },
  )
}
