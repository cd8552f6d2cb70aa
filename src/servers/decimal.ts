/**
 * Decimal arithmetic for the calculator: people write decimals, and binary fractions answer 100 - 99.99 with
 * 0.0100000000000051. Numbers keep 40 significant digits, so that every operation costs about the same.
 *
 * It is not a general big-number library: magnitudes end where a JSON number ends, and powers with a broken
 * exponent go through doubles.
 */

/** `digits` times ten to `exponent`. */
export interface Decimal {
  readonly digits: bigint
  readonly exponent: number
  /** False once anything was rounded on the way here. */
  readonly exact: boolean
}

/** A value, or why there is none. */
export type DecimalResult = Decimal | 'too-large' | 'division-by-zero' | 'not-real'

/** Significant digits that an operation keeps. */
export const PRECISION = 40

/** Numbers with more places before the point are too large: a JSON number ends at 1.8e308, which has 309. */
const LARGEST_MAGNITUDE = 309
/** Numbers with more zeros behind the point are zero: the smallest JSON number above zero is 5e-324. */
const SMALLEST_MAGNITUDE = -400
/** Digits kept inside a power, where rounding adds up over the multiplications. */
const POWER_PRECISION = PRECISION + 20

const ZERO: Decimal = { digits: 0n, exponent: 0, exact: true }
const ONE: Decimal = { digits: 1n, exponent: 0, exact: true }

/** Rounds half to even and puts a number in its place: in range, zero, or too large. */
export function decimal(
  digits: bigint,
  exponent: number,
  options: { exact?: boolean; precision?: number } = {},
): Decimal | 'too-large' {
  const { exact = true, precision = PRECISION } = options
  if (digits === 0n) return exact ? ZERO : { ...ZERO, exact }
  const excess = digitCount(digits) - precision
  const rounded = excess > 0 ? dropDigits(digits, excess) : { digits, exact: true }
  const value: Decimal = {
    digits: rounded.digits,
    exponent: excess > 0 ? exponent + excess : exponent,
    exact: exact && rounded.exact,
  }
  const magnitude = magnitudeOf(value)
  if (magnitude > LARGEST_MAGNITUDE) return 'too-large'
  return magnitude < SMALLEST_MAGNITUDE ? { ...ZERO, exact: false } : value
}

export function negate(a: Decimal): Decimal {
  return { ...a, digits: -a.digits }
}

export function add(a: Decimal, b: Decimal): DecimalResult {
  const exponent = Math.min(a.exponent, b.exponent)
  const sum = scaled(a, exponent) + scaled(b, exponent)
  return decimal(sum, exponent, { exact: a.exact && b.exact })
}

export function subtract(a: Decimal, b: Decimal): DecimalResult {
  return add(a, negate(b))
}

export function multiply(a: Decimal, b: Decimal): DecimalResult {
  return decimal(a.digits * b.digits, a.exponent + b.exponent, { exact: a.exact && b.exact })
}

export function divide(a: Decimal, b: Decimal): DecimalResult {
  if (b.digits === 0n) return 'division-by-zero'
  return quotient(a, b, PRECISION)
}

/** What is left when `b` is taken off `a` as often as it fits; has the sign of `a`, as in C and JavaScript. */
export function remainder(a: Decimal, b: Decimal): DecimalResult {
  if (b.digits === 0n) return 'division-by-zero'
  const exponent = Math.min(a.exponent, b.exponent)
  const rest = scaled(a, exponent) % scaled(b, exponent)
  return decimal(rest, exponent, { exact: a.exact && b.exact })
}

/** `a` to the power of `b`. Zero to the power of zero is 1. A broken exponent gives some 15 good digits. */
export function power(a: Decimal, b: Decimal): DecimalResult {
  if (b.digits === 0n) return b.exact ? ONE : { ...ONE, exact: false }
  if (a.digits === 0n) return b.digits < 0n ? 'division-by-zero' : a
  const whole = wholeNumber(b)
  if (whole === undefined) return brokenPower(a, b)
  const exact = a.exact && b.exact
  if (isOne(a)) return { ...ONE, digits: a.digits < 0n && whole % 2n !== 0n ? -1n : 1n, exact }
  // The base is inverted first: a power that is too large would otherwise hide a result that is merely small.
  const base = whole < 0n ? quotient(ONE, a, POWER_PRECISION) : a
  if (base === 'too-large') return base
  const result = raise(base, whole < 0n ? -whole : whole)
  if (result === 'too-large') return result
  return decimal(result.digits, result.exponent, { exact: exact && result.exact })
}

/** The nearest double. */
export function toNumber(a: Decimal): number {
  return Number(`${a.digits}e${a.exponent}`)
}

/** The number as a whole number, or undefined when it has a fraction. */
export function wholeNumber(a: Decimal): bigint | undefined {
  if (a.exponent >= 0) return a.digits * 10n ** BigInt(a.exponent)
  // A multiple of ten to n has n zeros at its end, so more places than digits always leave a fraction.
  if (-a.exponent >= digitCount(a.digits)) return a.digits === 0n ? 0n : undefined
  const unit = 10n ** BigInt(-a.exponent)
  return a.digits % unit === 0n ? a.digits / unit : undefined
}

/** Count of decimal digits, the sign left out. */
export function digitCount(digits: bigint): number {
  return (digits < 0n ? -digits : digits).toString().length
}

/** Places before the point, or minus the zeros behind it: 12 has 2, 1 has 1, 0.5 has 0, 0.05 has -1. */
function magnitudeOf(a: Decimal): number {
  return digitCount(a.digits) + a.exponent
}

/** The digits of `a` when its exponent is `exponent`, which is not above its own. */
function scaled(a: Decimal, exponent: number): bigint {
  return a.digits === 0n ? 0n : a.digits * 10n ** BigInt(a.exponent - exponent)
}

/** Takes `count` digits off the end, rounding half to even. */
function dropDigits(digits: bigint, count: number): { digits: bigint; exact: boolean } {
  const unit = 10n ** BigInt(count)
  const kept = digits / unit
  const rest = digits % unit
  const twice = (rest < 0n ? -rest : rest) * 2n
  const away = twice > unit || (twice === unit && kept % 2n !== 0n)
  const step = digits < 0n ? -1n : 1n
  return { digits: away ? kept + step : kept, exact: rest === 0n }
}

function quotient(a: Decimal, b: Decimal, precision: number): Decimal | 'too-large' {
  const shift = Math.max(0, precision + 2 + digitCount(b.digits) - digitCount(a.digits))
  const dividend = a.digits * 10n ** BigInt(shift)
  const found = dividend / b.digits
  const rest = dividend % b.digits
  // A last digit that is never zero keeps a tie apart from what only looks like one.
  const negative = dividend < 0n !== b.digits < 0n
  const sticky = rest === 0n ? 0n : negative ? -1n : 1n
  return decimal(found * 10n + sticky, a.exponent - b.exponent - shift - 1, {
    exact: a.exact && b.exact && rest === 0n,
    precision,
  })
}

/**
 * Square and multiply. However large the exponent is, some 150 squarings take every base but 1 out of range: one that
 * is nearest to 1 differs in its 40th digit.
 */
function raise(a: Decimal, exponent: bigint): Decimal | 'too-large' {
  let result: Decimal = ONE
  let square = a
  for (let left = exponent; ;) {
    if (left % 2n !== 0n) {
      const product = times(result, square)
      if (product === 'too-large') return product
      result = product
    }
    left /= 2n
    if (left === 0n) return result
    const next = times(square, square)
    // A zero stays one, and a bit that is left always multiplies by it.
    if (next === 'too-large' || next.digits === 0n) return next
    square = next
  }
}

function times(a: Decimal, b: Decimal): Decimal | 'too-large' {
  return decimal(a.digits * b.digits, a.exponent + b.exponent, {
    exact: a.exact && b.exact,
    precision: POWER_PRECISION,
  })
}

function brokenPower(a: Decimal, b: Decimal): DecimalResult {
  if (a.digits < 0n) return 'not-real'
  const found = toNumber(a) ** toNumber(b)
  if (!Number.isFinite(found)) return 'too-large'
  const [mantissa = '0', exponent = '0'] = found.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return decimal(BigInt(whole + fraction), Number(exponent) - fraction.length, { exact: false })
}

function isOne(a: Decimal): boolean {
  const whole = wholeNumber(a)
  return whole === 1n || whole === -1n
}
