import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../base/errors.ts'
import { evaluate, MAX_EXPRESSION_LENGTH, MAX_NESTING } from './arithmetic.ts'

const SEED = 20261201

function textOf(expression: string): string {
  return evaluate(expression).text
}

function complaint(expression: string): string {
  try {
    evaluate(expression)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return error instanceof Error ? error.message : ''
  }
  return expect.fail(`no complaint about ${expression.slice(0, 40)}`)
}

/** Runs `cases` of [expression, text of the result]. */
function answers(cases: readonly (readonly [string, string])[]): void {
  expect(cases.map(([expression]) => [expression, textOf(expression)])).toEqual(cases)
}

function complains(cases: readonly (readonly [string, string])[]): void {
  expect(cases.map(([expression]) => [expression, complaint(expression)])).toEqual(cases)
}

describe('what an expression means', () => {
  it('answers 23*7 with the number alone', () => {
    expect(evaluate('23*7')).toMatchObject({ value: 161, text: '161' })
  })

  it('binds products before sums and works from left to right', () => {
    answers([
      ['1+2*3', '7'],
      ['10-4-3', '3'],
      ['100/10/5', '2'],
      ['(1+2)*3', '9'],
      ['2*3%4', '2'],
      ['7-2*3+10/4', '3.5'],
    ])
  })

  it('reads powers from the right and binds a sign less than a power', () => {
    answers([
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
    ])
  })

  it('gives a remainder the sign of the dividend', () => {
    answers([
      ['7%3', '1'],
      ['-7%3', '-1'],
      ['7%-3', '1'],
      ['5.5%2', '1.5'],
      ['1%0.1', '0'],
      ['1e300%7', String(Number(10n ** 300n % 7n))],
    ])
  })

  it('reads decimals, exponents and blanks', () => {
    answers([
      ['.5+5.', '5.5'],
      ['1e3', '1000'],
      ['1.5E-3', '0.0015'],
      ['2e+2', '200'],
      [' \t1 \n+\u3000 2\u00a0', '3'],
      ['007', '7'],
    ])
  })

  it('reads full-width characters and the signs of a Chinese keyboard', () => {
    answers([
      ['２３×７', '161'],
      ['（１＋２）＊３', '9'],
      ['１０÷４', '2.5'],
      ['５−７', '-2'],
      ['２＾３％５', '3'],
      ['１．５－０．５', '1'],
      ['１ｅ３／１０', '100'],
    ])
  })

  it('raises to broken exponents and to the edges of zero and one', () => {
    answers([
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
    ])
  })
})

describe('how a result is written', () => {
  it('keeps decimals what people wrote', () => {
    answers([
      ['0.1+0.2', '0.3'],
      ['0.1+0.2-0.3', '0'],
      ['100-99.99', '0.01'],
      ['1.1*1.1', '1.21'],
      ['4.35*100', '435'],
      ['1/3*3', '1'],
      ['1/3', '0.333333333333333'],
      ['-2/3', '-0.666666666666667'],
      ['1e-7', '1e-7'],
    ])
  })

  it('never answers with a negative zero', () => {
    expect(Object.is(evaluate('-0').value, 0)).toBe(true)
    expect(Object.is(evaluate('0*-5').value, 0)).toBe(true)
  })

  it('keeps whole numbers exact up to 2^53', () => {
    answers([
      ['2^53', '9007199254740992'],
      ['9007199254740991', '9007199254740991'],
      ['-(2^53)', '-9007199254740992'],
      ['9007199254740993-2', '9007199254740991'],
    ])
  })

  it('writes larger whole numbers in full and says that the value is the nearest double', () => {
    const note = '(above 2^53: the structured value is the nearest double)'
    answers([
      ['2^64', `18446744073709551616 ${note}`],
      ['2^53+1', `9007199254740993 ${note}`],
      ['1e300', `1e+300 ${note}`],
    ])
    expect(evaluate('2^64').value).toBe(2 ** 64)
  })

  it('says when a large number was rounded', () => {
    expect(textOf('1e20/3')).toBe('33333333333333300000 (rounded to 15 significant digits)')
    expect(textOf('10^18.5')).toBe('3162277660168380000 (rounded to 15 significant digits)')
  })
})

describe('what cannot be worked out', () => {
  it('asks for an expression when there is none', () => {
    complains([
      ['', 'The expression is empty. Write one, for example 23*7.'],
      [' \u3000\n', 'The expression is empty. Write one, for example 23*7.'],
    ])
  })

  it('names what is unexpected, where, and what was expected', () => {
    complains([
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
    ])
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
    complains([
      ['1/0', 'Division by zero at position 2.'],
      ['5%(2-2)', 'Division by zero at position 2.'],
      ['1+0^-1', 'Division by zero at position 4.'],
      ['0^-0.5', 'Division by zero at position 2.'],
    ])
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
    const started = performance.now()
    expect(complaint('9^9^9^9')).toContain('too large')
    expect(complaint('9^'.repeat(4_999) + '9')).toContain('too large')
    expect(performance.now() - started).toBeLessThan(500)
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

  it('answers the longest texts of the dearest operations, all six within two seconds', () => {
    const started = performance.now()
    const dear = [
      '1.1^999+',
      '1.000000001^9999999999+',
      '7^0.3+',
      '1/3+',
      '1e300%7e-40+',
      '(-1)^1e308+',
    ]
    for (const part of dear) {
      evaluate(`${part.repeat(Math.floor((MAX_EXPRESSION_LENGTH - 1) / part.length))}1`)
    }
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

/** An exact fraction, the oracle. */
interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

interface Tree {
  readonly text: string
  /** Undefined where the exact answer has no value or is beyond what the calculator promises. */
  readonly exact: Fraction | undefined
}

const leaf: fc.Arbitrary<Tree> = fc
  .tuple(fc.integer({ min: 0, max: 9_999 }), fc.integer({ min: 0, max: 4 }))
  .map(([digits, places]) => {
    const text = digits.toString().padStart(places + 1, '0')
    const cut = text.length - places
    return {
      text: places === 0 ? text : `${text.slice(0, cut)}.${text.slice(cut)}`,
      exact: { over: BigInt(digits), under: 10n ** BigInt(places) },
    }
  })

/** Writes each operation in parentheses, so that the oracle needs no precedence. */
const tree: fc.Arbitrary<Tree> = fc.letrec<{ node: Tree }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'tree' },
    leaf,
    fc
      .tuple(fc.constantFrom('+', '-', '*', '/', '%'), tie('node'), tie('node'))
      .map(([sign, left, right]) => combined(sign, left, right)),
    tie('node').map((inner) => ({
      text: `(-${inner.text})`,
      exact: inner.exact && { over: -inner.exact.over, under: inner.exact.under },
    })),
    fc.tuple(tie('node'), fc.integer({ min: -3, max: 4 })).map(([base, exponent]) => ({
      text: `((${base.text})^${exponent})`,
      exact: base.exact && raised(base.exact, exponent),
    })),
  ),
})).node

function combined(sign: string, left: Tree, right: Tree): Tree {
  const text = `(${left.text} ${sign} ${right.text})`
  return { text, exact: left.exact && right.exact && operate(sign, left.exact, right.exact) }
}

function operate(sign: string, a: Fraction, b: Fraction): Fraction | undefined {
  if (sign === '*') return { over: a.over * b.over, under: a.under * b.under }
  if (sign === '/') {
    if (b.over === 0n) return undefined
    const turn = b.over < 0n ? -1n : 1n
    return { over: a.over * b.under * turn, under: a.under * b.over * turn }
  }
  const left = a.over * b.under
  const right = b.over * a.under
  const under = a.under * b.under
  if (sign === '%') return right === 0n ? undefined : { over: left % right, under }
  return { over: sign === '+' ? left + right : left - right, under }
}

function raised(base: Fraction, exponent: number): Fraction | undefined {
  if (exponent >= 0) {
    return { over: base.over ** BigInt(exponent), under: base.under ** BigInt(exponent) }
  }
  if (base.over === 0n) return undefined
  const over = base.under ** BigInt(-exponent)
  const under = base.over ** BigInt(-exponent)
  return under < 0n ? { over: -over, under: -under } : { over, under }
}

/** The double nearest to an exact fraction, to 17 digits. */
function near(fraction: Fraction): number {
  const negative = fraction.over < 0n
  const over = negative ? -fraction.over : fraction.over
  const shift = 30 + fraction.under.toString().length
  const digits = (over * 10n ** BigInt(shift)) / fraction.under
  return Number(`${negative ? '-' : ''}${digits}e-${shift}`)
}

describe('against exact fractions', () => {
  it(`agrees with the oracle on generated expressions (seed ${SEED})`, () => {
    let compared = 0
    fc.assert(
      fc.property(
        tree.filter(
          (made) =>
            made.text.length < 2_000 && made.exact !== undefined && !made.text.includes('%'),
        ),
        (made) => {
          if (made.exact === undefined) return
          const expected = near(made.exact)
          if (!Number.isFinite(expected) || Math.abs(expected) > 1e300) return
          const { value } = evaluate(made.text)
          compared += 1
          // A difference of nearly equal parts may lose digits; below this everything is noise of 40 digits.
          const tolerance = Math.max(1e-14 * Math.abs(expected), 1e-18)
          expect(Math.abs(value - expected)).toBeLessThanOrEqual(tolerance)
        },
      ),
      { seed: SEED, numRuns: 3_000 },
    )
    expect(compared).toBeGreaterThan(2_000)
  })

  it(`agrees on sums, differences and remainders of decimals to the last digit (seed ${SEED})`, () => {
    fc.assert(
      fc.property(leaf, leaf, leaf, fc.constantFrom('+', '-', '%'), (a, b, c, sign) => {
        const made = combined('+', combined(sign, a, b), c)
        if (made.exact === undefined) return
        expect(evaluate(made.text).value).toBe(Number(near(made.exact).toPrecision(15)))
      }),
      { seed: SEED, numRuns: 2_000 },
    )
  })

  it(`reads precedence as JavaScript does where the languages share it (seed ${SEED})`, () => {
    const factor = fc.integer({ min: 1, max: 9 }).map(String)
    const chain = fc.array(fc.tuple(fc.constantFrom('+', '-', '*', '^'), factor), { maxLength: 8 })
    fc.assert(
      fc.property(factor, chain, (first, rest) => {
        const parts = [first, ...rest.flatMap(([sign, number]) => [sign, number])]
        const powers = parts.filter((part) => part === '^').length
        if (powers > 1) return
        const expected = sumOf(parts)
        expect(evaluate(parts.join('')).value).toBe(expected)
      }),
      { seed: SEED, numRuns: 2_000 },
    )
  })

  it(`answers or complains about any text whatever, and never with another error (seed ${SEED})`, () => {
    const soup = fc.array(fc.constantFrom(...'0123456789.eE+-*/%^() ×÷（）x'), { maxLength: 60 })
    const texts = fc.oneof(
      soup.map((characters) => characters.join('')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        try {
          expect(Number.isFinite(evaluate(text).value)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError)
        }
      }),
      { seed: SEED, numRuns: 5_000 },
    )
  })
})

/** Works a flat chain out by splitting it at the weakest sign, right to left. */
function sumOf(parts: readonly string[]): number {
  for (const signs of [['+', '-'], ['*'], ['^']]) {
    for (let at = parts.length - 1; at > 0; at -= 1) {
      const sign = parts[at] ?? ''
      if (!signs.includes(sign)) continue
      const left = sumOf(parts.slice(0, at))
      const right = sumOf(parts.slice(at + 1))
      if (sign === '+') return left + right
      if (sign === '-') return left - right
      return sign === '*' ? left * right : left ** right
    }
  }
  return Number(parts[0])
}
