/** What a judge found, before it is put into words. Types only, shared by the judge and the sentences. */

import type { ReasonKind } from './act.ts'
import type { Flow } from './flow.ts'
import type { Rule, Verdict } from './policy.ts'

export interface Judgement {
  readonly verdict: Verdict
  readonly reason: ReasonKind
  readonly rule?: Rule | undefined
  /** What the reason `flow` is about. */
  readonly flow?: Flow
  /** Default false. */
  readonly lasting?: boolean
}
