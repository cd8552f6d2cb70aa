/**
 * Every requirement that is cited exists; every requirement of the groups below is either proven by a
 * test that has its ID at the end of its title, as in `'answers … [ERR-14]'`, or stands with a reason
 * in `requirements-not-yet.json`. Never both, so that the list can only tell the truth.
 */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { citations, claims, readRequirements } from './support/requirements.ts'
import { readSources } from './support/sources.ts'

/** Authorization and apps are not built yet; every other group must be accounted for. */
const owed = /^(?!AUTH-|AUTHX-|APPS-)[A-Z]+-/
const notYetFile = 'test/requirements-not-yet.json'

const ids = readRequirements()
const known = new Set(ids)
const sources = [...readSources('src'), ...readSources('test')]
const claimed = sources.filter(({ isTest }) => isTest).flatMap(claims)
const proven = new Set(claimed.map(({ id }) => id))
const notYet = new Map(Object.entries(readNotYet()))

function readNotYet(): Readonly<Record<string, unknown>> {
  if (!existsSync(notYetFile)) return {}
  return Object(JSON.parse(readFileSync(notYetFile, 'utf8')))
}

it('has a list that names each requirement once', () => {
  expect(ids.length).toBeGreaterThan(500)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

it('cites no requirement that does not exist', () => {
  const cited = sources.filter(({ path }) => path.startsWith('src/')).flatMap(citations)
  const unknown = [...cited, ...claimed].filter(({ id }) => !known.has(id))
  expect(unknown.map(({ id, at }) => `${at}: ${id}`)).toEqual([])
})

it('proves every owed requirement with a test, or says why not yet', () => {
  const silent = ids.filter((id) => owed.test(id) && !proven.has(id) && !notYet.has(id))
  expect(silent, 'name each in a test’s title, or give a reason in the not-yet list').toEqual([])
})

it('lists nothing as not yet that a test proves', () => {
  expect([...notYet.keys()].filter((id) => proven.has(id))).toEqual([])
})

it('gives a reason for each entry that is not yet proven, and no entry for an unknown ID', () => {
  const idle = [...notYet].filter(
    ([id, reason]) => !known.has(id) || typeof reason !== 'string' || reason.trim().length < 10,
  )
  expect(idle).toEqual([])
})
