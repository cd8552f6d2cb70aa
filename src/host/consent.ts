/**
 * The port through which a host asks a person, and the answers that need none. What is asked is structured data: whoever
 * shows it decides how, and no text of a peer can pass for the question itself.
 *
 * Names, arguments, messages and warnings hold peer text as it came: show it through `terminalText`, whole.
 */

import type { Unanswered } from '../base/error-detail.ts'
import type { JsonObject } from '../base/json.ts'
import type { CreateMessageParams, CreateMessageResult } from '../protocol/types/sampling.ts'
import type { PinState } from '../policy/act.ts'
import type { ToolHints } from '../tools/display.ts'

/** A call of a tool that a policy wants a person to see. */
export interface CallQuestion {
  readonly kind: 'call'
  /** Config key of the server; undefined for a native tool. */
  readonly server: string | undefined
  /** The name that the server gives it. */
  readonly tool: string
  /** The name that a model called it by. */
  readonly alias: string
  /** Frozen, and exactly what is sent. Show all of it before a yes. */
  readonly args: JsonObject
  /** SHA-256 of the JSON text of the arguments, in hexadecimal digits. */
  readonly argumentsHash: string
  /** The server's own words about its tool, believed only where `trusted`. */
  readonly hints: ToolHints
  readonly trusted: boolean
  /** Why it is asked: a stable word, and the English sentence. */
  readonly reason: string
  readonly message: string
  /** The rule that decided, as it is written. */
  readonly rule?: string
  /** Why there is this rule, in the words of who wrote it. */
  readonly because?: string
  /** Data of which source could leave by which sink. */
  readonly flow?: { readonly source: string; readonly sink: string }
  readonly pin: PinState
  /** Whether a yes for longer than this call is of use: where it is not, do not offer one. */
  readonly lasting: boolean
  /** What is odd about the tool or the arguments, one sentence each. */
  readonly warnings: readonly string[]
}

/** A server wants the host's model to write something. */
export interface SamplingQuestion {
  readonly kind: 'sampling'
  readonly server: string
  /** As the model will get it: the limit cut, what was not granted taken out. */
  readonly params: CreateMessageParams
  readonly warnings: readonly string[]
}

/** What the model wrote, before the server gets it. */
export interface SamplingResultQuestion {
  readonly kind: 'sampling-result'
  readonly server: string
  readonly params: CreateMessageParams
  readonly result: CreateMessageResult
}

export type ConsentRequest = CallQuestion | SamplingQuestion | SamplingResultQuestion

/** `once` is this call, `session` this tool until the session ends, `always` this tool until the grant expires. */
export type ConsentKind = 'once' | 'session' | 'always' | 'always-these-arguments' | 'deny'

export interface ConsentAnswer {
  readonly kind: ConsentKind
  /** For a no: told to the model, in English where it is not the word of a person. */
  readonly reason?: string
  /** What `reason` says, in a word, where it is a sentence of the program. */
  readonly unanswered?: Unanswered
  /**
   * Who said so. Default `person`; `flag` is an answer that was given before the question was known, `nobody` a no for want of
   * an answer.
   */
  readonly by?: 'person' | 'flag' | 'nobody'
}

/**
 * Asks a person. The host asks one question at a time and aborts `signal` when the call is given up or the time for the
 * answer is over. A rejection counts as a no.
 */
export interface Consent {
  ask(request: ConsentRequest, signal: AbortSignal): Promise<ConsentAnswer>
}

/** Nobody is there to ask: everything is answered with no. The default of a host. The model is told the reason, so give it in English. */
export function denyAll(reason?: string): Consent {
  const answer: ConsentAnswer =
    reason === undefined ? unansweredBy('nobody') : { kind: 'deny', reason, by: 'nobody' }
  return { ask: () => Promise.resolve(answer) }
}

const UNANSWERED: Readonly<Record<Unanswered, string>> = {
  nobody: 'there is nobody to ask',
  'no-terminal': 'there is no terminal to ask at',
  late: 'no answer within the time for it',
  'too-many': 'too many questions are waiting for an answer',
  odd: 'the answer was not understood',
}

/** A no for want of an answer. Default for `reason`: what the word means. */
export function unansweredBy(
  unanswered: Unanswered,
  reason: string = UNANSWERED[unanswered],
): ConsentAnswer {
  return { kind: 'deny', reason, unanswered, by: 'nobody' }
}

/** Says yes to each call, once, in the name of a flag: for scripts. What a policy denies or a pin holds is never asked. */
export function allowAll(): Consent {
  return { ask: () => Promise.resolve({ kind: 'once', by: 'flag' }) }
}
