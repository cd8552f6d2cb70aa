/** Laws that hold for every policy and every call, over random ones: what may make a decision laxer, and what never does. */
import { describe, expect, it } from 'vitest'
import { act, nativeAct } from '../../test/support/acts.ts'
import { dice, type Dice } from '../../test/support/seeded.ts'
import type { JsonObject } from '../base/json.ts'
import { hintsOf } from '../tools/display.ts'
import type { Act } from './act.ts'
import { decide } from './decide.ts'
import { NO_FLOW, type FlowState } from './flow.ts'
import type { Grant } from './grants.ts'
import { stricter, tightenPolicy, type Policy, type Rule, type Verdict } from './policy.ts'

const grant: Grant = { scope: 'session', server: 'files', tool: 'write', pin: 'p' }
const told: Grant = { ...grant, sources: ['web__get'] }
const tainted: FlowState = { untrusted: ['web__get'], private: [], more: 0 }
const reader = hintsOf({ annotations: { readOnlyHint: true } })

const TOOLS = [
  '*',
  'files',
  'files__*',
  'files__write',
  'mcp__files',
  'web',
  '?',
  '__proto__',
  'a__b__c',
]
const VERDICTS: readonly Verdict[] = ['allow', 'ask', 'deny']

function someRule(luck: Dice): Rule {
  return {
    effect: luck.pick(VERDICTS),
    tools: luck.pick(TOOLS),
    ...(luck.chance(0.2) && { server: luck.pick(['files', 'web']) }),
    ...(luck.chance(0.3) && { afterUntrusted: true }),
    ...(luck.chance(0.4) && {
      when: [
        luck.pick([{ pointer: '/p', under: '/a' }, { pointer: '/p', is: 1 }, { pointer: '' }]),
      ],
    }),
  }
}

function somePolicy(luck: Dice): Policy {
  return {
    rules: Array.from({ length: luck.between(0, 4) }, () => someRule(luck)),
    otherwise: luck.pick(VERDICTS),
    readOnlyOfTrusted: luck.pick(VERDICTS),
    flow: luck.pick(['ask', 'deny', 'off'] as const),
    native: luck.pick(VERDICTS),
  }
}

function someAct(luck: Dice): Act {
  const args: JsonObject = luck.pick<JsonObject>([
    {},
    { p: '/a/b' },
    { p: '~' },
    { p: 1 },
    { p: ['/a', '/b'] },
  ])
  const changes: Partial<Act> = {
    args,
    tool: luck.pick(['write', '__proto__', '', 'b__c']),
    hints: luck.chance(0.3) ? undefined : luck.pick([reader, hintsOf({})]),
    trusted: luck.chance(0.5),
    labels: luck.pick([[], ['external-sink'], ['private-data']] as const),
    flow: luck.pick([NO_FLOW, tainted]),
    pin: luck.pick(['approved', 'new', 'changed'] as const),
    ...(luck.chance(0.4) && { grant: luck.pick([grant, told]) }),
  }
  return luck.chance(0.1) ? nativeAct('write', changes) : act(changes)
}

describe('over 10,000 random policies and acts (seed 17)', () => {
  /** Those for which the test is false, with what it takes to have them again. */
  const exceptions = (test: (policy: Policy, one: Act, luck: Dice) => boolean): unknown[] => {
    const luck = dice(17)
    const found: unknown[] = []
    for (let round = 0; round < 10_000 && found.length < 3; round += 1) {
      const [policy, one] = [somePolicy(luck), someAct(luck)]
      if (!test(policy, one, luck)) found.push({ round, policy, one })
    }
    return found
  }
  const isLaxer = (after: Verdict, before: Verdict): boolean => stricter(after, before) !== after
  const verdictOf = (policy: Policy, one: Act): Verdict => decide(policy, one).verdict

  it('a decision is always one of three, with a sentence, and the same the second time', () => {
    const odd = exceptions((policy, one) => {
      const decision = decide(policy, one)
      const again = JSON.stringify(decide(policy, one)) === JSON.stringify(decision)
      return (
        again && VERDICTS.includes(decision.verdict) && !/undefined|\[obj/.test(decision.message)
      )
    })
    expect(odd).toEqual([])
  })

  it('one more rule that denies, or only makes stricter, never makes it laxer', () => {
    const odd = exceptions((policy, one, luck) => {
      const some = someRule(luck)
      const rule: Rule = luck.chance(0.5)
        ? { ...some, effect: 'deny' }
        : { ...some, effect: 'ask', onlyStricter: true }
      const after = verdictOf({ ...policy, rules: [...policy.rules, rule] }, one)
      return !isLaxer(after, verdictOf(policy, one))
    })
    expect(odd).toEqual([])
  })

  it('what a project says never makes it laxer', () => {
    const odd = exceptions((policy, one, luck) => {
      const after = verdictOf(tightenPolicy(policy, somePolicy(luck)), one)
      return !isLaxer(after, verdictOf(policy, one))
    })
    expect(odd).toEqual([])
  })

  it('what an untrusted server says of its tool makes no difference', () => {
    const words = [{}, { readOnlyHint: true }, { readOnlyHint: true, openWorldHint: false }]
    const odd = exceptions((policy, one) => {
      const plain = { ...one, trusted: false, hints: undefined }
      const before = JSON.stringify(decide(policy, plain))
      return words.every((annotations) => {
        const said = decide(policy, { ...plain, hints: hintsOf({ annotations }) })
        return JSON.stringify(said) === before
      })
    })
    expect(odd).toEqual([])
  })

  it('a changed definition is denied, a new one never allowed without a yes', () => {
    const odd = exceptions((policy, one) => {
      const { grant: _, ...without } = one
      return (
        verdictOf(policy, { ...one, pin: 'changed' }) === 'deny' &&
        verdictOf(policy, { ...without, pin: 'new' }) !== 'allow'
      )
    })
    expect(odd).toEqual([])
  })

  it('a yes given before never allows what is denied', () => {
    const odd = exceptions((policy, one) => {
      const { grant: _, ...without } = one
      return verdictOf(policy, without) !== 'deny' || verdictOf(policy, one) === 'deny'
    })
    expect(odd).toEqual([])
  })

  it('untrusted content never makes it laxer', () => {
    const odd = exceptions(
      (policy, one) =>
        !isLaxer(
          verdictOf(policy, { ...one, flow: tainted }),
          verdictOf(policy, { ...one, flow: NO_FLOW }),
        ),
    )
    expect(odd).toEqual([])
  })
})
