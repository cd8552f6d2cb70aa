/** One text that was POSTed, and what can be said of it before anyone has understood it. */

import { expectsReply } from '../../jsonrpc/batch.ts'
import { isBatch } from '../../jsonrpc/channel.ts'
import type { TextReading } from '../../jsonrpc/link.ts'
import type { RequestId } from '../../jsonrpc/message.ts'
import type { AuthFacts, Facts } from '../../jsonrpc/wire.ts'

export interface Posted {
  readonly text: string
  readonly reading: TextReading
  /** Those that mirror the message, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
}

/** The id of the one request that it is, or was to be. */
export function idIn(reading: TextReading): RequestId | undefined {
  if (isBatch(reading)) return undefined
  if (reading.kind === 'malformed') return reading.answer === true ? undefined : reading.id
  return reading.kind === 'request' ? reading.message.id : undefined
}

/** Whether anything is owed to its sender. `batches`: whether the agreed revision has them. */
export function expectsAnswer(reading: TextReading, batches: boolean): boolean {
  if (isBatch(reading)) return !batches || expectsReply(reading)
  return reading.kind === 'request' || (reading.kind === 'malformed' && reading.answer !== true)
}

/** What a channel is told beside the text. Never a credential, never a session id. */
export function factsOf(
  { headers }: Posted,
  exchange: string | undefined,
  auth: AuthFacts | undefined,
): Facts {
  const named: Facts = exchange === undefined ? { headers } : { exchange, headers }
  return auth === undefined ? named : { ...named, auth }
}
