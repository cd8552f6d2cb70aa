import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { decodeHeaderValue, encodeHeaderValue, isToken, trimBlanks } from './header-value.ts'

const wrapped = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`

describe('a written value', () => {
  it.each([
    '',
    'get_weather',
    'a b',
    '~!@#$%^&*()',
    '=?base64?',
    '?=',
    '=?BASE64?YQ==?=',
    '{"a":1}',
  ])('%j stays as it is [HTTP-60]', (value) => {
    expect(encodeHeaderValue(value)).toBe(value)
  })

  it.each([
    'é',
    '日本語',
    '🦀',
    ' a',
    'a ',
    ' ',
    '\ta',
    'a\tb',
    'a\nb',
    'a\r\nX-Evil: 1',
    'a\0',
    '\x7f',
    '\u00a0',
  ])('%j is wrapped in Base64 of its UTF-8 [HTTP-60]', (value) => {
    expect(encodeHeaderValue(value)).toBe(wrapped(value))
  })

  it.each(['=?base64??=', '=?base64?YQ==?=', '=?base64?no base64?=', '=?base64?=?base64?x?=?='])(
    '%j, which looks wrapped, is wrapped once more [HTTP-61]',
    (value) => {
      expect(encodeHeaderValue(value)).toBe(wrapped(value))
      expect(decodeHeaderValue(wrapped(value))).toBe(value)
    },
  )
})

describe('a value that came', () => {
  it.each([
    ['=?base64?5pel5pys?=', '日本'],
    ['=?base64??=', ''],
    ['=?base64?YSBi?=', 'a b'],
    ['=?base64?CWE=?=', '\ta'],
    ['  =?base64?YQ==?=\t', 'a'],
    ['=?base64?77u/YQ==?=', '\uFEFFa'],
  ])('%j says %j [HTTP-62]', (value, words) => {
    expect(decodeHeaderValue(value)).toBe(words)
  })

  it.each([
    '=?BASE64?YQ==?=',
    '=?Base64?YQ==?=',
    '=?base64?YQ==',
    'YQ==?=',
    '=?base64?=',
    '?base64?YQ==?=',
    'x=?base64?YQ==?=',
    '=?utf-8?b?YQ==?=',
  ])('%j is literal, for it lacks a mark [HTTP-62]', (value) => {
    expect(decodeHeaderValue(value)).toBe(value)
  })

  it.each([
    '=?base64?YQ?=',
    '=?base64?YQ=?=',
    '=?base64?Y===?=',
    '=?base64?YQ==YQ==?=',
    '=?base64?Y-_=?=',
    '=?base64? YQ==?=',
    '=?base64?/w==?=',
    '=?base64?4oI=?=',
    '=?base64?7aCA?=',
  ])('%j cannot be read: bad Base64, or no UTF-8 in it [HTTP-63]', (value) => {
    expect(decodeHeaderValue(value)).toBeUndefined()
  })

  it.each(['é', 'a\u00a0b', 'a\0b', 'a\x7f', 'a\nb', '\u0100'])(
    '%j cannot be read: it had to be wrapped [HTTP-72]',
    (value) => {
      expect(decodeHeaderValue(value)).toBeUndefined()
    },
  )

  it('loses the blanks around it and no others', () => {
    expect(decodeHeaderValue(' \t a \t b\t ')).toBe('a \t b')
    expect(trimBlanks('\u00a0a\n')).toBe('\u00a0a\n')
    expect(trimBlanks(' \t ')).toBe('')
  })
})

it('is read as what was written, for all words (seed 20260806)', () => {
  const words = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('=', '?', 'base64', ' ', '\t', 'a', 'é', '\r\n') }),
  )
  fc.assert(
    fc.property(words, (text) => {
      const value = encodeHeaderValue(text)
      expect(value).toMatch(/^(?:[!-~](?:[ -~]*[!-~])?)?$/)
      expect(decodeHeaderValue(value)).toBe(text)
    }),
    { seed: 20_260_806, numRuns: 3000 },
  )
})

describe('the name of a header', () => {
  it.each(['a', 'X-Y', "!#$%&'*+-.^_`|~", '0'])('may be %j', (text) => {
    expect(isToken(text)).toBe(true)
  })

  it.each(['', ' ', 'a b', 'a:', 'a/b', 'a\n', 'a\0', 'é', '\u212A', '(', '"', '{', '@', '\x7f'])(
    'may not be %j [HTTP-65]',
    (text) => {
      expect(isToken(text)).toBe(false)
    },
  )
})

it.each(['=?base64?', 'A', ' ', '\t', 'é', '?='])(
  'takes linear time for nothing but %j',
  (unit) => {
    const growth = growthOf(
      (size) => {
        const text = unit.repeat(size)
        decodeHeaderValue(`=?base64?${text}?=`)
        decodeHeaderValue(`a${text}`)
        encodeHeaderValue(text)
      },
      10_000,
      80_000,
    )
    expect(growth).toBeLessThan(24)
  },
)
