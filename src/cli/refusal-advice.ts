/** What there is to do about a call that was refused, by what refused it. Pure; the words are those of the commands. */

import { PolicyError } from '../base/errors.ts'

/**
 * What would let the call through, or keep it from being refused again. `allow`: a rule or a yes. `asked-by-rule`: that rule, or a
 * yes. `denied`: the policy itself, whatever is said. The others by what stands in the way.
 */
export type RefusalAdvice =
  | 'allow'
  | 'asked-by-rule'
  | 'new-tool'
  | 'flow'
  | 'secret'
  | 'denied'
  | 'changed'
  | 'broken-policy'
  | 'protected-file'
  | 'unapproved'
  | 'log'

/** Of a question that nobody answered; what is not there is allowed by a rule or a yes. */
const UNANSWERED: ReadonlyMap<string, RefusalAdvice> = new Map([
  ['ask-rule', 'asked-by-rule'],
  ['new-definition', 'new-tool'],
  ['flow', 'flow'],
  ['secret', 'secret'],
  ['broken-policy', 'broken-policy'],
])

/** Of what was denied without a question; what is not there is a matter of the policy. */
const DENIED: ReadonlyMap<string, RefusalAdvice> = new Map([
  ['changed-definition', 'changed'],
  ['protected-file', 'protected-file'],
  ['broken-policy', 'broken-policy'],
])

/** Undefined for an error of another kind, and for the no of a person, who knows. */
export function refusalAdvice(error: unknown): RefusalAdvice | undefined {
  if (!(error instanceof PolicyError)) return undefined
  const { detail } = error
  switch (detail?.kind) {
    case 'denied': {
      const { by, reason } = detail
      if (by === 'nobody') return UNANSWERED.get(reason) ?? 'allow'
      return by === 'person' ? undefined : (DENIED.get(reason) ?? 'denied')
    }
    case 'changed-meanwhile':
      return 'changed'
    case 'not-recorded':
      return 'log'
    case 'unapproved':
      return 'unapproved'
    default:
      return undefined
  }
}

/** The same where the error itself does not say it: of what a yes would have let through, as models are told the error. */
export function unansweredAdvice(error: unknown): RefusalAdvice | undefined {
  if (!(error instanceof PolicyError) || error.detail?.kind !== 'denied') return undefined
  const { by, reason } = error.detail
  return by === 'nobody' && reason !== 'broken-policy' ? refusalAdvice(error) : undefined
}
