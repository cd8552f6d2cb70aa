/** What `why` says, as one type that each language fills in. */

import type { Outcome, OutcomeWords } from './outcome-words.ts'

export interface WhyWords {
  readonly command: string
  readonly more: string
  readonly argumentCall: string
  readonly capture: string
  readonly session: string
  readonly run: string
  readonly full: string
  readonly json: string
  readonly twoPlaces: string
  readonly noCall: (call: string, calls: readonly string[], path: string) => string
  readonly noCalls: (path: string) => string
  readonly severalRuns: (count: number, run: string) => string
  /** What of a call is there, by its parts. */
  readonly parts: {
    readonly model: string
    readonly mapping: string
    readonly decision: string
    readonly attempt: (number: number, server: string) => string
    readonly told: string
  }
  readonly where: (run: string, turn: string, time: string) => string
  readonly noModel: string
  readonly noReply: string
  readonly thought: string
  readonly said: string
  readonly wrote: (name: string, id: string) => string
  readonly tokens: (input: number, output: number) => string
  readonly again: (seconds: string, why: string) => string
  readonly mapped: (name: string, server: string, tool: string) => string
  readonly mappedRead: (name: string, server: string) => string
  readonly mappedNative: (name: string) => string
  readonly mappedNone: (name: string) => string
  /** The model called another tool, and meant this one. */
  readonly mappedThrough: (name: string, alias: string) => string
  readonly noDecision: string
  readonly verdicts: { readonly allow: string; readonly deny: string }
  readonly by: Readonly<Record<'policy' | 'person' | 'grant' | 'flag' | 'nobody', string>>
  /** Reasons beside those of a policy. */
  readonly reasons: Readonly<Record<'secret' | 'protected-file', string>>
  readonly rule: (rule: string) => string
  /** Why there is the rule, as its author says. */
  readonly because: (text: string) => string
  readonly hash: (start: string) => string
  readonly sameSent: string
  readonly noFrames: string
  readonly leftOut: (frames: number) => string
  readonly error: string
  readonly shownAll: (bytes: number) => string
  readonly shownPart: (shown: number, bytes: number, artifact: string) => string
  /** The file that has all of a result that was cut. */
  readonly wholeAt: (path: string) => string
  readonly notTold: string
  /** `outcome` is another than that it went well, and `amount` one of the two before. */
  readonly toldOutcome: (outcome: Outcome, amount: string) => string
  readonly outcomes: OutcomeWords
  readonly cut: (characters: number) => string
}
