/** The shape of a table that tells errors in another language than their messages: one sentence for each situation. Types only. */

import type { DetailOf, ErrorDetailKind } from '../../base/error-detail.ts'
import type { PilotError } from '../../base/errors.ts'

/** What failed, where, and what to do; the facts of the situation, and the error for those that any error carries. */
export type FailureTable<Kind extends ErrorDetailKind = ErrorDetailKind> = {
  readonly [One in Kind]: (detail: DetailOf<One>, error: PilotError) => string
}

/** What is written down of an error. */
export interface RecordedError {
  readonly message: string
  readonly code: string | undefined
}

export interface TellOptions {
  /** Whether to say what to do about an address that was not reached, where a language has it apart. Default true. */
  readonly advice?: boolean
}
