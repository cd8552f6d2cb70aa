/** What the program says around the questions of servers: forms, and pages to be visited. What servers say stands behind it. */

import type { Concern } from '../../host/question-warnings.ts'
import type { FieldWish } from '../asked/form-fields.ts'

export interface QuestionWords {
  /** Names of rows. */
  readonly server: string
  readonly message: string
  readonly warning: string
  readonly host: string
  readonly address: string
  readonly field: string
  readonly about: string
  readonly wanted: string
  readonly filledIn: string
  /** What stands in a field already, where it cannot stand in a prompt. */
  readonly preset: string
  readonly keep: string
  readonly anew: string
  readonly concern: (concern: Concern) => string
  /** Names of servers, fields and hosts are safe for a terminal already. */
  readonly mayFill: (server: string, fields: number) => string
  readonly fill: { readonly decline: string; readonly fill: string; readonly cancel: string }
  readonly fieldOf: (at: number, of: number) => string
  readonly wish: (wish: FieldWish) => string
  readonly optional: string
  readonly leaveOut: string
  readonly misfit: string
  readonly yes: string
  readonly no: string
  /** Ends a list of several choices. */
  readonly done: (chosen: number) => string
  readonly maySend: (server: string) => string
  readonly send: { readonly change: string; readonly send: string; readonly decline: string }
  readonly mayVisit: (host: string, server: string) => string
  readonly visit: { readonly decline: string; readonly open: string; readonly self: string }
  readonly notOpened: (why: string) => string
  readonly badForm: (server: string, fault: string) => string
}
