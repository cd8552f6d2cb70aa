import { describe, expect, it } from 'vitest'
import type { Condition, Rule } from '../../policy/policy.ts'
import { ruleText } from '../../policy/sentences.ts'
import { ruleTextZh, ruleZh } from './rule-zh.ts'

const asks = (when: readonly Condition[], more: Partial<Rule> = {}): Rule => ({
  effect: 'ask',
  tools: 'fs__*',
  when,
  ...more,
})

const LONG = 'x'.repeat(200)

describe('a rule of which only the English text is there', () => {
  it.each<[string, Rule]>([
    ['a tool', { effect: 'deny', tools: 'fs__write' }],
    ['a server and a place', { effect: 'allow', tools: '*', server: 'fs', place: '/p/a.json:7' }],
    ['a place with brackets', { effect: 'allow', tools: 'fs', place: '/p (1)/a (b).json:7' }],
    ['a text', asks([{ pointer: '/a', is: 'x' }])],
    ['a text that reads like conditions', asks([{ pointer: '/a', is: 'b and /c is absent' }])],
    [
      'a number, and truth',
      asks([
        { pointer: '/a', is: 7 },
        { pointer: '/b/c', is: true },
      ]),
    ],
    ['a value that nests', asks([{ pointer: '', is: { a: 1 } }])],
    [
      'a long text',
      asks([
        { pointer: '/a', is: LONG },
        { pointer: '/b', glob: LONG },
      ]),
    ],
    ['one of several', asks([{ pointer: '/a', oneOf: [1, 2] }])],
    ['a name with blanks', asks([{ pointer: '/a b and c', under: '/x and y' }])],
    ['a host', asks([{ pointer: '/url', host: '*.example.org' }], { place: 'p.json:1' })],
    ['what is not there', asks([{ pointer: '/a', absent: true }])],
    ['what cannot be read', asks([{ pointer: '', unreadable: true }])],
    ['several tests of one', asks([{ pointer: '/a', glob: 'x*', under: '/y' }])],
    ['a no', asks([{ pointer: '/a', not: { pointer: '/a', is: 1 } }])],
    [
      'a no, and a place',
      asks([{ pointer: '', not: { pointer: '/a', host: 'h' } }], { place: 'p:1' }),
    ],
    [
      'a no in a no in a no',
      asks([
        { pointer: '', not: { pointer: '', not: { pointer: '', not: { pointer: '/a', is: 1 } } } },
      ]),
    ],
    ['many', asks([1, 2, 3, 4, 5, 6].map((is) => ({ pointer: `/${is}`, is })))],
    ['a text with a bracket', asks([{ pointer: '/a', glob: 'x (y' }], { place: 'p:1' })],
  ])('is told as the rule itself is: %s', (_, rule) => {
    expect(ruleTextZh(ruleText(rule))).toBe(ruleZh(rule))
    expect(ruleZh(rule)).toMatch(/^(?:允许|询问|拒绝) /)
  })

  it.each(['', 'deny', 'fs.*', 'ask fs when the moon is full', `deny fs${' (x'.repeat(9_000)})`])(
    'is left as it is where it is no such text: %s',
    (text) => {
      expect(ruleTextZh(text)).toBe(text)
    },
  )
})
