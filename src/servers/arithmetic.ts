/**
 * Reads and works out an arithmetic expression: `+ - * / % ^`, signs, parentheses, decimals, `1e3`, blanks,
 * also in full-width characters and with `×`, `÷` and `−`. No names, no functions, and never `eval`.
 *
 * Work is linear in the length of the text, which is bounded; nesting is bounded too. The numbers are those
 * of `decimal.ts`, so 0.1+0.2 is 0.3 and whole numbers stay exact to 40 digits.
 */

import { UsageError } from '../base/errors.ts'
import {
  add,
  decimal,
  digitCount,
  divide,
  multiply,
  negate,
  PRECISION,
  power,
  remainder,
  subtract,
  toNumber,
  wholeNumber,
} from './decimal.ts'
import type { Decimal, DecimalResult } from './decimal.ts'

/** Longest expression, in UTF-16 units. */
export const MAX_EXPRESSION_LENGTH = 10_000
/** Most parentheses open at one time. */
export const MAX_NESTING = 200

export interface Evaluation {
  /**
   * The result as a double. Fractions are rounded to 15 significant digits, the most that a double keeps of
   * any decimal; whole numbers are exact up to 2^53.
   */
  readonly value: number
  /** The number alone; above 2^53 the exact digits where they are known, and a remark in parentheses. */
  readonly text: string
  /** Characters read, numbers and operations: at most two for each character of the expression. */
  readonly steps: number
}

/** Works `expression` out. Throws a `UsageError` that says what is wrong, where (counted from 1), and what to write. */
export function evaluate(expression: string): Evaluation {
  if (expression.length > MAX_EXPRESSION_LENGTH) {
    throw new UsageError(MESSAGES.tooLong(expression.length))
  }
  const reader = new Reader(expression)
  if (reader.atEnd()) throw new UsageError(MESSAGES.empty())
  const result = reader.sum(0)
  if (!reader.atEnd()) throw reader.unexpected('an operator or the end')
  return { ...present(result), steps: reader.steps }
}

/** Every sentence that this file says. Positions count characters from 1. */
const MESSAGES = {
  empty: () => 'The expression is empty. Write one, for example 23*7.',
  tooLong: (length: number) =>
    `The expression has ${length} characters, ${MAX_EXPRESSION_LENGTH} are allowed. Split it.`,
  tooDeep: (at: number) =>
    `More than ${MAX_NESTING} parentheses are open at position ${at}. Work the inner parts out first.`,
  unexpected: (found: string, at: number, expected: string, hint: string) =>
    `Unexpected ${found} at position ${at}: expected ${expected}.${hint}`,
  unclosed: (found: string, at: number, open: number) =>
    `Unexpected ${found} at position ${at}: expected an operator or ")" for the "(" at position ${open}.`,
  divisionByZero: (at: number) => `Division by zero at position ${at}.`,
  tooLarge: (at: number) =>
    `The result at position ${at} is too large: numbers end at about 1.8e308.`,
  notReal: (at: number) =>
    `The power at position ${at} has no real value: a negative number to a broken exponent.`,
  outOfRange: () => 'The result is too large: numbers end at about 1.8e308.',
  rounded: () => '(rounded to 15 significant digits)',
  nearest: () => '(above 2^53: the structured value is the nearest double)',
} as const

/** What to say besides, by the character that was not expected. */
const HINTS: Readonly<Record<string, string>> = {
  ',': ' Write numbers without separators and with a decimal point: 1234.5.',
  '=': ' Leave the "=" out.',
  '*': ' Write ^ for a power: 2^3.',
  '(': ' Write * for a product: 2*(3).',
  '!': ' Factorials are not known: write the product.',
  '√': ' Write a root as a power: 9^0.5.',
}

const BLANKS: ReadonlySet<string> = new Set(' \t\r\n\u00a0\u2009\u202f\u3000')
const SIGNS: Readonly<Record<string, string>> = { '×': '*', '÷': '/', '−': '-' }
/** Full-width forms of ASCII stand in the same order, this far above it. */
const FULL_WIDTH_SHIFT = 0xfee0

/** Walks over the expression once, working out as it reads. */
class Reader {
  /** Steps so far; see `Evaluation.steps`. */
  steps = 0
  readonly #written: readonly string[]
  readonly #characters: readonly string[]
  #at = 0

  constructor(expression: string) {
    this.#written = Array.from(expression)
    this.#characters = this.#written.map(plain)
  }

  atEnd(): boolean {
    return this.#peek() === ''
  }

  /** Terms joined by `+` and `-`, inside of `depth` parentheses. */
  sum(depth: number): Decimal {
    let total = this.#product(depth)
    for (let sign = this.#peek(); sign === '+' || sign === '-'; sign = this.#peek()) {
      const at = this.#take()
      const term = this.#product(depth)
      total = this.#done(sign === '+' ? add(total, term) : subtract(total, term), at)
    }
    return total
  }

  /** The error for whatever stands here. */
  unexpected(expected: string): UsageError {
    const found = this.#peek()
    const at = this.#at + 1
    const hint = Object.hasOwn(HINTS, found) ? (HINTS[found] ?? '') : ''
    return new UsageError(MESSAGES.unexpected(this.#shown(), at, expected, hint))
  }

  #product(depth: number): Decimal {
    let total = this.#signed(depth)
    for (let sign = this.#peek(); isProductSign(sign); sign = this.#peek()) {
      const at = this.#take()
      if (sign === '%' && this.atEnd()) throw this.#percentage()
      const factor = this.#signed(depth)
      total = this.#done(PRODUCTS[sign](total, factor), at)
    }
    return total
  }

  /** A power behind any number of signs: they bind less than the power, so -2^2 is -4. */
  #signed(depth: number): Decimal {
    const negative = this.#minus()
    const value = this.#power(depth)
    return negative ? negate(value) : value
  }

  /** A tower is gathered first and worked out from its end, without recursion. */
  #power(depth: number): Decimal {
    let value = this.#operand(depth)
    const tower: { base: Decimal; negative: boolean; at: number }[] = []
    while (this.#peek() === '^') {
      const at = this.#take()
      tower.push({ base: value, negative: this.#minus(), at })
      value = this.#operand(depth)
    }
    for (let level = tower.pop(); level !== undefined; level = tower.pop()) {
      const exponent = level.negative ? negate(value) : value
      value = this.#done(power(level.base, exponent), level.at)
    }
    return value
  }

  #operand(depth: number): Decimal {
    const found = this.#peek()
    if (isDigit(found) || found === '.') return this.#number()
    if (found !== '(') throw this.unexpected('a number or "("')
    const open = this.#take()
    if (depth >= MAX_NESTING) throw new UsageError(MESSAGES.tooDeep(open))
    const value = this.sum(depth + 1)
    if (this.#peek() !== ')') {
      // Only the end is about the parenthesis; any other character has its own explanation.
      if (!this.atEnd()) throw this.unexpected('an operator or ")"')
      throw new UsageError(MESSAGES.unclosed(this.#shown(), this.#at + 1, open))
    }
    this.#take()
    return value
  }

  #number(): Decimal {
    const at = this.#at + 1
    const whole = this.#digits()
    let fraction = ''
    if (this.#here() === '.') {
      this.#take()
      fraction = this.#digits()
    }
    if (whole === '' && fraction === '') throw this.unexpected('digits around the decimal point')
    return this.#done(literal(whole, fraction, this.#exponent()), at)
  }

  /** The part after `e`, as a number that may be larger than any exponent that matters. */
  #exponent(): number {
    const mark = this.#here()
    if (mark !== 'e' && mark !== 'E') return 0
    this.#take()
    const sign = this.#here()
    if (sign === '+' || sign === '-') this.#take()
    const digits = this.#digits()
    if (digits === '') throw this.unexpected('the digits of an exponent')
    return sign === '-' ? -Number(digits) : Number(digits)
  }

  #digits(): string {
    const from = this.#at
    while (isDigit(this.#here())) this.#take()
    return this.#characters.slice(from, this.#at).join('')
  }

  /** Takes all signs that stand here; true when they make a minus. */
  #minus(): boolean {
    let negative = false
    for (let sign = this.#peek(); sign === '+' || sign === '-'; sign = this.#peek()) {
      if (sign === '-') negative = !negative
      this.#take()
    }
    return negative
  }

  /** The next character that is no blank, or '' at the end. */
  #peek(): string {
    while (BLANKS.has(this.#here())) this.#take()
    return this.#here()
  }

  #here(): string {
    return this.#characters[this.#at] ?? ''
  }

  /** Steps over one character and returns its position, counted from 1. */
  #take(): number {
    this.steps += 1
    this.#at += 1
    return this.#at
  }

  #done(result: DecimalResult, at: number): Decimal {
    this.steps += 1
    switch (result) {
      case 'division-by-zero':
        throw new UsageError(MESSAGES.divisionByZero(at))
      case 'too-large':
        throw new UsageError(MESSAGES.tooLarge(at))
      case 'not-real':
        throw new UsageError(MESSAGES.notReal(at))
      default:
        return result
    }
  }

  #shown(): string {
    return shown(this.#written[this.#at])
  }

  #percentage(): UsageError {
    const hint = ' "%" is the remainder of a division; write 50/100 for a percentage.'
    return new UsageError(MESSAGES.unexpected('end', this.#at + 1, 'a number or "("', hint))
  }
}

type ProductSign = '*' | '/' | '%'

const PRODUCTS: Readonly<Record<ProductSign, (a: Decimal, b: Decimal) => DecimalResult>> = {
  '*': multiply,
  '/': divide,
  '%': remainder,
}

function isProductSign(character: string): character is ProductSign {
  return character === '*' || character === '/' || character === '%'
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9' && character.length === 1
}

/** The ASCII character that a full-width or typographic one stands for; any other as it is. */
function plain(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - FULL_WIDTH_SHIFT)
  return Object.hasOwn(SIGNS, character) ? (SIGNS[character] ?? character) : character
}

/** A character fit for a message: what cannot be seen is named by its code point. */
function shown(character: string | undefined): string {
  if (character === undefined) return 'end'
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return `"${character}"`
  const code = character.codePointAt(0) ?? 0
  return `character U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

function literal(whole: string, fraction: string, exponent: number): DecimalResult {
  const digits = BigInt(whole + fraction)
  const place = exponent - fraction.length
  // `decimal` adds to the exponent, and beyond this bound sums of doubles lose their units.
  return decimal(digits, Math.max(-1e9, Math.min(1e9, place)))
}

function present(result: Decimal): { value: number; text: string } {
  const whole = result.exact ? wholeNumber(result) : undefined
  const value = whole === undefined ? Number(toNumber(result).toPrecision(15)) : toNumber(result)
  if (!Number.isFinite(value)) throw new UsageError(MESSAGES.outOfRange())
  if (whole !== undefined ? isSafe(whole) : Math.abs(value) <= Number.MAX_SAFE_INTEGER) {
    return { value, text: String(value) }
  }
  if (whole === undefined) return { value, text: `${value} ${MESSAGES.rounded()}` }
  const digits = digitCount(whole) <= PRECISION ? whole.toString() : String(value)
  return { value, text: `${digits} ${MESSAGES.nearest()}` }
}

function isSafe(whole: bigint): boolean {
  return whole <= BigInt(2 ** 53) && whole >= -BigInt(2 ** 53)
}
