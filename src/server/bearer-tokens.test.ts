import { describe, expect, it } from 'vitest'
import { UsageError } from '../base/errors.ts'
import { fakeRequest } from '../../test/support/fake-http.ts'
import { bearerTokens } from './bearer-tokens.ts'

const ALICE = 'alice-0123456789'
const BOB = 'bob-0123456789abcdef'
const check = bearerTokens({ [ALICE]: 'alice', [BOB]: { principal: 'bob', scopes: ['read'] } })

function letIn(authorization: string | undefined): unknown {
  return check(fakeRequest({ headers: { authorization } }))
}

describe('tokens', () => {
  it.each([`Bearer ${ALICE}`, `bearer ${ALICE}`, `BEARER   ${ALICE}`])(
    'let %j in as who it belongs to',
    (value) => {
      expect(letIn(value)).toEqual({ principal: 'alice' })
    },
  )

  it('say all that is known of their owner', () => {
    expect(letIn(`Bearer ${BOB}`)).toEqual({ principal: 'bob', scopes: ['read'] })
  })

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    ALICE,
    `Basic ${ALICE}`,
    `Bearer ${ALICE.slice(0, -1)}`,
    `Bearer ${ALICE}x`,
    `Bearer ${ALICE.toUpperCase()}`,
    `Bearer ${ALICE} ${BOB}`,
    `Bearer ${ALICE}, Bearer ${BOB}`,
    `Bearer ${ALICE},`,
    `Bearer \u0000${ALICE}`,
    'Bearer __proto__________',
    'Bearer constructor',
  ])('let nobody in for %j', (value) => {
    expect(letIn(value)).toBeUndefined()
  })

  it('let nobody in when there are none [SEC-08]', () => {
    expect(bearerTokens({})(fakeRequest({ headers: { authorization: 'Bearer ' } }))).toBeUndefined()
  })

  it('are not short, and are not repeated in the complaint', () => {
    expect(() => bearerTokens({ 'too-short': 'alice' })).toThrow(UsageError)
    expect(() => bearerTokens({ 'too-short': 'alice' })).not.toThrow(/too-short/)
  })
})
