import { describe, expect, it } from 'vitest'
import { hasTraversal, parseTemplate } from './uri-template.ts'

/** The variables of RFC 6570 §3.2. */
const VALUES = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  keys: { semi: ';', dot: '.', comma: ',' },
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  empty_keys: {},
  undef: null,
}

/** What each template of the RFC expands to: §3.2.1 to §3.2.9. */
const EXPANSIONS: readonly (readonly [string, string])[] = [
  ['{count}', 'one,two,three'],
  ['{count*}', 'one,two,three'],
  ['{/count}', '/one,two,three'],
  ['{/count*}', '/one/two/three'],
  ['{;count}', ';count=one,two,three'],
  ['{;count*}', ';count=one;count=two;count=three'],
  ['{?count}', '?count=one,two,three'],
  ['{?count*}', '?count=one&count=two&count=three'],
  ['{&count*}', '&count=one&count=two&count=three'],
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World%21'],
  ['{half}', '50%25'],
  ['O{empty}X', 'OX'],
  ['O{undef}X', 'OX'],
  ['{x,y}', '1024,768'],
  ['{x,hello,y}', '1024,Hello%20World%21,768'],
  ['?{x,empty}', '?1024,'],
  ['?{x,undef}', '?1024'],
  ['?{undef,y}', '?768'],
  ['{var:3}', 'val'],
  ['{var:30}', 'value'],
  ['{list}', 'red,green,blue'],
  ['{list*}', 'red,green,blue'],
  ['{keys}', 'semi,%3B,dot,.,comma,%2C'],
  ['{keys*}', 'semi=%3B,dot=.,comma=%2C'],
  ['{+var}', 'value'],
  ['{+hello}', 'Hello%20World!'],
  ['{+half}', '50%25'],
  ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
  ['{+base}index', 'http://example.com/home/index'],
  ['O{+empty}X', 'OX'],
  ['O{+undef}X', 'OX'],
  ['{+path}/here', '/foo/bar/here'],
  ['here?ref={+path}', 'here?ref=/foo/bar'],
  ['up{+path}{var}/here', 'up/foo/barvalue/here'],
  ['{+x,hello,y}', '1024,Hello%20World!,768'],
  ['{+path,x}/here', '/foo/bar,1024/here'],
  ['{+path:6}/here', '/foo/b/here'],
  ['{+list}', 'red,green,blue'],
  ['{+list*}', 'red,green,blue'],
  ['{+keys}', 'semi,;,dot,.,comma,,'],
  ['{+keys*}', 'semi=;,dot=.,comma=,'],
  ['{#var}', '#value'],
  ['{#hello}', '#Hello%20World!'],
  ['{#half}', '#50%25'],
  ['foo{#empty}', 'foo#'],
  ['foo{#undef}', 'foo'],
  ['{#x,hello,y}', '#1024,Hello%20World!,768'],
  ['{#path,x}/here', '#/foo/bar,1024/here'],
  ['{#path:6}/here', '#/foo/b/here'],
  ['{#list}', '#red,green,blue'],
  ['{#list*}', '#red,green,blue'],
  ['{#keys}', '#semi,;,dot,.,comma,,'],
  ['{#keys*}', '#semi=;,dot=.,comma=,'],
  ['{.who}', '.fred'],
  ['{.who,who}', '.fred.fred'],
  ['{.half,who}', '.50%25.fred'],
  ['www{.dom*}', 'www.example.com'],
  ['X{.var}', 'X.value'],
  ['X{.empty}', 'X.'],
  ['X{.undef}', 'X'],
  ['X{.var:3}', 'X.val'],
  ['X{.list}', 'X.red,green,blue'],
  ['X{.list*}', 'X.red.green.blue'],
  ['X{.keys}', 'X.semi,%3B,dot,.,comma,%2C'],
  ['X{.keys*}', 'X.semi=%3B.dot=..comma=%2C'],
  ['X{.empty_keys}', 'X'],
  ['X{.empty_keys*}', 'X'],
  ['{/who}', '/fred'],
  ['{/who,who}', '/fred/fred'],
  ['{/half,who}', '/50%25/fred'],
  ['{/who,dub}', '/fred/me%2Ftoo'],
  ['{/var}', '/value'],
  ['{/var,empty}', '/value/'],
  ['{/var,undef}', '/value'],
  ['{/var,x}/here', '/value/1024/here'],
  ['{/var:1,var}', '/v/value'],
  ['{/list}', '/red,green,blue'],
  ['{/list*}', '/red/green/blue'],
  ['{/list*,path:4}', '/red/green/blue/%2Ffoo'],
  ['{/keys}', '/semi,%3B,dot,.,comma,%2C'],
  ['{/keys*}', '/semi=%3B/dot=./comma=%2C'],
  ['{;who}', ';who=fred'],
  ['{;half}', ';half=50%25'],
  ['{;empty}', ';empty'],
  ['{;v,empty,who}', ';v=6;empty;who=fred'],
  ['{;v,bar,who}', ';v=6;who=fred'],
  ['{;x,y}', ';x=1024;y=768'],
  ['{;x,y,empty}', ';x=1024;y=768;empty'],
  ['{;x,y,undef}', ';x=1024;y=768'],
  ['{;hello:5}', ';hello=Hello'],
  ['{;list}', ';list=red,green,blue'],
  ['{;list*}', ';list=red;list=green;list=blue'],
  ['{;keys}', ';keys=semi,%3B,dot,.,comma,%2C'],
  ['{;keys*}', ';semi=%3B;dot=.;comma=%2C'],
  ['{?who}', '?who=fred'],
  ['{?half}', '?half=50%25'],
  ['{?x,y}', '?x=1024&y=768'],
  ['{?x,y,empty}', '?x=1024&y=768&empty='],
  ['{?x,y,undef}', '?x=1024&y=768'],
  ['{?var:3}', '?var=val'],
  ['{?list}', '?list=red,green,blue'],
  ['{?list*}', '?list=red&list=green&list=blue'],
  ['{?keys}', '?keys=semi,%3B,dot,.,comma,%2C'],
  ['{?keys*}', '?semi=%3B&dot=.&comma=%2C'],
  ['{&who}', '&who=fred'],
  ['{&half}', '&half=50%25'],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['{&x,y,empty}', '&x=1024&y=768&empty='],
  ['{&x,y,undef}', '&x=1024&y=768'],
  ['{&var:3}', '&var=val'],
  ['{&list}', '&list=red,green,blue'],
  ['{&list*}', '&list=red&list=green&list=blue'],
  ['{&keys}', '&keys=semi,%3B,dot,.,comma,%2C'],
  ['{&keys*}', '&semi=%3B&dot=.&comma=%2C'],
]

describe('expansion', () => {
  it.each(EXPANSIONS)('of %s gives %s, as RFC 6570 has it [RES-04]', (template, expected) => {
    expect(parseTemplate(template).expand(VALUES)).toBe(expected)
  })

  it('writes numbers and truth values, and leaves out what has no value', () => {
    const template = parseTemplate('x{?n,b,u,e,o}')
    expect(template.expand({ n: 1.5, b: false, u: undefined, e: [], o: {} })).toBe(
      'x?n=1.5&b=false',
    )
    expect(template.expand({})).toBe('x')
  })

  it('takes values that the object has itself and no others', () => {
    expect(parseTemplate('{toString}{constructor}{__proto__}').expand({})).toBe('')
    expect(parseTemplate('{__proto__}').expand({ ['__proto__']: 'p' })).toBe('p')
  })

  it('keeps octets that are encoded already where reserved characters stay', () => {
    expect(parseTemplate('{+a}{#a}').expand({ a: '%20[%zz]%' })).toBe('%20[%25zz]%25#%20[%25zz]%25')
    expect(parseTemplate('{a}').expand({ a: '%20' })).toBe('%2520')
  })

  it('encodes what is beyond ASCII, in values and in literals, and cuts no character in half', () => {
    expect(parseTemplate('é/{a}').expand({ a: '🦀é' })).toBe('%C3%A9/%F0%9F%A6%80%C3%A9')
    expect(parseTemplate('{a:1}').expand({ a: '🦀é' })).toBe('%F0%9F%A6%80')
  })

  it('refuses half of a surrogate pair, and a length of a list', () => {
    for (const [text, a] of [
      ['{a}', '\ud800'],
      ['{+a}', '\udc00x'],
      ['{a:3}', ['x']],
    ] as const) {
      expect(() => parseTemplate(text).expand({ a })).toThrow(
        expect.objectContaining({ code: 'DP_USAGE', message: expect.stringContaining('"a"') }),
      )
    }
  })
})

describe('a template', () => {
  it('knows its text and its variables, each once and in order', () => {
    const { text, variables } = parseTemplate('x{/b,a:3}{?b,c*}')
    expect(text).toBe('x{/b,a:3}{?b,c*}')
    expect(variables).toEqual(['b', 'a', 'c'])
    expect(parseTemplate('').variables).toEqual([])
  })

  it.each([
    ['a{b', 2],
    ['a}b', 2],
    ['a{}', 3],
    ['{+}', 3],
    ['{a,}', 4],
    ['{,a}', 2],
    ['{a b}', 2],
    ['{a{b}}', 2],
    ['{=a}', 2],
    ['{|a}', 2],
    ['{a-b}', 2],
    ['{a.}', 2],
    ['{.a..b}', 3],
    ['{a:0}', 3],
    ['{a:}', 3],
    ['{a:10000}', 3],
    ['{a:3*}', 2],
    ['{a*:3}', 2],
    ['{%4}', 2],
    ['x{ok}{*}', 7],
    ['a b', 2],
    ['a%zz', 2],
    ['a%4', 2],
    ['ab"', 3],
    ['a\\b', 2],
    ['a\0', 2],
    ['a\ud800', 2],
    ['<x>', 1],
  ])('%j is refused at character %i', (text, place) => {
    expect(() => parseTemplate(text)).toThrow(
      expect.objectContaining({
        code: 'DP_USAGE',
        message: expect.stringContaining(`at character ${place}:`),
      }),
    )
  })

  it.each([
    ['characters', 'x'.repeat(10_001)],
    ['expressions', '{a}'.repeat(101)],
    ['variables', `{a${',a'.repeat(200)}}`],
  ])('with too many %s is refused', (what, text) => {
    expect(() => parseTemplate(text)).toThrow(
      expect.objectContaining({ code: 'DP_USAGE', message: expect.stringContaining(what) }),
    )
  })

  it('of the greatest size is read', () => {
    expect(parseTemplate('x'.repeat(10_000)).match('x'.repeat(10_000))).toEqual({})
    expect(parseTemplate('{a}'.repeat(100)).variables).toEqual(['a'])
  })

  it('may have names with octets and dots in them', () => {
    const template = parseTemplate('{?a.b,c%20d}')
    expect(template.expand({ 'a.b': 1, 'c%20d': 2 })).toBe('?a.b=1&c%20d=2')
    expect(template.match('?c%20d=2&a.b=1')).toEqual({ 'a.b': '1', 'c%20d': '2' })
  })
})

describe('traversal', () => {
  it.each([
    '..',
    '../x',
    'a/../b',
    'a/..',
    '..\\x',
    'a\\..\\b',
    '%2e%2e/x',
    '%2E./x',
    'a%2f..%5Cb',
    '.. /x',
    '.../x',
    'a\0b',
    'a%00b',
  ])('is in %j [RES-08]', (value) => {
    expect(hasTraversal(value)).toBe(true)
  })

  it.each(['', '.', 'a', 'a/b', '..a', 'a..b/c', '...a', './a', '/etc/passwd', 'a.', '%2g', ' / '])(
    'is not in %j [RES-08]',
    (value) => {
      expect(hasTraversal(value)).toBe(false)
    },
  )
})
