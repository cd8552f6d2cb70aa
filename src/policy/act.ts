/** What policy judges and what it says: the call as an act, and the decision over it. Types only. */

import type { JsonObject } from '../base/json.ts'
import type { FlowLabel } from '../config/entry.ts'
import type { ToolHints } from '../tools/display.ts'
import type { FlowState } from './flow.ts'
import type { Grant } from './grants.ts'
import type { Verdict } from './policy.ts'

/**
 * Whether the definition is the one that was approved. `new` came after its server was approved and nobody looked at it yet;
 * what a first contact pins by itself is `approved`. Where nothing is pinned everything is `approved`.
 */
export type PinState = 'approved' | 'new' | 'changed'

/** One call before it is sent. */
export interface Act {
  /** Config key; undefined for a native tool. */
  readonly server: string | undefined
  /** The name that the server gives it. */
  readonly tool: string
  readonly alias: string
  /** Exactly what would be sent. */
  readonly args: JsonObject
  /** Undefined where the tool has no annotations, or is native. */
  readonly hints: ToolHints | undefined
  /** Whether the user trusts the server's word about its tools. */
  readonly trusted: boolean
  /** The user's own, of the tool and its server. */
  readonly labels: readonly FlowLabel[]
  /** What the session has read so far. */
  readonly flow: FlowState
  readonly pin: PinState
  /** One that matches this call: `findGrant` looks for it. */
  readonly grant?: Grant
}

/** Why a decision came out as it did, strongest first. `broken-policy` denies or asks for a part of it that could not be read. */
export type ReasonKind =
  | 'deny-rule'
  | 'broken-policy'
  | 'changed-definition'
  | 'flow'
  | 'ask-rule'
  | 'new-definition'
  | 'grant'
  | 'allow-rule'
  | 'read-only'
  | 'native'
  | 'otherwise'

export interface Decision {
  readonly verdict: Verdict
  readonly reason: ReasonKind
  /** One English sentence or two, safe for a terminal: what, why, what to do. */
  readonly message: string
  /** The rule that decided, as it is written, with its place. */
  readonly rule?: string
  /** Why there is this rule, in the words of who wrote it; safe for a terminal. */
  readonly because?: string
  /** For `broken-policy`, in place of a rule: where that stands which could not be read, `FILE:LINE`. */
  readonly brokenAt?: string
  /** There when the call would let data flow from an untrusted source, whatever the verdict. */
  readonly flow?: {
    readonly source: string
    readonly sink: string
    /** What a grant has to name so that it answers this question the next time. */
    readonly sources: readonly string[]
  }
  /** Whether a yes for longer than this call would be heard the next time: only then offer one. */
  readonly lasting: boolean
}
