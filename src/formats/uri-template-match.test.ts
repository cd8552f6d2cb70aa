import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { dice } from '../../test/support/seeded.ts'
import { parseTemplate } from './uri-template.ts'

const match = (template: string, uri: string): unknown => parseTemplate(template).match(uri)

describe('a URI read by a template', () => {
  it.each([
    ['note://{id}', 'note://42', { id: '42' }],
    ['note://{id}', 'note://a%20b%2Fc', { id: 'a b/c' }],
    ['note://{id}', 'note://a,b', { id: 'a,b' }],
    ['note://{id}', 'note://a:b@c!', { id: 'a:b@c!' }],
    ['note://{a}/{b}', 'note://x/y', { a: 'x', b: 'y' }],
    ['file:///{+path}', 'file:///a/b/c.txt', { path: 'a/b/c.txt' }],
    ['{+path}/{name}', 'a/b/c', { path: 'a/b', name: 'c' }],
    ['{a}-{b}', 'x-y-z', { a: 'x-y', b: 'z' }],
    ['{name}{.ext}', 'file.txt', { name: 'file', ext: 'txt' }],
    ['{name}{.ext}', 'file', { name: 'file' }],
    ['www{.dom*}', 'www.example.com', { dom: ['example', 'com'] }],
    ['x{/a,b}', 'x/1', { a: '1' }],
    ['x{/a,b}', 'x/1/2', { a: '1', b: '2' }],
    ['x{/a}{/b}', 'x/1/2', { a: '1', b: '2' }],
    ['x{/a}', 'x', {}],
    ['x{/a}', 'x/', { a: '' }],
    ['x{/p*}', 'x/1/2/3', { p: ['1', '2', '3'] }],
    ['x{/p*}', 'x/1', { p: ['1'] }],
    ['x{/p*}/end', 'x/1/2/end', { p: ['1', '2'] }],
    ['{a,b},{c}', '1,2,3', { a: '1', b: '2', c: '3' }],
    ['{a,b}', '1', { a: '1' }],
    ['{list*}', 'red,green', { list: ['red', 'green'] }],
    ['{list*}', 'red', { list: ['red'] }],
    ['x{;a,b}', 'x;b=2;a=1', { a: '1', b: '2' }],
    ['x{;a}', 'x;a', { a: '' }],
    ['s{?q,limit}', 's?q=x%26y&limit=5', { q: 'x&y', limit: '5' }],
    ['s{?q,limit}', 's?limit=5', { limit: '5' }],
    ['s{?q,limit}', 's?limit=5&q=a', { q: 'a', limit: '5' }],
    ['s{?q}', 's', {}],
    ['s{?q}', 's?q', { q: '' }],
    ['s{?q}', 's?q=/a?b=c', { q: '/a?b=c' }],
    ['s{?q}', 's?q=a+b', { q: 'a+b' }],
    ['s{?tag*}', 's?tag=a&tag=b', { tag: ['a', 'b'] }],
    ['s{?a}{&b}', 's?a=1&b=2', { a: '1', b: '2' }],
    ['s?v=1{&b}', 's?v=1&b=2', { b: '2' }],
    ['{+path}{?q}', 'a/b?q=1', { path: 'a/b', q: '1' }],
    ['{+path}/x{?q}{#f}', 'a/x?q=1#top', { path: 'a', q: '1', f: 'top' }],
    ['x{#f}', 'x#a/b?c#d', { f: 'a/b?c#d' }],
    ['x{#a,b}', 'x#1,2', { a: '1', b: '2' }],
    ['{var:3}', 'abc', { var: 'abc' }],
    ['{/var:1,var}', '/v/value', { var: 'value' }],
    ['{x}-{x}', 'a-a', { x: 'a' }],
    ['日本/{a}', '%E6%97%A5%E6%9C%AC/%E8%AA%9E', { a: '語' }],
    [
      '{__proto__}/{constructor}',
      'a/b',
      Object.fromEntries([
        ['__proto__', 'a'],
        ['constructor', 'b'],
      ]),
    ],
    ['plain', 'plain', {}],
    ['', '', {}],
  ])('%s reads %s [RES-04]', (template, uri, values) => {
    const found = parseTemplate(template).match(uri) ?? { none: '' }
    expect(new Map(Object.entries(found))).toEqual(new Map(Object.entries(values)))
  })

  it.each([
    ['note://{id}', 'note://'],
    ['note://{id}', 'note://a/b'],
    ['note://{id}', 'note://a?b'],
    ['note://{id}', 'note://a#b'],
    ['note://{id}', 'Note://a'],
    ['note://{id}', 'xnote://a'],
    ['note://{id}/end', 'note://a/end/'],
    ['x{/a}', 'x/1/2'],
    ['{a,b}', '1,2,3'],
    ['{+path}', ''],
    ['s{?q}', 's?other=1'],
    ['s{?q}', 's?q=1&other=2'],
    ['s{?q}', 's?'],
    ['s{?q}', 's?q=1&q=2'],
    ['s{?q}', 's?Q=1'],
    ['s{?map*}', 's?a=1'],
    ['x{#a,b}', 'x,2'],
    ['{var:3}', 'abcd'],
    ['{/var:1,var}', '/w/value'],
    ['{x}-{x}', 'a-b'],
    ['{a}', '%zz'],
    ['{a}', '%'],
    ['{a}', '%ff'],
    ['{a}', '%C3'],
    ['plain', 'plainer'],
    ['plain', 'plai'],
    ['', 'x'],
  ])('%s does not read %s [RES-08]', (template, uri) => {
    expect(match(template, uri)).toBeUndefined()
  })

  it('gives an object without a prototype, so that names of a stranger change nothing', () => {
    const found = parseTemplate('{a}').match('x')
    expect(found === undefined ? 'none' : Object.getPrototypeOf(found)).toBeNull()
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
  })

  it('gives a text where no list was asked for, whatever the URI says', () => {
    for (const uri of ['x/a,b', 'x/a%2Cb', 'x/a;b', 'x/a=b&c'])
      expect(match('x/{id}', uri)).toEqual({ id: expect.any(String) })
  })

  it('finds the one way there is, also when the first guess is wrong', () => {
    expect(match('{a}x{+b}', '1x/x/2')).toEqual({ a: '1', b: '/x/2' })
    expect(match('{+a}x{b}', '/1x/x2x3')).toEqual({ a: '/1x/x2', b: '3' })
    expect(match('{a}{+b}', 'a%41')).toEqual({ a: 'a', b: 'A' })
    expect(match('{a}{b}', 'x%F0%9F%A6%80')).toEqual({ a: 'x', b: '🦀' })
    expect(match('{a}1{b}', '%4112')).toEqual({ a: 'A', b: '2' })
    expect(match('{a}aab{b}', 'aaaaab1')).toEqual({ a: 'aaa', b: '1' })
    expect(match('{+a}/b/{c}/b/{+d}', '1/b/2/b/3/b/4/b/5')).toEqual({
      a: '1/b/2/b/3',
      c: '4',
      d: '5',
    })
  })
})

/** All ways to read a URI by spans and literals, tried one after the other: what a match must agree with. */
function canRead(template: string, uri: string): boolean {
  const parts = template.split(/(\{[^}]*\})/).filter((part) => part !== '')
  const from = (index: number, at: number): boolean => {
    const part = parts[index]
    if (part === undefined) return at === uri.length
    if (!part.startsWith('{')) return uri.startsWith(part, at) && from(index + 1, at + part.length)
    for (let end = at + 1; end <= uri.length; end += 1) {
      if (!part.startsWith('{+') && '/?#'.includes(uri.charAt(end - 1))) return false
      if (from(index + 1, end)) return true
    }
    return false
  }
  return from(0, 0)
}

describe('properties', () => {
  it('agrees with trying everything (seed 20260801)', () => {
    const part = fc.constantFrom('{a}', '{+b}', '{c}', '{+d}', '/', 'a', 'ab', 'aab', 'b/')
    const uris = fc.string({ unit: fc.constantFrom('a', 'a', 'b', '/', '?'), maxLength: 14 })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), uris, (parts, uri) => {
        const template = [...new Set(parts)].join('')
        expect(match(template, uri) !== undefined).toBe(canRead(template, uri))
      }),
      { seed: 20_260_801, numRuns: 10_000 },
    )
  })

  const unit = fc.constantFrom('a', 'Z', '0', '-', '~', '_', ' ', 'é', '🦀', '\0', '\n', '"', '{')
  const value = fc.string({ unit, minLength: 1, maxLength: 8 })
  const encoded = fc.string({
    unit: fc.oneof(unit, fc.constantFrom('/', '?', '#', '&', '=', ';', ',', '%', '+', '..', '!')),
    minLength: 1,
    maxLength: 8,
  })
  /** One expression for a variable with this name, and a value that only it can have made. */
  const expression = fc.oneof(
    fc.record({ form: fc.constantFrom('{N}', '{/N}', '{.N}', '{;N}'), value: encoded }),
    fc.record({ form: fc.constantFrom('{+N}'), value }),
    fc.record({
      form: fc.constantFrom('{N*}', '{/N*}', '{;N*}'),
      value: fc.array(
        encoded.filter((text) => !text.includes('.')),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  )

  it('gives back what was put in (seed 20260802)', () => {
    fc.assert(
      fc.property(
        fc.array(expression, { maxLength: 6 }),
        fc.option(fc.record({ q: encoded, r: fc.array(encoded, { minLength: 1 }) }), {
          nil: undefined,
        }),
        (expressions, query) => {
          const text = expressions.map(({ form }, index) => `(${form.replace('N', `v${index}`)})`)
          const template = parseTemplate(`x://h/${text.join('')}{?q,r*}`)
          const values = {
            ...Object.fromEntries(expressions.map((one, index) => [`v${index}`, one.value])),
            ...query,
          }
          expect(template.match(template.expand(values))).toEqual(values)
        },
      ),
      { seed: 20_260_802, numRuns: 3000 },
    )
  })

  it('reads back what it read, written anew (seed 20260803)', () => {
    const parts = fc.constantFrom(
      '{a}',
      '{b}',
      '{/c*}',
      '{?d,e*}',
      '{&f}',
      '{.g}',
      '{;h}',
      '{i,j}',
      '{k*}',
      'x',
      '/',
      '?',
      '&',
      '=',
      '.',
      '%41',
    )
    const units = fc.constantFrom(
      ...Array.from('ax/?#&;.,='),
      '%41',
      '%C3%A9',
      '%',
      '4',
      'd=',
      'e=',
    )
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 8 }),
        fc.string({ unit: units, maxLength: 30 }),
        (chosen, uri) => {
          const template = parseTemplate([...new Set(chosen)].join(''))
          const found = template.match(uri)
          expect(found && template.match(template.expand(found))).toEqual(found)
        },
      ),
      { seed: 20_260_803, numRuns: 10_000 },
    )
  })
})

describe('work', () => {
  /** For eight times the size; square growth would be 64. */
  const LINEAR = 20
  const hostile: readonly (readonly [string, (size: number) => string])[] = [
    ['{/id*}', (size) => `/${','.repeat(size)}`],
    ['{/id*}', (size) => '/a'.repeat(size / 2)],
    ['{/id*}x', (size) => '/a'.repeat(size / 2)],
    ['{a}{b}{c}{d}', (size) => 'a'.repeat(size)],
    ['{a}a{b}a{c}a{d}b', (size) => 'a'.repeat(size)],
    ['{+a}/{+b}/{+c}/{+d}?', (size) => '/'.repeat(size)],
    [`{+a}${'a'.repeat(2000)}b{+c}`, (size) => 'a'.repeat(size)],
    [`{+a}b${'a'.repeat(2000)}{+c}b`, (size) => 'a'.repeat(size)],
    ['s{?q*}', (size) => `s?${'q=1&'.repeat(size / 4)}q`],
    ['s{?q*}', (size) => `s?${'q&'.repeat(size / 2)}z`],
    ['{a:9999}', (size) => 'a'.repeat(size)],
    ['{a}', (size) => '%41'.repeat(size / 3)],
    ['{a}', (size) => `${'%41'.repeat(size / 3)}%`],
    ['{a*}', (size) => ','.repeat(size)],
    ['x{.a*}{;b*}{/c*}', (size) => `x${'.;/'.repeat(size / 3)}`],
  ]

  it.each(hostile)('of %.40s is linear in the URI', (template, uri) => {
    const read = parseTemplate(template)
    const texts = new Map([30_000, 240_000].map((size) => [size, uri(size)]))
    const growth = growthOf((size) => void read.match(texts.get(size) ?? ''), 30_000, 240_000)
    expect(growth).toBeLessThan(LINEAR)
  })

  it('of the largest template is linear too', () => {
    const read = parseTemplate('{+a}a'.repeat(100))
    const growth = growthOf((size) => void read.match('a'.repeat(size)), 5000, 40_000)
    expect(growth).toBeLessThan(LINEAR)
  })

  it('goes up to a million characters, and what is longer is not looked at', () => {
    const read = parseTemplate('{+a}x{b}')
    expect(read.match('x'.repeat(1_000_000))).toEqual({ a: 'x'.repeat(999_998), b: 'x' })
    expect(read.match('x'.repeat(1_000_001))).toBeUndefined()
  })

  it('of 1,000 templates made by chance is linear for URIs made against them (seed 20260804)', () => {
    const luck = dice(20_260_804)
    const operators = ['', '+', '#', '.', '/', ';', '?', '&']
    const pieces = ['/', 'a', ',', 'aa/', '.', '&x=', '%41', '?', 'ab']
    const templates = Array.from({ length: 1000 }, () => {
      const parts = Array.from({ length: luck.between(1, 8) }, (_, index) =>
        luck.chance(0.6)
          ? `{${luck.pick(operators)}v${index}${luck.pick(['', '*', ':5', ',w', ',w*'])}}`
          : luck.pick(pieces),
      )
      return { template: parseTemplate(parts.join('')), parts }
    })
    const uris = templates.map(({ parts }) => {
      const unit = [...pieces, ';v0=', '&v1=1', ',', '/,', '%zz', '#'][luck.between(0, 14)] ?? '/'
      const start = parts.find((part) => !part.startsWith('{')) ?? ''
      return (size: number): string => start + unit.repeat(size / unit.length)
    })
    const growth = growthOf(
      (size) => {
        for (const [index, { template }] of templates.entries())
          template.match(uris[index]?.(size) ?? '')
      },
      1000,
      8000,
    )
    expect(growth).toBeLessThan(LINEAR)
  })
})
