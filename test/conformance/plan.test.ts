/** The runs of the conformance suite, made from lists as the suite prints them. */
import { expect, it } from 'vitest'
import { readList, runsOf, select, type Run, type Selection, type SuiteVersion } from './plan.ts'

const printed = `Server scenarios (test against a server):
  - ping [2025-06-18,2025-11-25]
  - caching [2026-07-28]
  - tasks-lifecycle [extension]
  - auth/basic [2025-11-25,2026-07-28]
`
const listed = readList(printed)
const early: SuiteVersion = { version: '0.1.16', speaksRevisions: false }
const late: SuiteVersion = { version: '0.2.0-alpha.12', speaksRevisions: true }
const summary = (runs: readonly Run[]): readonly unknown[] =>
  runs.map(({ id, spec, scenarios }) => [id, spec, scenarios.length])
const everything: Selection = {
  side: undefined,
  spec: undefined,
  suite: undefined,
  scenarios: undefined,
}

it('reads names and tags, and nothing else, from a printed list', () => {
  expect(listed.map(({ name }) => name)).toEqual([
    'ping',
    'caching',
    'tasks-lifecycle',
    'auth/basic',
  ])
  expect(listed[0]?.tags).toEqual(['2025-06-18', '2025-11-25'])
})

it('runs an early suite once a side', () => {
  expect(summary(runsOf({ side: 'client', suite: early }, listed))).toEqual([
    ['client/0.1.16', undefined, 4],
  ])
})

it('runs all of a server, and again what each revision has', () => {
  expect(summary(runsOf({ side: 'server', suite: late }, listed))).toEqual([
    ['server/0.2.0-alpha.12', undefined, 4],
    ['server/2025-06-18', '2025-06-18', 1],
    ['server/2025-11-25', '2025-11-25', 2],
    ['server/2026-07-28', '2026-07-28', 2],
  ])
})

it('runs a client once for each revision of a scenario, and once for extensions', () => {
  const runs = runsOf({ side: 'client', suite: late }, listed)
  expect(summary(runs).slice(0, 2)).toEqual([
    ['client/extensions', undefined, 1],
    ['client/2025-06-18', '2025-06-18', 1],
  ])
  expect(runs.flatMap(({ scenarios }) => scenarios)).toHaveLength(6)
})

it('leaves what was selected, and no empty run', () => {
  const runs = runsOf({ side: 'server', suite: late }, listed)
  const one = select(runs, { ...everything, scenarios: ['caching'] })
  expect(summary(one)).toEqual([
    ['server/0.2.0-alpha.12', undefined, 1],
    ['server/2026-07-28', '2026-07-28', 1],
  ])
  expect(select(runs, { ...everything, side: 'client' })).toEqual([])
  expect(summary(select(runs, { ...everything, spec: '2025-06-18' }))).toEqual([
    ['server/2025-06-18', '2025-06-18', 1],
  ])
  expect(select(runs, { ...everything, suite: '0.1.16' })).toEqual([])
})
