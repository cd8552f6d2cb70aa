/**
 * The calculator against exact fractions, against JavaScript's own arithmetic, and against noise.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../base/errors.ts'
import { evaluate } from './arithmetic.ts'

/** Printed in the titles; change it to look elsewhere. */
const SEED = 20261201

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
    const soup = fc.array(fc.constantFrom(...Array.from('0123456789.eE+-*/%^() ×÷（）x')), {
      maxLength: 60,
    })
    const texts = fc.oneof(
      soup.map((characters) => characters.join('')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        expect(finiteOrRefused(text)).toBe(true)
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

/** Lets every error but a `UsageError` through. */
function finiteOrRefused(text: string): boolean {
  try {
    return Number.isFinite(evaluate(text).value)
  } catch (error) {
    if (error instanceof UsageError) return true
    throw error
  }
}
