import { describe, expect, it } from 'vitest'
import { act, nativeAct } from '../../test/support/acts.ts'
import { dice } from '../../test/support/seeded.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type { Place } from '../config/entry.ts'
import { decide } from './decide.ts'
import {
  DEFAULT_POLICY,
  MAX_BECAUSE,
  MAX_CONDITION_DEPTH,
  MAX_CONDITIONS,
  MAX_ONE_OF,
  MAX_PATTERN,
  MAX_POINTER,
  MAX_RULES,
  type Verdict,
} from './policy.ts'
import { MAX_PROBLEMS, POLICY_PROBLEM_WORDS } from './problem.ts'
import { readPolicy, readProjectPolicy } from './read.ts'
import { MAX_VALUE_DEPTH } from './same-value.ts'

const kinds = (value: unknown): readonly string[] =>
  readPolicy(value).problems.map(({ kind }) => kind)
const verdict = (value: unknown, args: JsonObject = {}): Verdict =>
  decide(readPolicy(value).policy, act({ args })).verdict

describe('a policy that is right', () => {
  it('is read from lists and from rules alike', () => {
    const rules = [
      { effect: 'deny', tools: 'files__delete' },
      { effect: 'ask', tools: 'web' },
      { effect: 'allow', tools: 'files__read_*' },
    ]
    const lists = { deny: ['files__delete'], ask: [{ tools: 'web' }], allow: ['files__read_*'] }
    expect(readPolicy({ rules })).toEqual({ policy: { ...DEFAULT_POLICY, rules }, problems: [] })
    expect(readPolicy(lists)).toEqual({ policy: { ...DEFAULT_POLICY, rules }, problems: [] })
  })

  it('has the defaults for what it does not say', () => {
    expect(readPolicy({})).toEqual({ policy: DEFAULT_POLICY, problems: [] })
  })

  it('keeps all parts of a rule', () => {
    const rule = {
      server: 'a__b',
      tools: 'c*',
      when: [
        { pointer: '/x', oneOf: [1, 2] },
        { not: { pointer: '/y', host: '*.example.org' } },
        { pointer: '/z', absent: true },
      ],
      afterUntrusted: true,
      because: 'it is ours',
    }
    const { policy, problems } = readPolicy({ allow: [rule] })
    expect(problems).toEqual([])
    expect(policy.rules).toEqual([
      {
        ...rule,
        effect: 'allow',
        when: [rule.when[0], { pointer: '', ...rule.when[1] }, rule.when[2]],
      },
    ])
  })

  it('may name a server alone, have one condition without a list, and blanks around a name', () => {
    const { policy, problems } = readPolicy({
      allow: [{ server: 'a__b' }],
      deny: [{ tools: ' web ', when: { pointer: '/u', glob: '*' } }],
    })
    expect(problems).toEqual([])
    expect(policy.rules).toEqual([
      { effect: 'deny', tools: 'web', when: [{ pointer: '/u', glob: '*' }] },
      { effect: 'allow', server: 'a__b', tools: '*' },
    ])
  })

  it('may have a description and a schema', () => {
    expect(
      kinds({ $schema: 'x', $comment: 1, description: 'y', deny: [{ tools: 'a', $comment: 2 }] }),
    ).toEqual([])
  })

  it('knows where its rules stand', () => {
    const place = (line: number): Place => ({ file: 'deep-pilot.json', line, pointer: '' })
    const places = new Map([
      ['/deny/0', place(5)],
      ['/deny', place(4)],
    ])
    const { policy, problems } = readPolicy({ deny: ['a', 'b'], x: 1 }, { place: place(3), places })
    expect(policy.rules.map((rule) => rule.place)).toEqual([
      'deep-pilot.json:3',
      'deep-pilot.json:5',
      'deep-pilot.json:4',
    ])
    expect(problems[0]?.message).toMatch(/^deep-pilot\.json:3: "x" means nothing in a policy/)
    expect(problems[0]?.place?.line).toBe(3)
  })
})

describe('what cannot be read', () => {
  it.each<[string, unknown]>([
    ['no object', 'allow'],
    ['nothing', null],
    ['a list', [{ effect: 'allow', tools: 'files' }]],
    ['a list of denials that is none', { deny: 'files' }],
    ['rules that are no list', { rules: { effect: 'allow' } }],
    ['a denial that is a number', { deny: [5] }],
    ['a denial without tools', { deny: [{ because: 'x' }] }],
    ['a denial of nothing', { deny: ['  '] }],
    ['a denial of tools that are a list', { deny: [{ tools: ['files'] }] }],
    ['a denial with a server that is none', { deny: [{ server: 5, tools: 'x' }] }],
    ['a rule with a misspelt effect', { rules: [{ effect: 'dney', tools: 'files' }] }],
    ['a rule without an effect', { rules: [{ tools: 'files' }] }],
    ['a rule that is no rule', { rules: [null] }],
    ['a denial with a misspelt condition', { deny: [{ tools: 'files', wehn: [] }] }],
    ['a denial with a condition that is none', { deny: [{ tools: 'files', when: ['x'] }] }],
    [
      'a denial with an unknown test',
      { deny: [{ tools: 'files', when: [{ pointer: '/a', regex: 'x' }] }] },
    ],
    ['a denial of a pattern that is too long', { deny: ['x'.repeat(MAX_PATTERN + 1)] }],
    ['a misspelt word', { otherwise: 'never' }],
  ])('denies: %s', (_, value) => {
    expect(readPolicy(value).problems).toHaveLength(1)
    expect(verdict(value)).toBe('deny')
  })

  it.each<[string, unknown]>([
    ['a question that is no rule', { ask: [5] }],
    ['a misspelt list', { blocked: ['files'] }],
    ['a question with a condition that is none', { ask: [{ tools: 'files', when: 5 }] }],
  ])('asks, also for what is allowed: %s', (_, value) => {
    const policy = { ...(value as object), allow: ['files'] }
    expect(readPolicy(policy).problems).toHaveLength(1)
    expect(verdict(policy)).toBe('ask')
    expect(verdict({ ...policy, otherwise: 'deny', allow: [] })).toBe('deny')
  })

  it.each<[string, JsonValue]>([
    ['everything', '*'],
    ['servers by a glob', 'fil*'],
    ['tools of all servers', '*__write'],
    ['what can be read twice', 'files__write__x'],
    ['an alias with a glob in it', 'files__a__*_0123456789ab'],
    ['no rule', 5],
    ['a misspelt condition', { tools: 'files', wehn: [] }],
    ['a condition that is none', { tools: 'files', when: [5] }],
    ['tools that are none', { tools: 5 }],
  ])('allows nothing: %s', (_, rule) => {
    expect(readPolicy({ allow: [rule] }).problems).toHaveLength(1)
    expect(verdict({ allow: [rule], otherwise: 'deny' })).toBe('deny')
  })

  it('denies native tools as well', () => {
    expect(decide(readPolicy({ deny: [5] }).policy, nativeAct('clock')).verdict).toBe('deny')
  })

  it.each(['otherwise', 'readOnlyOfTrusted', 'flow', 'native'])(
    'makes "%s" the strictest',
    (key) => {
      const { policy, problems } = readPolicy({ [key]: 'alow' })
      expect(policy).toEqual({ ...DEFAULT_POLICY, [key]: 'deny', unread: { [key]: '' } })
      expect(problems).toMatchObject([{ kind: 'bad-word', severity: 'error' }])
    },
  )

  it('is a condition that is undecided, with a reason', () => {
    const bad: readonly JsonValue[] = [
      {},
      { pointer: '/a' },
      { is: 1 },
      { pointer: 'a', is: 1 },
      { pointer: '/a~2', is: 1 },
      { pointer: `/${'a'.repeat(MAX_POINTER)}`, is: 1 },
      { pointer: '/a', oneOf: [] },
      { pointer: '/a', oneOf: Array.from({ length: MAX_ONE_OF + 1 }, () => 1) },
      { pointer: '/a', glob: '' },
      { pointer: '/a', glob: '*'.repeat(MAX_PATTERN + 1) },
      { pointer: '/a', under: '~/x' },
      { pointer: '/a', under: 5 },
      { pointer: '/a', host: 'https://example.org' },
      { pointer: '/a', absent: false },
      { pointer: '/a', not: 5 },
      { pointer: '/a', is: nested(MAX_VALUE_DEPTH + 1) },
    ]
    for (const when of bad) {
      const { policy, problems } = readPolicy({ deny: [{ tools: 'files', when: [when] }] })
      expect(problems.map(({ kind }) => kind)).toEqual(['bad-condition'])
      expect(decide(policy, act({ args: { a: 'x' } })).reason).toBe('deny-rule')
    }
  })

  it('never throws, and never makes a call easier that nothing allows (seed 23)', () => {
    const luck = dice(23)
    const some = (depth: number): JsonValue => {
      if (depth === 0 || luck.chance(0.3))
        return luck.pick<JsonValue>([null, 0, '', 'files', '*', 'deny', true, 'ask', '/a', []])
      if (luck.chance(0.4)) return Array.from({ length: luck.between(0, 3) }, () => some(depth - 1))
      const keys = [
        'deny',
        'ask',
        'rules',
        'tools',
        'server',
        'when',
        'pointer',
        'is',
        'not',
        '__proto__',
      ]
      return Object.fromEntries(
        Array.from({ length: luck.between(0, 4) }, () => [luck.pick(keys), some(depth - 1)]),
      )
    }
    const easier = Array.from({ length: 5_000 }, () => some(5)).filter(
      (value) => verdict(value) === 'allow',
    )
    expect(easier).toEqual([])
  })
})

describe('a warning', () => {
  it.each<[string, unknown, string]>([
    ['everything is allowed', { otherwise: 'allow' }, 'allows-everything'],
    [
      'a path is allowed by a glob',
      { allow: [{ tools: 'files', when: [{ pointer: '/p', glob: '/home/*' }] }] },
      'path-by-glob',
    ],
    ['a member says nothing', { deny: [{ tools: 'files', afterUntrusted: true }] }, 'ignored-key'],
    ['a reason is no text', { deny: [{ tools: 'files', because: 5 }] }, 'ignored-key'],
  ])('is given where %s', (_, value, kind) => {
    expect(readPolicy(value).problems).toMatchObject([{ kind, severity: 'warning' }])
  })
})

describe('the bounds of a policy', () => {
  const rules = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `s${index}`)

  it('takes so many rules and denies for the rest what could be denied', () => {
    expect(kinds({ deny: rules(MAX_RULES) })).toEqual([])
    expect(kinds({ deny: rules(MAX_RULES + 1) })).toEqual(['too-many-rules'])
    expect(verdict({ deny: rules(MAX_RULES + 1) })).toBe('deny')
    expect(readPolicy({ deny: rules(100_000) }).policy.rules.length).toBe(MAX_RULES + 1)
  })

  it('reads denials before anything else, so that many that allow make nobody deny', () => {
    const { policy, problems } = readPolicy({ allow: rules(MAX_RULES + 5), deny: ['web'] })
    expect(problems.map(({ kind }) => kind)).toEqual(['too-many-rules'])
    expect(policy.rules).toHaveLength(MAX_RULES)
    expect(decide(policy, act({ server: 'web' })).verdict).toBe('deny')
    expect(decide(policy, act({ server: 's1' })).verdict).toBe('allow')
  })

  it('takes so many conditions, and is undecided about more', () => {
    const when = (count: number): JsonValue[] =>
      Array.from({ length: count }, () => ({ pointer: '/a', is: 1 }))
    expect(kinds({ deny: [{ tools: 'files', when: when(MAX_CONDITIONS) }] })).toEqual([])
    const many = { deny: [{ tools: 'files', when: when(MAX_CONDITIONS + 1) }] }
    expect(kinds(many)).toEqual(['too-many-conditions'])
    expect(verdict(many)).toBe('deny')
  })

  it('takes "not" so deep', () => {
    const not = (depth: number): JsonValue =>
      depth === 0 ? { pointer: '/a', is: 1 } : { not: not(depth - 1) }
    expect(kinds({ deny: [{ tools: 'x', when: [not(MAX_CONDITION_DEPTH)] }] })).toEqual([])
    expect(kinds({ deny: [{ tools: 'x', when: [not(MAX_CONDITION_DEPTH + 1)] }] })).toEqual([
      'bad-condition',
    ])
    expect(kinds({ deny: [{ tools: 'x', when: [not(3_000)] }] })).toEqual(['bad-condition'])
  })

  it('takes a value so deep', () => {
    const of = (depth: number): unknown => ({
      deny: [{ tools: 'x', when: [{ pointer: '/a', is: nested(depth) }] }],
    })
    expect(kinds(of(MAX_VALUE_DEPTH))).toEqual([])
    expect(kinds(of(3_000))).toEqual(['bad-condition'])
  })

  it('cuts a reason', () => {
    const { policy } = readPolicy({ deny: [{ tools: 'x', because: 'y'.repeat(MAX_BECAUSE + 1) }] })
    expect(policy.rules[0]?.because).toHaveLength(MAX_BECAUSE)
  })

  it('lists so many problems and says that there are more', () => {
    const { problems } = readPolicy({ deny: Array.from({ length: MAX_PROBLEMS + 50 }, () => 5) })
    expect(problems).toHaveLength(MAX_PROBLEMS + 1)
    expect(problems.at(-1)?.kind).toBe('more-problems')
  })

  it('shows names in problems escaped and cut', () => {
    const [problem] = readPolicy({ [`\u001b[2J${'x'.repeat(10_000)}`]: 1 }).problems
    expect(problem?.message).toMatch(/^[\x20-\x7e…]+$/)
    expect(problem?.message.length).toBeLessThan(1_500)
  })
})

describe('the policy of a project', () => {
  const own = readPolicy({ otherwise: 'allow', flow: 'off', allow: ['files'] }).policy
  const read = (value: unknown): Verdict =>
    decide(readProjectPolicy(own, value).policy, act()).verdict

  it('counts where it denies and asks', () => {
    expect(read({ deny: ['files__write'] })).toBe('deny')
    expect(read({ ask: ['files'] })).toBe('ask')
    expect(read({ rules: 'x' })).toBe('deny')
  })

  it('changes nothing where it says nothing', () => {
    expect(readProjectPolicy(own, {}).policy).toEqual(own)
  })

  it('allows nothing, and is told so', () => {
    const strict = readPolicy({ otherwise: 'deny', ask: ['web'] }).policy
    const { policy, problems } = readProjectPolicy(strict, {
      allow: ['files'],
      ask: ['files'],
      otherwise: 'allow',
    })
    expect(policy.rules.map(({ effect }) => effect)).toEqual(['ask', 'ask'])
    expect(decide(policy, act()).verdict).toBe('deny')
    expect(decide(policy, act({ server: 'web' })).verdict).toBe('ask')
    expect(problems).toMatchObject([{ kind: 'project-allows', severity: 'warning' }])
  })
})

describe('the sentences of problems', () => {
  it('are there for every kind, and name no value that is missing', () => {
    const values = new Proxy({}, { get: (_, name) => `<${String(name)}>` })
    for (const sentence of Object.values(POLICY_PROBLEM_WORDS))
      expect(sentence(values)).toMatch(/^[^.].{20,}[^.]$/)
  })
})

function nested(depth: number): JsonValue {
  let value: JsonValue = 1
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}
