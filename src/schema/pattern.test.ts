import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { startMeter } from './meter.ts'
import { matcherOf, parsePattern } from './pattern.ts'
import { readPattern } from './pattern-syntax.ts'

const SEED = 20_261_202

function engineOf(pattern: string): 'native' | 'linear' | 'both' {
  const { native, wantsRe2 } = parsePattern(pattern)
  if (native === undefined) return 'linear'
  return wantsRe2 ? 'both' : 'native'
}

describe('the choice of an engine', () => {
  test.each([
    '^[a-z]+$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$',
    '^(?:get|post)$',
    '^a$|^b$',
    '^v\\d+\\.0$',
    '^(abc)?$',
    '^(?!x)[a-z]*$',
    '\\S',
    '^.{1,5000}$',
  ])('%s goes back and forth at one place at most: native', (pattern) => {
    expect(engineOf(pattern)).toBe('native')
  })

  test.each(['[a-z]+', 'a.*b', '(?:ab)+c'])(
    '%s starts anywhere: native for short texts, linear for long ones',
    (pattern) => {
      expect(engineOf(pattern)).toBe('both')
    },
  )

  test.each([
    '^(a+)+$',
    '^(a|b)*$',
    '^(a|a)(a|a)$',
    '^a?a?aa$',
    '^(a?){3}$',
    '.*.*=',
    '^(x+)y*$',
    '(((){900}){900}){900}',
    '^.*a{1000}b|c',
  ])('%s can go back and forth at several places: linear', (pattern) => {
    expect(engineOf(pattern)).toBe('linear')
  })
})

/** Pieces that both engines must read alike, with the texts that tell. */
const piece = fc.constantFrom(
  'a',
  'b',
  '.',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\.',
  '\\/',
  '-',
  ' ',
  '😀',
  'é',

  '[ab]',
  '[^ab]',
  '[a-c1-3]',
  '[\\w-]',
  '[\\s\\S]',
  '[^\\s]',
  '[\\S]',
  '[.*+]',
  '[^]',
  '[\\]\\\\]',
  '[\\-a]',
  '[\\b]',

  '\\x61',
  '\\u0062',
  '\\u{1F600}',
  '\\ud83d\\ude00',
  '\\cJ',
  '\\t',
  '\\n',
  '\\v',
  '\\f',
  '\\r',
  '\\0',

  '\\p{L}',
  '\\p{Lu}',
  '\\P{L}',
  '\\p{Script=Greek}',
  '\\p{Letter}',
  '[\\p{N}a]',
  '\\$',
  '\\^',
  '\\(',
  '\\|',
)
const quantifier = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{1,2}',
  '{0,}',
  '*?',
  '+?',
  '{1,2}?',
)
const anchored = fc.constantFrom('', '', '', '^', '$', '\\b', '\\B')
const regex = fc.letrec<{ regex: string }>((tie) => ({
  regex: fc.oneof(
    { maxDepth: 2 },
    fc
      .array(fc.tuple(piece, quantifier, anchored), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.map(([unit, times, edge]) => `${unit}${times}${edge}`).join('')),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('regex'), quantifier)
      .map(([open, inner, times]) => `${open}${inner})${times}`),
    fc.tuple(tie('regex'), tie('regex')).map(([left, right]) => `${left}|${right}`),
    fc.tuple(tie('regex'), tie('regex')).map(([left, right]) => left + right),
  ),
})).regex
const subject = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'c',
      '1',
      '_',
      '-',
      ' ',
      '\n',
      '\r',
      '\t',
      '\v',
      '\u2028',
      '\u00a0',
      '\ufeff',
      '😀',
      'é',
      'Σ',
      '.',
      '$',
      '/',
      '\\',
      '\0',
      '\b',
      ']',
      '^',
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''))

test('RE2 finds in a text what the native engine finds, for random patterns', () => {
  process.stdout.write(`random patterns: seed ${String(SEED)}\n`)
  let compared = 0
  fc.assert(
    fc.property(regex, fc.array(subject, { minLength: 1, maxLength: 8 }), (pattern, texts) => {
      let native: RegExp
      try {
        native = new RegExp(pattern, 'u')
      } catch {
        return // A name given twice, say.
      }
      const { re2 } = readPattern(pattern, true)
      if ('missing' in re2) throw new Error(`no ${re2.missing}`)
      const linear = RE2JS.compile(re2.text)
      for (const text of texts) {
        compared += 1
        expect([pattern, text, linear.matcher(text).find()]).toEqual([
          pattern,
          text,
          native.test(text),
        ])
      }
    }),
    { seed: SEED, numRuns: Number(process.env['FUZZ_RUNS'] ?? 300) },
  )
  expect(compared).toBeGreaterThan(1_000)
})

test.each([
  ['^[\\w\\_]+$', 'a_', 'a-'],
  ['^\\-+(a|b)*$', '-ab', 'c'],
  ['^{a}+(b|c)*$', '{a}}b', 'a'],
  ['^[\\w-.]+(x|y)*$', 'a-.x', '*'],
])('%s is read although it is none in unicode mode', (pattern, fits, doesNot) => {
  startMeter({ members: 0, longestName: 0, largestItem: 1 })
  const matches = matcherOf(parsePattern(pattern), RE2JS, { program: 0, characters: 0 })
  expect([matches(fits), matches(doesNot)]).toEqual([true, false])
})
