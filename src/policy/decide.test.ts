import { describe, expect, it } from 'vitest'
import { act, nativeAct, policyOf } from '../../test/support/acts.ts'
import { hintsOf } from '../tools/display.ts'
import type { Act, ReasonKind } from './act.ts'
import { decide } from './decide.ts'
import type { FlowState } from './flow.ts'
import type { Grant } from './grants.ts'
import { DEFAULT_POLICY, type Policy, type Rule, type Verdict } from './policy.ts'
import { readPolicy, readProjectPolicy } from './read.ts'

const deny: Rule = { effect: 'deny', tools: 'files__write' }
const ask: Rule = { effect: 'ask', tools: 'files__write' }
const allow: Rule = { effect: 'allow', tools: 'files__write' }
const allowAfter: Rule = { ...allow, afterUntrusted: true }
const grant: Grant = { scope: 'session', server: 'files', tool: 'write', pin: 'p' }
const tainted: FlowState = { untrusted: ['web__get'], private: [], more: 0 }
const told: Grant = { ...grant, sources: ['web__get'] }
const reader = hintsOf({ annotations: { readOnlyHint: true } })

/** What speaks for and against a call, and what comes of it: each line is stronger than those below. */
const TABLE: readonly {
  readonly when: string
  readonly rules?: readonly Rule[]
  readonly policy?: Partial<Policy>
  readonly act?: Partial<Act>
  readonly verdict: Verdict
  readonly reason: ReasonKind
}[] = [
  {
    when: 'a rule denies, though everything else allows',
    rules: [allowAfter, ask, deny],
    act: { grant: told, trusted: true, hints: reader, pin: 'changed', flow: tainted },
    policy: { otherwise: 'allow' },
    verdict: 'deny',
    reason: 'deny-rule',
  },
  {
    when: 'the definition has changed, though a rule and a person allow',
    rules: [allowAfter],
    act: { grant: told, pin: 'changed', flow: tainted },
    verdict: 'deny',
    reason: 'changed-definition',
  },
  {
    when: 'the policy denies what no rule names, though a person allowed it',
    policy: { otherwise: 'deny' },
    act: { grant, flow: tainted },
    verdict: 'deny',
    reason: 'otherwise',
  },
  {
    when: 'untrusted content was read, though a rule allows',
    rules: [allow],
    act: { flow: tainted },
    verdict: 'ask',
    reason: 'flow',
  },
  {
    when: 'untrusted content was read, though a rule asks as well',
    rules: [ask],
    act: { flow: tainted },
    verdict: 'ask',
    reason: 'flow',
  },
  {
    when: 'untrusted content was read, though a person allowed it before',
    act: { grant, flow: tainted },
    verdict: 'ask',
    reason: 'flow',
  },
  {
    when: 'untrusted content was read and the policy denies then',
    rules: [allow],
    policy: { flow: 'deny' },
    act: { grant: told, flow: tainted },
    verdict: 'deny',
    reason: 'flow',
  },
  {
    when: 'a rule asks, though a rule and a person allow',
    rules: [ask, allowAfter],
    act: { grant: told, flow: tainted, trusted: true, hints: reader },
    verdict: 'ask',
    reason: 'ask-rule',
  },
  {
    when: 'a person who was told of the sources said yes',
    act: { grant: told, flow: tainted },
    verdict: 'allow',
    reason: 'grant',
  },
  {
    when: 'a rule allows it also after untrusted content',
    rules: [allowAfter],
    act: { flow: tainted },
    verdict: 'allow',
    reason: 'allow-rule',
  },
  {
    when: 'a rule allows it after untrusted content even where that is denied',
    rules: [allowAfter],
    policy: { flow: 'deny' },
    act: { flow: tainted },
    verdict: 'allow',
    reason: 'allow-rule',
  },
  {
    when: 'the flow is not looked at',
    rules: [allow],
    policy: { flow: 'off' },
    act: { flow: tainted },
    verdict: 'allow',
    reason: 'allow-rule',
  },
  {
    when: 'the definition is new and a person said yes to it',
    rules: [allow],
    act: { grant, pin: 'new' },
    verdict: 'allow',
    reason: 'grant',
  },
  {
    when: 'the definition is new, though a rule allows',
    rules: [allow],
    act: { pin: 'new' },
    verdict: 'ask',
    reason: 'new-definition',
  },
  {
    when: 'the definition is new, though everything is allowed',
    policy: { otherwise: 'allow' },
    act: { pin: 'new' },
    verdict: 'ask',
    reason: 'new-definition',
  },
  {
    when: 'the definition is new and nothing else speaks',
    act: { pin: 'new' },
    verdict: 'ask',
    reason: 'new-definition',
  },
  { when: 'a person said yes before', act: { grant }, verdict: 'allow', reason: 'grant' },
  {
    when: 'a rule allows',
    rules: [allow],
    policy: { otherwise: 'deny' },
    verdict: 'allow',
    reason: 'allow-rule',
  },
  {
    when: 'a rule allows what a person said yes to as well',
    rules: [allow],
    act: { grant },
    verdict: 'allow',
    reason: 'allow-rule',
  },
  {
    when: 'a trusted server says that it only reads',
    act: { trusted: true, hints: reader },
    verdict: 'allow',
    reason: 'read-only',
  },
  {
    when: 'an untrusted server says that it only reads',
    act: { hints: reader },
    verdict: 'ask',
    reason: 'otherwise',
  },
  {
    when: 'a trusted server says nothing',
    act: { trusted: true },
    verdict: 'ask',
    reason: 'otherwise',
  },
  {
    when: 'reading asks by the policy',
    policy: { readOnlyOfTrusted: 'ask' },
    act: { trusted: true, hints: reader },
    verdict: 'ask',
    reason: 'read-only',
  },
  { when: 'nothing speaks', verdict: 'ask', reason: 'otherwise' },
  {
    when: 'everything is allowed',
    policy: { otherwise: 'allow' },
    verdict: 'allow',
    reason: 'otherwise',
  },
]

describe('a decision', () => {
  it.each(TABLE)(
    'when $when: $verdict, by $reason',
    ({ rules = [], policy, act: changes, ...wanted }) => {
      const { verdict, reason } = decide(policyOf(rules, policy), act(changes))
      expect({ verdict, reason }).toEqual({ verdict: wanted.verdict, reason: wanted.reason })
    },
  )

  it.each<[unknown, Verdict, string]>([
    [{ deny: 'files' }, 'deny', 'calls like this are denied'],
    [{ blocked: ['files'] }, 'ask', 'calls like this are asked'],
    [{ readOnlyOfTrusted: 'alow' }, 'deny', 'calls like this are denied'],
  ])(
    'is that the policy is broken, for a part of it that cannot be read: %j',
    (value, verdict, said) => {
      const place = { file: 'p.json', line: 7, pointer: '' }
      const { policy } = readPolicy(value, { place })
      const decision = decide(policy, act({ trusted: true, hints: reader }))
      expect(decision).toMatchObject({ verdict, reason: 'broken-policy', brokenAt: 'p.json:7' })
      expect(decision).not.toHaveProperty('rule')
      expect(decision.message).toContain(
        `a part of the policy cannot be read (p.json:7), and until that is mended ${said}`,
      )
      expect(decision.message).toContain('deep-pilot policy check')
    },
  )

  it('is that the policy is broken, for a setting that cannot be read, its own or that of a project', () => {
    const place = { file: 'p.json', line: 7, pointer: '' }
    const broken = { verdict: 'deny', reason: 'broken-policy', brokenAt: 'p.json:7' }
    const { policy } = readPolicy({ otherwise: 'alow', native: 1 }, { place })
    expect(decide(policy, act())).toMatchObject(broken)
    expect(decide(policy, nativeAct('clock'))).toMatchObject(broken)
    const tight = readProjectPolicy(DEFAULT_POLICY, { otherwise: 'alow' }, { place }).policy
    expect(decide(tight, act())).toMatchObject(broken)
    const denied = readProjectPolicy(
      { ...DEFAULT_POLICY, otherwise: 'deny' },
      { otherwise: 'alow' },
      { place },
    )
    expect(decide(denied.policy, act())).toMatchObject({ verdict: 'deny', reason: 'otherwise' })
  })

  it('is the rule that was written where another part cannot be read', () => {
    const { policy } = readPolicy({ blocked: [], ask: ['files__write'], deny: [5, 'files__rm'] })
    expect(decide(policy, act({ tool: 'rm' })).reason).toBe('deny-rule')
    expect(decide(policy, act()).reason).toBe('broken-policy')
    const { policy: asking } = readPolicy({ blocked: [], ask: ['files__write'] })
    expect(decide(asking, act()).reason).toBe('ask-rule')
  })

  it.each<[string, Verdict, ReasonKind, Policy]>([
    ['allowed by itself', 'allow', 'native', DEFAULT_POLICY],
    ['asked by the policy', 'ask', 'native', policyOf([], { native: 'ask' })],
    ['denied by the policy', 'deny', 'native', policyOf([], { native: 'deny' })],
    ['denied by a rule', 'deny', 'deny-rule', policyOf([{ effect: 'deny', tools: 'run_*' }])],
    [
      'allowed by a rule',
      'allow',
      'allow-rule',
      policyOf([{ effect: 'allow', tools: 'run_code' }], { native: 'deny' }),
    ],
  ])('over a native tool: %s', (_, verdict, reason, policy) => {
    expect(decide(policy, nativeAct('run_code'))).toMatchObject({ verdict, reason })
  })

  it('knows no rule by the order of rules', () => {
    const rules = [deny, ask, allow]
    for (const order of [rules, rules.toReversed(), [ask, deny, allow]])
      expect(decide(policyOf(order), act()).reason).toBe('deny-rule')
  })

  it('takes a condition that is undecided for met where a rule forbids, and for unmet where it allows', () => {
    const when = [{ pointer: '/path', under: '/home/me' }]
    const args = { path: '~/x' }
    expect(decide(policyOf([{ ...deny, when }]), act({ args })).verdict).toBe('deny')
    expect(
      decide(policyOf([{ ...ask, when }], { otherwise: 'allow' }), act({ args })).verdict,
    ).toBe('ask')
    expect(decide(policyOf([{ ...allow, when }]), act({ args })).reason).toBe('otherwise')
  })

  it('lets a rule that asks speak before what the policy denies by itself, once it is surely about the call', () => {
    const policy = (rule: Rule): Policy => policyOf([rule], { otherwise: 'deny' })
    const when = [{ pointer: '/path', under: '/home/me' }]
    expect(decide(policy(ask), act()).verdict).toBe('ask')
    expect(decide(policy({ ...ask, when }), act({ args: { path: '~/x' } })).verdict).toBe('deny')
    expect(decide(policy({ ...ask, onlyStricter: true }), act()).verdict).toBe('deny')
  })

  it('takes no grant of another tool', () => {
    expect(decide(DEFAULT_POLICY, act({ grant: { ...grant, tool: 'read' } })).verdict).toBe('ask')
    expect(decide(DEFAULT_POLICY, act({ grant: { ...grant, server: 'x' } })).verdict).toBe('ask')
  })

  it('names the rule and its place, and why there is one', () => {
    const rule: Rule = {
      ...deny,
      when: [{ pointer: '/path', under: '/etc' }],
      because: 'the system is not ours',
      place: 'policy.json:7',
    }
    const decision = decide(policyOf([rule]), act({ args: { path: '/etc/hosts' } }))
    expect(decision.rule).toBe('deny files__write when /path under "/etc" (policy.json:7)')
    expect(decision.because).toBe('the system is not ours')
    expect(decision.message).toContain('the system is not ours')
    expect(decision.message).toContain('"write" of the server "files"')
  })

  it('gives the reason of a rule safe for a terminal', () => {
    const { because } = decide(policyOf([{ ...ask, because: 'no\u001b[2J' }]), act())
    expect(because).toBe('no\\u001b[2J')
  })

  it('names both ends of a flow, and private data that was read', () => {
    const decision = decide(DEFAULT_POLICY, act({ flow: { ...tainted, private: ['crm__get'] } }))
    expect(decision.flow).toEqual({
      source: 'web__get',
      sink: 'files__write',
      sources: ['web__get'],
    })
    expect(decision.message).toMatch(/web__get.*files__write.*private data/)
  })

  it('offers a lasting yes only where one would be heard', () => {
    const lasting = (policy: Policy, changes?: Partial<Act>): boolean =>
      decide(policy, act(changes)).lasting
    expect(lasting(DEFAULT_POLICY)).toBe(true)
    expect(lasting(DEFAULT_POLICY, { pin: 'new' })).toBe(true)
    expect(lasting(DEFAULT_POLICY, { flow: tainted })).toBe(true)
    expect(lasting(DEFAULT_POLICY, { flow: { ...tainted, more: 1 } })).toBe(false)
    expect(lasting(policyOf([ask]))).toBe(false)
    expect(lasting(policyOf([ask]), { flow: tainted })).toBe(false)
    expect(lasting(policyOf([deny]))).toBe(false)
    expect(lasting(policyOf([allow]))).toBe(false)
  })

  it('shows what strangers named escaped and cut', () => {
    const tool = `\u001b[2Kx\u202e\n${'y'.repeat(100_000)}`
    const { message } = decide(DEFAULT_POLICY, act({ tool }))
    expect(message).toMatch(/^[\x20-\x7e…]+$/)
    expect(message.length).toBeLessThan(1_000)
  })
})
