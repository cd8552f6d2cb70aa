/** The judge of the conformance suite, told right from wrong by checks as the suite writes them. */
import { expect, it } from 'vitest'
import { judge, type Evidence, type Verdict } from './judge.ts'

const check = (id: string, status: string, more: object = {}): object => ({
  id,
  name: id,
  description: `about ${id}`,
  status,
  timestamp: '2026-01-01T00:00:00.000Z',
  specReferences: [],
  ...more,
})
const wire = check('wire-schema-valid', 'SUCCESS', { details: { messagesValidated: 4 } })
const verdict = (checks: unknown, ending?: Evidence['ending']): Verdict => judge({ checks, ending })

it('calls a scenario green whose checks all succeeded', () => {
  expect(verdict([check('ping', 'SUCCESS'), wire])).toEqual({ kind: 'green', skips: [] })
})

it('calls a failure red and tells which check it was and what it said', () => {
  const checks = [check('ping', 'SUCCESS'), check('pong', 'FAILURE', { errorMessage: 'no answer' })]
  expect(verdict(checks)).toEqual({ kind: 'red', faults: ['FAILURE pong: no answer'] })
})

it('calls a warning red', () => {
  expect(verdict([check('ping', 'SUCCESS'), check('retry', 'WARNING')])).toEqual({
    kind: 'red',
    faults: ['WARNING retry: about retry'],
  })
})

it('tells every fault of a scenario', () => {
  const checks = [check('a', 'FAILURE'), check('b', 'WARNING'), check('c', 'FAILURE')]
  expect(verdict(checks)).toMatchObject({ faults: { length: 3 } })
})

it('takes no notice of what is only information', () => {
  expect(verdict([check('ping', 'SUCCESS'), check('cimd', 'INFO')])).toMatchObject({
    kind: 'green',
  })
})

it('calls a scenario red in which nothing succeeded but the check that is always there', () => {
  expect(verdict([wire])).toEqual({ kind: 'red', faults: ['no check succeeded'] })
  expect(verdict([check('note', 'INFO'), wire])).toMatchObject({ kind: 'red' })
})

it('calls a scenario red that checked nothing', () => {
  expect(verdict([])).toEqual({ kind: 'red', faults: ['no check succeeded'] })
})

it('calls a scenario skipped when all of its checks were left out', () => {
  expect(verdict([check('status', 'SKIPPED'), wire])).toEqual({ kind: 'skipped' })
})

it('names the checks that were left out of a green scenario', () => {
  expect(verdict([check('ping', 'SUCCESS'), check('roots', 'SKIPPED')])).toEqual({
    kind: 'green',
    skips: ['roots'],
  })
})

it('counts a failure of the check that is always there', () => {
  const broken = check('wire-schema-valid', 'FAILURE', { errorMessage: 'ttlMs is missing' })
  expect(verdict([check('ping', 'SUCCESS'), broken])).toMatchObject({
    faults: ['FAILURE wire-schema-valid: ttlMs is missing'],
  })
})

it('calls a scenario red that left no checks, or something else in their place', () => {
  expect(verdict(undefined)).toMatchObject({ faults: ['left no checks.json'] })
  expect(verdict({ id: 'ping', status: 'SUCCESS' })).toMatchObject({ kind: 'red' })
  expect(verdict(['SUCCESS'])).toMatchObject({ kind: 'red' })
})

it('calls a status red that it does not know', () => {
  expect(verdict([check('ping', 'SUCCESS'), check('pong', 'MAYBE')])).toMatchObject({ kind: 'red' })
})

it('calls a run red that did not end in time, whatever it wrote before', () => {
  expect(verdict([check('ping', 'SUCCESS')], 'deadline')).toEqual({
    kind: 'red',
    faults: ['did not end before its deadline'],
  })
})

it('calls a run red that ended with an error though its checks are fine', () => {
  expect(verdict([check('ping', 'SUCCESS')], 'failed')).toMatchObject({ kind: 'red' })
  expect(verdict([check('ping', 'SUCCESS')], 'passed')).toMatchObject({ kind: 'green' })
})

it('keeps what a peer said within one line without controls', () => {
  const said = check('ping', 'FAILURE', { errorMessage: `a\n\u001b[31m${'x'.repeat(1000)}` })
  const { faults } = verdict([said]) as { readonly faults: readonly string[] } // red, as above
  expect(faults[0]).toMatch(/^FAILURE ping: a \[31mx+…$/)
  expect(faults[0]).toHaveLength(300)
})
