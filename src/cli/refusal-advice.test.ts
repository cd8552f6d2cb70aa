import { describe, expect, it } from 'vitest'
import type { DetailOf, ErrorDetail } from '../base/error-detail.ts'
import { PolicyError, UsageError } from '../base/errors.ts'
import { hostEn } from './messages/host-en.ts'
import { hostZh } from './messages/host-zh.ts'
import { refusalAdvice, unansweredAdvice } from './refusal-advice.ts'

const refused = (detail: ErrorDetail): PolicyError =>
  new PolicyError('DP_POLICY_DENIED', 'No.', { detail })
const denied = (reason: string, by: DetailOf<'denied'>['by']): PolicyError =>
  refused({ kind: 'denied', tool: 'x', reason, by })

describe('the advice after a refusal', () => {
  it.each([
    ['otherwise', 'allow'],
    ['read-only', 'allow'],
    ['ask-rule', 'asked-by-rule'],
    ['new-definition', 'new-tool'],
    ['flow', 'flow'],
    ['secret', 'secret'],
  ])('is, where nobody answered what was asked for %s, %s', (reason, advice) => {
    expect(refusalAdvice(denied(reason, 'nobody'))).toBe(advice)
    expect(unansweredAdvice(denied(reason, 'nobody'))).toBe(advice)
  })

  it.each([
    ['deny-rule', 'denied'],
    ['otherwise', 'denied'],
    ['flow', 'denied'],
    ['changed-definition', 'changed'],
    ['protected-file', 'protected-file'],
    ['broken-policy', 'broken-policy'],
  ])('is, where the policy denied it for %s, %s', (reason, advice) => {
    expect(refusalAdvice(denied(reason, 'policy'))).toBe(advice)
    expect(unansweredAdvice(denied(reason, 'policy'))).toBeUndefined()
  })

  it('is told by the error itself where the policy cannot be read', () => {
    const error = denied('broken-policy', 'nobody')
    expect([refusalAdvice(error), unansweredAdvice(error)]).toEqual(['broken-policy', undefined])
  })

  it('is none for the no of a person, and for what is no refusal', () => {
    expect(refusalAdvice(denied('otherwise', 'person'))).toBeUndefined()
    expect(refusalAdvice(refused({ kind: 'altered' }))).toBeUndefined()
    expect(refusalAdvice(new UsageError('x'))).toBeUndefined()
  })

  it('is of the definition, the log or the file where that stands in the way', () => {
    const of = (detail: ErrorDetail) => refusalAdvice(refused(detail))
    expect(of({ kind: 'changed-meanwhile', tool: 'x' })).toBe('changed')
    expect(of({ kind: 'not-recorded', tool: 'x', reason: 'full' })).toBe('log')
    expect(of({ kind: 'unapproved', place: 'x' })).toBe('unapproved')
  })

  it.each([hostEn, hostZh])('offers --yes only where that answers a question', (words) => {
    const { advice } = words.notes
    for (const [kind, text] of Object.entries(advice)) {
      const isAnswer = ['allow', 'asked-by-rule', 'new-tool', 'flow', 'secret'].includes(kind)
      expect([kind, /--yes(?! does not| 也)/.test(text)]).toEqual([kind, isAnswer])
    }
  })
})
