/** What a judge found, before it is put into words. Types only, shared by the judge and the sentences. */

import type { ReasonKind } from './act.ts'
import type { Flow } from './flow.ts'
import type { Rule, Verdict } from './policy.ts'

export interface Judgement {
  readonly verdict: Verdict
  readonly reason: ReasonKind
  readonly rule?: Rule | undefined
  readonly flow?: Flow | undefined
  /** Default false. */
  readonly lasting?: boolean
}
