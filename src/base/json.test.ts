import { describe, expect, it } from 'vitest'
import { canonicalJson, exceedsDepth, isJsonObject } from './json.ts'

const nested = (depth: number, open = '[', close = ']'): string =>
  open.repeat(depth) + close.repeat(depth)

describe('the depth of JSON text', () => {
  it.each([1, 100, 127, 128])('lets %i levels pass when 128 are allowed', (depth) => {
    expect(exceedsDepth(nested(depth), 128)).toBe(false)
  })

  it.each([129, 10_000, 1_000_000])('refuses %i levels when 128 are allowed', (depth) => {
    expect(exceedsDepth(nested(depth), 128)).toBe(true)
    expect(exceedsDepth(nested(depth, '{"a":[', ']}'), 128)).toBe(true)
  })

  it('counts objects and arrays alike', () => {
    expect(exceedsDepth(`${'{"a":['.repeat(64)}1${']}'.repeat(64)}`, 128)).toBe(false)
    expect(exceedsDepth(`${'{"a":['.repeat(65)}1${']}'.repeat(65)}`, 128)).toBe(true)
  })

  it('does not count brackets inside strings, whatever is escaped there', () => {
    const brackets = '['.repeat(500)
    for (const inside of [brackets, `\\"${brackets}`, `${brackets}\\\\`, `\\\\\\"${brackets}`]) {
      expect(exceedsDepth(`{"a":"${inside}","b":[1]}`, 128)).toBe(false)
      expect(() => JSON.parse(`{"a":"${inside}"}`)).not.toThrow()
    }
  })

  it('counts what follows a string that ends in escaped backslashes', () => {
    expect(exceedsDepth(`["\\\\\\\\",${nested(200)}]`, 128)).toBe(true)
  })

  it('counts siblings once', () => {
    expect(exceedsDepth(`[${Array(1000).fill('[[]]').join(',')}]`, 3)).toBe(false)
  })

  it('ends at once on a string that never ends', () => {
    expect(exceedsDepth(`"${'['.repeat(1000)}`, 128)).toBe(false)
  })
})

describe('canonical JSON', () => {
  it('is the same whatever the order of the keys', () => {
    expect(canonicalJson({ b: [1, { d: 1, c: null }], a: 'x' })).toBe(
      '{"a":"x","b":[1,{"c":null,"d":1}]}',
    )
  })

  it('leaves out members that are undefined, and only those', () => {
    expect(canonicalJson({ a: undefined, b: null, c: false, d: 0, e: '' })).toBe(
      '{"b":null,"c":false,"d":0,"e":""}',
    )
  })

  it('keeps the order of arrays and escapes keys', () => {
    expect(canonicalJson([3, 1, { '"': 2 }])).toBe('[3,1,{"\\"":2}]')
  })
})

it('takes neither null nor an array for an object', () => {
  expect([{}, [], null, 'x', 1].map(isJsonObject)).toEqual([true, false, false, false, false])
})
