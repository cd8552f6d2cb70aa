/** What a run is summed up as, in words and as data. */
import { expect, it } from 'vitest'
import type { Finding } from './expected.ts'
import { describeRun, summaryOf, tableOf, type Outcome } from './report.ts'

const finding = (scenario: string, verdict: Finding['verdict'], reason?: string): Finding => ({
  scenario,
  verdict,
  reason,
  asExpected: (verdict.kind === 'green') === (reason === undefined),
})
const green = finding('ping', { kind: 'green', skips: [] })
const skipped = finding('notify', { kind: 'skipped' }, 'left out')
const red = finding('pong', { kind: 'red', faults: ['FAILURE pong: no answer'] })
const stale = finding('auth/a', { kind: 'green', skips: [] }, 'not built')
const outcome = (...findings: readonly Finding[]): Outcome => ({
  run: {
    id: 'server/0.2.0',
    side: 'server',
    suite: { version: '0.2.0', speaksRevisions: true },
    spec: undefined,
    scenarios: findings.map(({ scenario }) => scenario),
  },
  findings,
})

it('is as expected when what is not green is on the list', () => {
  const table = tableOf([outcome(green, skipped)], [])
  expect(table).toContain('0.2.0 server')
  expect(table).toContain('1/2 (1 skipped by the suite)')
  expect(table).toContain('All as expected: true')
})

it('tells what is not green with the checks that failed', () => {
  const text = describeRun(outcome(green, red))
  expect(text).toContain('1/2 (1 NOT AS EXPECTED)')
  expect(text).toContain('NOT GREEN  pong')
  expect(text).toContain('FAILURE pong: no answer')
  expect(summaryOf([outcome(green, red)], []).asExpected).toBe(false)
})

it('asks for an entry that has become green to be taken off', () => {
  expect(describeRun(outcome(stale))).toContain('GREEN NOW  auth/a')
  expect(summaryOf([outcome(stale)], []).asExpected).toBe(false)
})

it('is not as expected with entries that name nothing, and with no run at all', () => {
  expect(summaryOf([outcome(green)], ['client/1 auth/x']).asExpected).toBe(false)
  expect(tableOf([outcome(green)], ['client/1 auth/x'])).toContain('client/1 auth/x')
  expect(summaryOf([], []).asExpected).toBe(false)
})

it('has everything in its data', () => {
  const { runs } = summaryOf([outcome(green, skipped, red, stale)], [])
  expect(runs).toEqual([
    {
      id: 'server/0.2.0',
      suite: '0.2.0',
      spec: null,
      green: 2,
      skipped: 1,
      scenarios: 4,
      notGreen: [
        {
          scenario: 'notify',
          faults: ['every check was skipped'],
          reason: 'left out',
          asExpected: true,
        },
        {
          scenario: 'pong',
          faults: ['FAILURE pong: no answer'],
          reason: null,
          asExpected: false,
        },
      ],
      greenNow: ['auth/a'],
      skippedChecks: [],
    },
  ])
})
