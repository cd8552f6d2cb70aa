/**
 * What an expression means, how its result is written, what is refused, and that work stays bounded.
 */
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { UsageError } from '../base/errors.ts'
import { evaluate, MAX_EXPRESSION_LENGTH, MAX_NESTING } from './arithmetic.ts'

function textOf(expression: string): string {
  return evaluate(expression).text
}

/** The message of the `UsageError` that an expression gives. */
function complaint(expression: string): string {
  try {
    return `no complaint, but ${evaluate(expression).text}`
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

/** Pairs of an expression and the text that answers it, or the complaint about it. */
type Cases = readonly (readonly [string, string])[]

function answered(cases: Cases): Cases {
  return cases.map(([expression]) => [expression, textOf(expression)])
}

function complained(cases: Cases): Cases {
  return cases.map(([expression]) => [expression, complaint(expression)])
}

describe('what an expression means', () => {
  it('answers 23*7 with the number alone', () => {
    expect(evaluate('23*7')).toMatchObject({ value: 161, text: '161' })
  })

  it('binds products before sums and works from left to right', () => {
    const cases: Cases = [
      ['1+2*3', '7'],
      ['10-4-3', '3'],
      ['100/10/5', '2'],
      ['(1+2)*3', '9'],
      ['2*3%4', '2'],
      ['7-2*3+10/4', '3.5'],
    ]
    expect(answered(cases)).toEqual(cases)
  })

  it('reads powers from the right and binds a sign less than a power', () => {
    const cases: Cases = [
      ['2^3^2', '512'],
      ['-2^2', '-4'],
      ['(-2)^2', '4'],
      ['2^-2', '0.25'],
      ['2^-2^2', '0.0625'],
      ['-2^-2', '-0.25'],
      ['2*-3', '-6'],
      ['--3', '3'],
      ['3-+-+2', '5'],
      ['-(2+3)^2', '-25'],
    ]
    expect(answered(cases)).toEqual(cases)
  })

  it('gives a remainder the sign of the dividend', () => {
    const cases: Cases = [
      ['7%3', '1'],
      ['-7%3', '-1'],
      ['7%-3', '1'],
      ['5.5%2', '1.5'],
      ['1%0.1', '0'],
      ['1e300%7', String(Number(10n ** 300n % 7n))],
    ]
    expect(answered(cases)).toEqual(cases)
  })

  it('reads decimals, exponents and blanks', () => {
    const cases: Cases = [
      ['.5+5.', '5.5'],
      ['1e3', '1000'],
      ['1.5E-3', '0.0015'],
      ['2e+2', '200'],
      [' \t1 \n+\u3000 2\u00a0', '3'],
      ['007', '7'],
    ]
    expect(answered(cases)).toEqual(cases)
  })

  it('reads full-width characters and the signs of a Chinese keyboard', () => {
    const cases: Cases = [
      ['２３×７', '161'],
      ['（１＋２）＊３', '9'],
      ['１０÷４', '2.5'],
      ['５−７', '-2'],
      ['２＾３％５', '3'],
      ['１．５－０．５', '1'],
      ['１ｅ３／１０', '100'],
    ]
    expect(answered(cases)).toEqual(cases)
  })

  it('raises to broken exponents and to the edges of zero and one', () => {
    const cases: Cases = [
      ['9^0.5', '3'],
      ['2^0.5*2^0.5', '2'],
      ['0^0', '1'],
      ['0^5', '0'],
      ['0^0.5', '0'],
      ['(-1)^1e300', '1'],
      ['(-1)^(1e30+1)', '-1'],
      ['(-2)^3', '-8'],
      ['0.5^1e300', '0'],
      ['1.0000001^10000000', '2.71828169254497'],
      ['10^-350*10^300', '1e-50'],
    ]
    expect(answered(cases)).toEqual(cases)
  })
})

describe('how a result is written', () => {
  it('keeps decimals what people wrote', () => {
    const cases: Cases = [
      ['0.1+0.2', '0.3'],
      ['0.1+0.2-0.3', '0'],
      ['100-99.99', '0.01'],
      ['1.1*1.1', '1.21'],
      ['4.35*100', '435'],
      ['1/3*3', '1'],
      ['1/3', '0.333333333333333'],
      ['-2/3', '-0.666666666666667'],
      ['1e-7', '1e-7'],
    ]
    expect(answered(cases)).toEqual(cases)
  })

  it('never answers with a negative zero', () => {
    expect(Object.is(evaluate('-0').value, 0)).toBe(true)
    expect(Object.is(evaluate('0*-5').value, 0)).toBe(true)
  })

  it('keeps whole numbers exact up to 2^53', () => {
    const cases: Cases = [
      ['2^53', '9007199254740992'],
      ['9007199254740991', '9007199254740991'],
      ['-(2^53)', '-9007199254740992'],
      ['9007199254740993-2', '9007199254740991'],
    ]
    expect(answered(cases)).toEqual(cases)
  })

  it('writes larger whole numbers in full and says that the value is the nearest double', () => {
    const note = '(above 2^53: the structured value is the nearest double)'
    const cases: Cases = [
      ['2^64', `18446744073709551616 ${note}`],
      ['2^53+1', `9007199254740993 ${note}`],
      ['1e300', `1e+300 ${note}`],
    ]
    expect(answered(cases)).toEqual(cases)
    expect(evaluate('2^64').value).toBe(2 ** 64)
  })

  it('says when a large number was rounded', () => {
    expect(textOf('1e20/3')).toBe('33333333333333300000 (rounded to 15 significant digits)')
    expect(textOf('10^18.5')).toBe('3162277660168380000 (rounded to 15 significant digits)')
  })
})

describe('what cannot be worked out', () => {
  it('asks for an expression when there is none', () => {
    const cases: Cases = [
      ['', 'The expression is empty. Write one, for example 23*7.'],
      [' \u3000\n', 'The expression is empty. Write one, for example 23*7.'],
    ]
    expect(complained(cases)).toEqual(cases)
  })

  it('names what is unexpected, where, and what was expected', () => {
    const cases: Cases = [
      ['2+x', 'Unexpected "x" at position 3: expected a number or "(".'],
      ['2 3', 'Unexpected "3" at position 3: expected an operator or the end.'],
      ['2+', 'Unexpected end at position 3: expected a number or "(".'],
      ['1)', 'Unexpected ")" at position 2: expected an operator or the end.'],
      [
        '(1+2',
        'Unexpected end at position 5: expected an operator or ")" for the "(" at position 1.',
      ],
      ['(1;2)', 'Unexpected ";" at position 3: expected an operator or ")".'],
      ['.', 'Unexpected end at position 2: expected digits around the decimal point.'],
      ['1e', 'Unexpected end at position 3: expected the digits of an exponent.'],
      ['1e+x', 'Unexpected "x" at position 4: expected the digits of an exponent.'],
      ['1.2.3', 'Unexpected "." at position 4: expected an operator or the end.'],
      ['你好', 'Unexpected "你" at position 1: expected a number or "(".'],
    ]
    expect(complained(cases)).toEqual(cases)
  })

  it('counts characters, not UTF-16 units', () => {
    expect(complaint('1+😀')).toBe('Unexpected "😀" at position 3: expected a number or "(".')
    expect(complaint('😀')).toContain('position 1')
  })

  it('names characters that cannot be seen by their code point', () => {
    expect(complaint('1+\u202e2')).toContain('Unexpected character U+202E at position 3')
    expect(complaint('1+\u001b[31m')).toContain('Unexpected character U+001B at position 3')
    expect(complaint('1+\ud800')).toContain('Unexpected character U+D800 at position 3')
  })

  it('helps with common habits', () => {
    expect(complaint('2**3')).toContain('Write ^ for a power')
    expect(complaint('1,234')).toContain('without separators')
    expect(complaint('１，２３４')).toContain('without separators')
    expect(complaint('23*7=')).toContain('Leave the "=" out')
    expect(complaint('2(3)')).toContain('Write * for a product')
    expect(complaint('50%')).toContain('write 50/100 for a percentage')
  })

  it('says where a division by zero stands', () => {
    const cases: Cases = [
      ['1/0', 'Division by zero at position 2.'],
      ['5%(2-2)', 'Division by zero at position 2.'],
      ['1+0^-1', 'Division by zero at position 4.'],
      ['0^-0.5', 'Division by zero at position 2.'],
    ]
    expect(complained(cases)).toEqual(cases)
  })

  it('has no real value for a root of a negative number', () => {
    expect(complaint('(-8)^0.5')).toContain('position 5 has no real value')
  })

  it('never answers with infinity', () => {
    const end = 'too large: numbers end at about 1.8e308.'
    for (const expression of [
      '1e309',
      '1e999999999999999999',
      '1e308*10',
      '1e200^2',
      '9e308',
      '1.8e308',
    ]) {
      expect(complaint(expression)).toContain(end)
    }
    expect(evaluate('1.7976931348623157e308').value).toBe(Number.MAX_VALUE)
    expect(textOf('1e-999999999999999999')).toBe('0')
  })

  it('treats names of the language it is written in as unknown characters', () => {
    for (const expression of [
      '__proto__',
      'constructor',
      'process.exit()',
      'toString',
      '1;2',
      '`1`',
    ]) {
      expect(complaint(expression)).toContain('Unexpected')
    }
  })
})

describe('work stays bounded', () => {
  it('refuses towers of powers at once', () => {
    expect(complaint('9^9^9^9')).toContain('too large')
    expect(complaint('9^'.repeat(4_999) + '9')).toContain('too large')
    const work = (size: number): void => void complaint(`${'9^'.repeat(size)}9`)
    expect(growthOf(work, 490, 4_900)).toBeLessThan(40) // Linear is 10; what the tower means has no end.
  })

  it('refuses 100 kB of input without reading it', () => {
    expect(complaint('1+'.repeat(50_000) + '1')).toBe(
      'The expression has 100001 characters, 10000 are allowed. Split it.',
    )
  })

  it('refuses 10,000 parentheses, and the first one over the bound', () => {
    expect(complaint('('.repeat(10_000))).toContain(`More than ${MAX_NESTING} parentheses are open`)
    const nested = (depth: number): string => `${'('.repeat(depth)}1${')'.repeat(depth)}`
    expect(complaint(nested(10_000))).toContain('10000 are allowed')
    expect(complaint(nested(MAX_NESTING + 1))).toContain(`at position ${MAX_NESTING + 1}`)
    expect(textOf(nested(MAX_NESTING))).toBe('1')
  })

  it('reads chains of any kind up to the longest text without deep recursion', () => {
    const half = MAX_EXPRESSION_LENGTH / 2 - 1
    expect(textOf('1+'.repeat(half) + '1')).toBe(String(half + 1))
    expect(textOf('1^'.repeat(half) + '1')).toBe('1')
    expect(textOf('-'.repeat(MAX_EXPRESSION_LENGTH - 1) + '1')).toBe('-1')
    expect(textOf(`0.${'9'.repeat(MAX_EXPRESSION_LENGTH - 2)}`)).toBe('1')
    expect(complaint('9'.repeat(MAX_EXPRESSION_LENGTH))).toContain('too large')
  })

  it('takes steps in proportion to the length of the text', () => {
    const shapes = ['1+', '1^', '-', '2*', '1/3-', '(1)+', '1.5e1%', ' ']
    for (const shape of shapes) {
      const steps = [500, 1_000].map((count) => evaluate(`${shape.repeat(count)}1`).steps)
      const [once = 0, twice = 0] = steps
      expect(twice / once).toBeLessThan(2.01)
      expect(twice).toBeLessThanOrEqual(2 * (shape.length * 1_000 + 1))
    }
  })

  it('takes time in proportion to the length of the text, also for the dearest operations', () => {
    const dear = [
      '1.1^999+',
      '1.000000001^9999999999+',
      '7^0.3+',
      '1/3+',
      '1e300%7e-40+',
      '(-1)^1e308+',
    ]
    for (const part of dear) {
      const work = (length: number): void => {
        evaluate(`${part.repeat(Math.floor((length - 1) / part.length))}1`)
      }
      // Linear is 10, square is 100.
      expect(growthOf(work, MAX_EXPRESSION_LENGTH / 10, MAX_EXPRESSION_LENGTH), part).toBeLessThan(
        40,
      )
    }
  })
})
