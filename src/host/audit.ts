/**
 * What a host writes down about every call: the decision before anything is sent, and how it ended. Arguments and results
 * are not in it, only the hash of what was judged.
 */

import type { ErrorCode } from '../base/errors.ts'

/**
 * Who decided. `flag` is an answer that was given before the question was known, as with `--yes`; `nobody` is a no because there was
 * no answer: nobody is there, or did not answer in time, or could not be asked.
 */
export type DecidedBy = 'policy' | 'person' | 'grant' | 'flag' | 'nobody'

interface AuditBase {
  /** ISO 8601, UTC. */
  readonly at: string
  /** Names the session of the host. */
  readonly run: string
  /** Names the call within the run; both records of a call have it, and every frame of it in a capture. */
  readonly call: string
  /** Config key; null for a native tool. */
  readonly server: string | null
  /** Peer text. */
  readonly tool: string
  readonly alias: string
  /** SHA-256 of the JSON text of the arguments, in hexadecimal digits. */
  readonly argumentsHash: string
}

/** Written before the call is sent; a call whose decision cannot be written is not sent. */
export interface DecisionRecord extends AuditBase {
  readonly type: 'decision'
  readonly verdict: 'allow' | 'deny'
  /** A stable word. */
  readonly reason: string
  readonly rule?: string
  /** Why there is the rule, in the words of who wrote it. */
  readonly because?: string
  readonly by: DecidedBy
  /** Hash of the definition that was called, where the tool has one. */
  readonly pin?: string
}

/** Written when the call is over. */
export interface OutcomeRecord extends AuditBase {
  readonly type: 'outcome'
  /** `failed` is a result with `isError`. */
  readonly outcome: 'ok' | 'failed' | 'error'
  readonly error?: ErrorCode
  /** How often exactly these arguments left: rounds of questions and second tries count, a native tool's run as one. */
  readonly sends: number
  readonly ms: number
}

export type AuditRecord = DecisionRecord | OutcomeRecord

/** Takes records in order. A rejection or throw for a decision keeps its call from being sent. */
export interface AuditSink {
  record(record: AuditRecord): Promise<void> | void
  close?(): Promise<void>
}
