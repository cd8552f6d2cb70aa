/**
 * Decimal arithmetic by itself: rounding at the last digit, the ends of the range, and what counts as exact.
 */
import { expect, it } from 'vitest'
import {
  add,
  decimal,
  divide,
  multiply,
  power,
  PRECISION,
  subtract,
  wholeNumber,
} from './decimal.ts'
import type { Decimal, DecimalResult } from './decimal.ts'

/** A number from its digits and exponent; a test that asks for more than fits is wrong. */
function number(digits: bigint | number, exponent = 0): Decimal {
  return value(decimal(BigInt(digits), exponent))
}

function value(result: DecimalResult): Decimal {
  if (typeof result === 'string') throw new Error(result)
  return result
}

/** As text, trailing zeros left out, so that equal numbers look equal. */
function shown(result: DecimalResult): string {
  const { digits, exponent } = value(result)
  const text = digits.toString()
  const stripped = text.replace(/0+$/, '')
  return digits === 0n ? '0' : `${stripped}e${exponent + text.length - stripped.length}`
}

const NINES = '9'.repeat(PRECISION)

it('keeps 40 digits and rounds the next half to even', () => {
  const base = 10n ** BigInt(PRECISION - 1)
  const cases: [bigint, bigint][] = [
    [(base + 1n) * 10n + 4n, base + 1n],
    [(base + 1n) * 10n + 6n, base + 2n],
    [(base + 1n) * 10n + 5n, base + 2n],
    [(base + 2n) * 10n + 5n, base + 2n],
    [(base + 2n) * 100n + 51n, base + 3n],
  ]
  for (const [given, kept] of cases) {
    expect(decimal(given, 0)).toMatchObject({ digits: kept, exact: false })
    expect(decimal(-given, 0)).toMatchObject({ digits: -kept, exact: false })
  }
})

it('carries over all digits', () => {
  expect(shown(decimal(BigInt(`${NINES}9`), -41))).toBe('1e0')
})

it('is exact until something is dropped', () => {
  expect(number(BigInt(NINES)).exact).toBe(true)
  expect(number(BigInt(`${NINES}0`)).exact).toBe(true)
  expect(number(BigInt(`${NINES}1`)).exact).toBe(false)
  expect(value(divide(number(1), number(8))).exact).toBe(true)
  expect(value(divide(number(1), number(3))).exact).toBe(false)
  expect(value(power(number(2), number(-3))).exact).toBe(true)
  expect(value(power(number(4), number(5, -1))).exact).toBe(false)
  const third = value(divide(number(1), number(3)))
  for (const operation of [add, subtract, multiply, divide]) {
    expect(value(operation(third, number(1))).exact).toBe(false)
  }
})

it('rounds a quotient by all that is behind it, not by its first digits', () => {
  // Quotients that differ from a tie in the 80th digit: just above one that goes down, just below one that goes up.
  const cases: [bigint, bigint, bigint][] = [
    [
      3101312194809250662921977016138460402106n,
      9636235539530273150582427415760818264227n,
      3218385625887707262236431938066709623419n,
    ],
    [
      6534923344721022487660450399622357862121n,
      9636235539530273150582427415760818264227n,
      6781614374112292737763568061933290376581n,
    ],
  ]
  for (const [a, b, quotient] of cases) {
    expect(shown(divide(number(a), number(b)))).toBe(shown(number(quotient, -PRECISION)))
    expect(shown(divide(number(-a), number(b)))).toBe(shown(number(-quotient, -PRECISION)))
  }
  expect(shown(divide(number(2), number(3)))).toBe(`${'6'.repeat(39)}7e-40`)
  expect(shown(divide(number(-2), number(3)))).toBe(`-${'6'.repeat(39)}7e-40`)
})

it('ends where a JSON number ends', () => {
  expect(decimal(1n, 308)).not.toBe('too-large')
  expect(decimal(1n, 309)).toBe('too-large')
  expect(multiply(number(1, 200), number(1, 109))).toBe('too-large')
  expect(add(number(9, 308), number(9, 308))).toBe('too-large')
  expect(divide(number(1, 300), number(1, -300))).toBe('too-large')
  expect(power(number(10), number(309))).toBe('too-large')
  expect(power(number(10), number(-309))).toMatchObject({ exact: true })
})

it('is zero, and not exact, below the smallest number', () => {
  expect(decimal(1n, -401)).toMatchObject({ digits: 1n })
  expect(decimal(1n, -402)).toMatchObject({ digits: 0n, exact: false })
  expect(power(number(5, -1), number(1, 300))).toMatchObject({ digits: 0n, exact: false })
})

it('takes the nearest base to one to any power in a bounded time', () => {
  const nearest = number(10n ** 39n + 1n, -39)
  expect(power(nearest, number(1, 308))).toBe('too-large')
  expect(power(nearest, number(-1, 308))).toMatchObject({ digits: 0n })
  // (1 + 1e-39) to the power of 1e39 is e, to as many digits as 130 roundings leave.
  expect(shown(power(nearest, number(1, 39)))).toMatch(/^271828182845904523/)
})

it('sees a fraction wherever it is', () => {
  expect(wholeNumber(number(120, -1))).toBe(12n)
  expect(wholeNumber(number(-5, 3))).toBe(-5000n)
  expect(wholeNumber(number(125, -1))).toBeUndefined()
  expect(wholeNumber(number(1, -300))).toBeUndefined()
  expect(wholeNumber(number(0, -300))).toBe(0n)
})
