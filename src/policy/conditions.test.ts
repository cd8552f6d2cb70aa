import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { allHold, MAX_GLOB_TEXT, MAX_LIST } from './conditions.ts'
import { MAX_CONDITION_DEPTH, MAX_CONDITIONS, MAX_PATTERN, type Condition } from './policy.ts'
import { MAX_VALUE_DEPTH } from './same-value.ts'

const holds = (condition: Condition, args: JsonObject): string => allHold([condition], args)

describe('a condition', () => {
  it.each<[string, Condition, JsonObject]>([
    ['is', { pointer: '/a', is: 1 }, { a: 1 }],
    [
      'is, over objects in any order',
      { pointer: '/a', is: { x: 1, y: [null] } },
      { a: { y: [null], x: 1 } },
    ],
    ['is, of all arguments', { pointer: '', is: {} }, {}],
    ['oneOf', { pointer: '/a', oneOf: ['x', 'y'] }, { a: 'y' }],
    ['glob', { pointer: '/a', glob: 'SELECT *' }, { a: 'SELECT 1' }],
    ['under', { pointer: '/a', under: '/tmp' }, { a: '/tmp/x' }],
    ['host', { pointer: '/a', host: 'example.org' }, { a: 'https://example.org/' }],
    ['absent', { pointer: '/a', absent: true }, { b: 1 }],
    ['not', { pointer: '', not: { pointer: '/a', is: 1 } }, { a: 2 }],
    ['a pointer with escapes', { pointer: '/a~1b/~0/1', is: true }, { 'a/b': { '~': [0, true] } }],
    ['a pointer with an empty key', { pointer: '/', is: 1 }, { '': 1 }],
    [
      'two tests that both hold',
      { pointer: '/a', glob: 'x*', not: { pointer: '/a', is: 'xy' } },
      { a: 'xz' },
    ],
    [
      'a list of which all items fit',
      { pointer: '/a', under: '/tmp' },
      { a: ['/tmp/x', '/tmp/y'] },
    ],
  ])('holds: %s', (_, condition, args) => {
    expect(holds(condition, args)).toBe('yes')
  })

  it.each<[string, Condition, JsonObject]>([
    ['another value', { pointer: '/a', is: 1 }, { a: 2 }],
    ['another text', { pointer: '/a', is: 'main' }, { a: 'Main' }],
    ['a member more', { pointer: '/a', is: { x: 1 } }, { a: { x: 1, y: 2 } }],
    ['another order in a list', { pointer: '/a', is: [1, 2] }, { a: [2, 1] }],
    ['none of several', { pointer: '/a', oneOf: ['x', 'y'] }, { a: 'z' }],
    ['no such value', { pointer: '/a/b', glob: '*' }, { a: {} }],
    ['a value that is there', { pointer: '/a', absent: true }, { a: null }],
    ['one of two tests fails', { pointer: '/a', glob: 'x*', is: 'y' }, { a: 'xy' }],
    ['a list without items', { pointer: '/a', under: '/tmp' }, { a: [] }],
    ['a list of which no item fits', { pointer: '/a', under: '/tmp' }, { a: ['/x', '/y'] }],
    ['what only a prototype has', { pointer: '/constructor/name', glob: '*' }, {}],
    ['what only a list has', { pointer: '/a/0', is: 1 }, { a: [] }],
    ['another URI', { pointer: '/a', glob: 'note:///secret*' }, { a: 'note:///plan' }],
    ['prose with a colon', { pointer: '/a', glob: 'a' }, { a: 'Note: see ../x, %41' }],
  ])('does not hold: %s', (_, condition, args) => {
    expect(holds(condition, args)).toBe('no')
  })

  it.each<[string, Condition]>([
    ['a glob', { pointer: '/uri', glob: 'note:///secret*' }],
    ['a text', { pointer: '/uri', is: 'note:///secret' }],
    ['one of several texts', { pointer: '/uri', oneOf: ['note:///x', 'note:///secret'] }],
    ['a glob that is encoded', { pointer: '/uri', glob: 'note:///%73ecret*' }],
    ['a text with its scheme in capitals', { pointer: '/uri', is: 'NOTE:///secret' }],
  ])('%s is not dodged by another way to write a URI', (_, condition) => {
    expect(holds(condition, { uri: 'note:///secret' })).toBe('yes')
    for (const uri of [
      'note:///%73ecret',
      'note:///%2573ecret',
      'NOTE:///secret',
      'note:///x/../secret',
      'note:///x/%2e%2E/secret',
      'note:///./secret',
      ' note:///secret',
      'note:///secret\t',
      'note:////secret',
      'note:///%252525252573ecret',
    ])
      expect([uri, holds(condition, { uri })]).toEqual([uri, expect.stringMatching(/yes|unsure/)])
  })

  it.each([
    'https://EVIL.com/a',
    'https://evil.com:443/a',
    'https:evil.com/a',
    'https:\\\\evil.com/a',
    'https://evil.com./a',
    'https://u@evil.com/a',
    'https://\uff45vil.com/a',
    ' https://evil.com/a',
    'https://evil.com/%61#a b',
  ])('an address is not dodged by %j', (url) => {
    expect(holds({ pointer: '/url', glob: 'https://evil.com/*' }, { url })).toMatch(/yes|unsure/)
  })

  it.each([
    'file:/etc/passwd',
    'file://localhost/etc/passwd',
    'file:////etc/passwd',
    'file:\\\\\\etc\\passwd',
    'FILE:///etc/passwd?x= ',
    'file:///et\tc/passwd',
  ])('a file is not dodged by %j', (uri) => {
    expect(holds({ pointer: '/uri', glob: 'file:///etc/*' }, { uri })).toMatch(/yes|unsure/)
  })

  it.each<[string, string]>([
    ['https://api.x.com/*', 'https://api.x.com/a?q=100%25&b=a%2Fb'],
    ['https://api.x.com', 'https://api.x.com'],
    ['https://api.x.com:443/*', 'https://api.x.com:443/a'],
    ['https://api.x.com/*', 'https://api.x.com/a?next=https://y.org/../z'],
    ['HTTPS://api.x.com/*', 'https://api.x.com/a'],
    ['note:///my%20plan*', 'note:///my%20plan-1'],
    ['mailto:*', 'mailto:ada@example.org'],
  ])('%j still fits %j for sure', (glob, text) => {
    expect(holds({ pointer: '/a', glob }, { a: text })).toBe('yes')
  })

  it.each([
    'note:///public/../secret',
    'note:///public/%2e%2e/secret',
    'note:///public/..%2fsecret',
    'note:///public/%252e%252e/secret',
    `note:///public/${'x'.repeat(9_000)}`,
  ])('a folder of URIs is not left through %j', (uri) => {
    expect(holds({ pointer: '/uri', glob: 'note:///public/*' }, { uri })).toBe('unsure')
    expect(
      holds({ pointer: '/uri', glob: 'note:///public/*' }, { uri: 'note:///public/a%20b' }),
    ).toBe('yes')
  })

  it.each<[string, Condition, JsonObject]>([
    ['a text for a number', { pointer: '/a', is: 1 }, { a: '1' }],
    ['a text for a truth', { pointer: '/a', is: true }, { a: 'True' }],
    ['a number for a truth', { pointer: '/a', is: true }, { a: 1 }],
    ['a number where a text is compared', { pointer: '/a', glob: '1*' }, { a: 12 }],
    [
      'an object where a path is compared',
      { pointer: '/a', under: '/tmp' },
      { a: { path: '/etc' } },
    ],
    [
      'a list of which some items fit',
      { pointer: '/a', under: '/tmp' },
      { a: ['/tmp/x', '/etc/y'] },
    ],
    ['JSON in a text on the way', { pointer: '/a/b', is: 1 }, { a: '{"b":1}' }],
    ['a list on the way to a member', { pointer: '/a/b', is: 1 }, { a: [{ b: 1 }] }],
    [
      'a list on the way, also to what is absent',
      { pointer: '/a/b', absent: true },
      { a: [{ b: 1 }] },
    ],
    [
      'not of what is undecided',
      { pointer: '', not: { pointer: '/a', under: '/tmp' } },
      { a: 'x' },
    ],
    ['no test at all', { pointer: '/a' }, { a: 1 }],
    ['what could not be read', { pointer: '', unreadable: true }, {}],
    ['a glob that is too long', { pointer: '/a', glob: '*'.repeat(MAX_PATTERN + 1) }, { a: 'x' }],
    ['a text that is too long', { pointer: '/a', glob: '*' }, { a: 'x'.repeat(MAX_GLOB_TEXT + 1) }],
    [
      'a list that is too long',
      { pointer: '/a', glob: '*' },
      { a: Array.from({ length: MAX_LIST + 1 }, () => 'x') },
    ],
  ])('is undecided: %s', (_, condition, args) => {
    expect(holds(condition, args)).toBe('unsure')
  })

  it('judges texts and lists as long as the bound', () => {
    const list = Array.from({ length: MAX_LIST }, () => 'x')
    expect(holds({ pointer: '/a', glob: '*' }, { a: list })).toBe('yes')
    expect(holds({ pointer: '/a', glob: '*' }, { a: 'x'.repeat(MAX_GLOB_TEXT) })).toBe('yes')
    expect(holds({ pointer: '/a', glob: '*'.repeat(MAX_PATTERN) }, { a: 'x' })).toBe('yes')
  })

  it('may stand in "not" up to a depth', () => {
    const nested = (depth: number): Condition =>
      depth === 0 ? { pointer: '/a', is: 1 } : { pointer: '', not: nested(depth - 1) }
    expect(holds(nested(MAX_CONDITION_DEPTH), { a: 1 })).toBe('yes')
    expect(holds(nested(MAX_CONDITION_DEPTH + 1), { a: 1 })).toBe('unsure')
  })

  it('compares values up to a depth, and is not led deeper by arguments', () => {
    const nested = (depth: number): JsonValue => (depth === 0 ? 1 : [nested(depth - 1)])
    expect(
      holds({ pointer: '/a', is: nested(MAX_VALUE_DEPTH) }, { a: nested(MAX_VALUE_DEPTH) }),
    ).toBe('yes')
    expect(
      holds({ pointer: '/a', is: nested(MAX_VALUE_DEPTH + 1) }, { a: nested(MAX_VALUE_DEPTH + 1) }),
    ).toBe('unsure')
    let deep: JsonValue = 1
    for (let level = 0; level < 200_000; level += 1) deep = [deep]
    expect(holds({ pointer: '/a', is: [[2]] }, { a: deep })).toBe('no')
  })
})

describe('several conditions', () => {
  const [yes, no, unsure]: readonly Condition[] = [
    { pointer: '/a', is: 1 },
    { pointer: '/a', is: 2 },
    { pointer: '', unreadable: true },
  ]

  it('hold when all do; one that does not decides', () => {
    const args = { a: 1 }
    const of = (...when: readonly (Condition | undefined)[]): string =>
      allHold(
        when.filter((one) => one !== undefined),
        args,
      )
    expect([of(), of(yes, yes), of(yes, unsure), of(unsure, no)]).toEqual([
      'yes',
      'yes',
      'unsure',
      'no',
    ])
  })

  it('are looked at up to a number, and the rest is undecided', () => {
    const many = (count: number): Condition[] =>
      Array.from({ length: count }, () => ({ pointer: '/a', is: 1 }))
    expect(allHold(many(MAX_CONDITIONS), { a: 1 })).toBe('yes')
    expect(allHold(many(MAX_CONDITIONS + 1), { a: 1 })).toBe('unsure')
  })
})
