import { describe, expect, it } from 'vitest'
import { findGrant, matches, type Grant, type GrantSubject } from './grants.ts'

const subject: GrantSubject = {
  server: 'files',
  tool: 'write',
  pin: 'p1',
  argumentsHash: 'h1',
  now: 1_000,
}
const session: Grant = { scope: 'session', server: 'files', tool: 'write', pin: 'p1' }
const always: Grant = { ...session, scope: 'always', until: 2_000 }

describe('a grant', () => {
  it('stands for the tool and definition it was given for', () => {
    expect(matches(session, subject)).toBe(true)
    expect(matches(always, subject)).toBe(true)
  })

  it.each<[string, Grant]>([
    ['another server', { ...session, server: 'other' }],
    ['a native tool', { ...session, server: undefined }],
    ['another tool', { ...session, tool: 'Write' }],
    ['another definition', { ...session, pin: 'p2' }],
    ['other arguments', { ...session, argumentsHash: 'h2' }],
    ['a time that is over', { ...session, until: 1_000 }],
    ['a time that is no number', { ...session, until: Number.NaN }],
    ['an "always" without an end', { ...session, scope: 'always' }],
    ['a "once" without arguments', { ...session, scope: 'once' }],
  ])('does not stand for %s', (_, grant) => {
    expect(matches(grant, subject)).toBe(false)
  })

  it('of a native tool does not stand for a server’s tool of that name', () => {
    const native: Grant = { ...session, server: undefined }
    expect(matches(native, { ...subject, server: undefined })).toBe(true)
    expect(matches(native, subject)).toBe(false)
  })

  it('with arguments stands for exactly these', () => {
    const bound: Grant = { ...always, argumentsHash: 'h1' }
    expect(matches(bound, subject)).toBe(true)
    expect(matches(bound, { ...subject, argumentsHash: 'h1x' })).toBe(false)
  })
})

describe('looking for a grant', () => {
  it('finds the first that matches', () => {
    expect(findGrant([{ ...session, pin: 'p2' }, always, session], subject)).toBe(always)
    expect(findGrant([{ ...session, pin: 'p2' }], subject)).toBeUndefined()
  })

  it('adds up the sources that were told of, those of other calls left out', () => {
    const grants: Grant[] = [
      { ...session, sources: ['web__get'] },
      { ...always, sources: ['mail__read', 'web__get'] },
      { ...session, pin: 'p2', sources: ['wiki__read'] },
    ]
    expect(findGrant(grants, subject)?.sources).toEqual(['web__get', 'mail__read'])
  })
})
