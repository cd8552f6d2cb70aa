/** A model that was not reached, told as what it is: a connection is that of a server everywhere else. */

import { TransportError } from '../base/errors.ts'
import type { AgentWords } from './messages/agent-words.ts'

export interface ToldError {
  readonly error: unknown
  /** In place of the name of the error's family. */
  readonly title?: string
}

/** What a model failed at, with advice where it was not reached; everything else as it is. */
export function toldModelError(error: unknown, { faults }: AgentWords): ToldError {
  if (!(error instanceof TransportError) || error.code !== 'DP_TRANSPORT_CONNECT') return { error }
  const why = error.message.replace(/\.$/, '')
  const { sent } = error
  return {
    error: new TransportError(error.code, faults.modelAway(why), {
      cause: error,
      ...(sent !== undefined && { sent }),
    }),
    title: faults.modelAwayTitle,
  }
}
