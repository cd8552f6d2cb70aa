/** The list of what may be not green yet, and the comparison with what happened. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compare, orphans, readExpectations } from './expected.ts'
import type { Verdict } from './judge.ts'

const green: Verdict = { kind: 'green', skips: [] }
const red: Verdict = { kind: 'red', faults: ['FAILURE a: b'] }
const list = readExpectations([
  { reason: 'not built', runs: { 'client/1': ['auth/a', 'auth/b'], 'client/2': ['auth/a'] } },
  { reason: 'left out', runs: { 'server/1': ['notify'] } },
])
const found = (id: string, verdicts: Readonly<Record<string, Verdict>>): readonly unknown[] =>
  compare(id, new Map(Object.entries(verdicts)), list).map(({ asExpected, reason }) => [
    asExpected,
    reason,
  ])

it('expects green of whatever is not on the list', () => {
  expect(found('client/1', { ping: green, pong: red })).toEqual([
    [true, undefined],
    [false, undefined],
  ])
})

it('accepts a red or a skipped scenario that is on the list, with its reason', () => {
  expect(found('client/1', { 'auth/a': red })).toEqual([[true, 'not built']])
  expect(found('server/1', { notify: { kind: 'skipped' } })).toEqual([[true, 'left out']])
})

it('calls an entry wrong that has become green', () => {
  expect(found('client/1', { 'auth/a': green })).toEqual([[false, 'not built']])
})

it('excuses a scenario in the run that is named and in no other', () => {
  expect(found('client/2', { 'auth/b': red })).toEqual([[false, undefined]])
})

it('does not take a skipped scenario for a green one', () => {
  expect(found('client/1', { ping: { kind: 'skipped' } })).toEqual([[false, undefined]])
})

it('finds entries for scenarios and runs that do not exist', () => {
  const known = new Map([
    ['client/1', ['auth/a', 'ping']],
    ['server/1', ['notify']],
  ])
  expect(orphans(known, list)).toEqual(['client/1 auth/b', 'client/2 auth/a'])
})

it.each([
  ['no list', {}, 'not a list'],
  ['no reason', [{ runs: {} }], '"reason"'],
  ['an empty reason', [{ reason: '', runs: {} }], '"reason"'],
  ['no runs', [{ reason: 'why' }], '"runs"'],
  ['an empty run', [{ reason: 'why', runs: { a: [] } }], 'no list of scenarios'],
  ['a scenario twice', [{ reason: 'why', runs: { a: ['x', 'x'] } }], 'a has x twice'],
  ['a scenario without a name', [{ reason: 'why', runs: { a: [1] } }], 'has no name'],
])('refuses a list with %s', (_, value, says) => {
  expect(() => readExpectations(value)).toThrow(says)
})

it('can read the list of the project', () => {
  const value: unknown = JSON.parse(readFileSync('test/conformance/expected.json', 'utf8'))
  expect(readExpectations(value).size).toBeGreaterThan(0)
})
