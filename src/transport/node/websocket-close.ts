/**
 * What the end of a WebSocket means: faults that the library found, and codes that the far side gave.
 *
 * A reason is peer text: it is quoted, and escaped by whoever shows it.
 */

import { TransportError } from '../../base/errors.ts'

const TOO_LONG: ReadonlySet<string> = new Set([
  'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
  'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH',
])

/** Whether the library ended a connection because a message was longer than allowed. */
export function isTooLong(error: NodeJS.ErrnoException): boolean {
  return TOO_LONG.has(error.code ?? '')
}

export interface Fault {
  readonly name: string
  /** The far side, as the subject of a sentence. */
  readonly far: string
  readonly limit: number
}

/** The error for a fault in what came, or of the socket below. */
export function explainFault(error: NodeJS.ErrnoException, fault: Fault): TransportError {
  const { name, far, limit } = fault
  const facts = { server: name, cause: error }
  if (isTooLong(error))
    return new TransportError(
      'DP_TRANSPORT_TOO_LARGE',
      `${far} sent a message of more than ${limit} bytes, and the connection ended with it. Ask for less, or raise maxMessageBytes.`,
      { ...facts, detail: { kind: 'message-too-large', limit } },
    )
  const broken = error.code?.startsWith('WS_ERR_') === true
  const how = broken ? `${far} broke the rules of WebSocket` : `The connection to "${name}" broke`
  return new TransportError('DP_TRANSPORT_CLOSED', `${how}: ${error.message}. Connect again.`, {
    ...facts,
    detail: { kind: 'lost', reason: error.message },
  })
}

export interface Ending {
  readonly name: string
  readonly end: 'client' | 'server'
  readonly cause: Error | undefined
}

/** RFC 6455 §7.4.1: the code of a closing without one, and of a connection that ended without a closing. */
const NO_CODE = 1005
const LOST = 1006
const TOO_BIG = 1009
const ORDERLY: ReadonlySet<number> = new Set([1000, 1001, NO_CODE])

/** The error for a connection that the far side closed; undefined when a client took its leave in order. */
export function explainClose(
  code: number,
  reason: string,
  { name, end, cause }: Ending,
): TransportError | undefined {
  if (end === 'server' && ORDERLY.has(code)) return undefined
  const said = reason === '' ? '' : ` and the words ${JSON.stringify(reason)}`
  const facts = { server: name, cause }
  if (code === TOO_BIG)
    return new TransportError(
      'DP_TRANSPORT_TOO_LARGE',
      `The far side of "${name}" closed the connection because a message was too long for it (code ${code}${said}). Send less at once.`,
      { ...facts, detail: { kind: 'sent-too-large' } },
    )
  const how =
    code === LOST
      ? 'was lost'
      : code === NO_CODE
        ? 'was closed by the far side'
        : `was closed by the far side with code ${code}${said}`
  return new TransportError(
    'DP_TRANSPORT_CLOSED',
    `The connection to "${name}" ${how}. Connect again.`,
    {
      ...facts,
      detail: code === LOST ? { kind: 'lost' } : { kind: 'websocket-closed', code, said: reason },
    },
  )
}
