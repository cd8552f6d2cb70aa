/** A model that was not reached, told as what it is: a connection is that of a server everywhere else. */

import { TransportError } from '../base/errors.ts'
import type { AgentWords } from './messages/agent-words.ts'
import type { Messages } from './messages/messages.ts'

export interface ToldError {
  readonly error: unknown
  /** In place of the name of the error's family. */
  readonly title?: string
}

/** What a model failed at, with advice where it was not reached; everything else as it is. */
export function toldModelError(
  error: unknown,
  { faults }: AgentWords,
  { told, families }: Pick<Messages, 'told' | 'families'>,
): ToldError {
  if (!(error instanceof TransportError)) return { error }
  if (error.code !== 'DP_TRANSPORT_CONNECT') return { error, title: families.model }
  const why = told(error, { advice: false }).replace(/[.。]$/, '')
  const { sent } = error
  return {
    error: new TransportError(error.code, faults.modelAway(why), {
      cause: error,
      detail: { kind: 'told' },
      ...(sent !== undefined && { sent }),
    }),
    title: faults.modelAwayTitle,
  }
}
