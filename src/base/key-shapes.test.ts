import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { findKeys, KEY_BEGINNINGS } from './key-shapes.ts'

const found = (text: string): readonly string[] =>
  findKeys(text).map(({ start, end }) => text.slice(start, end))

/** Made up; with the shape that their makers give them. */
const KEYS: readonly string[] = [
  'sk-proj-abcDEF123456789012',
  'sk_live_4eC39HqLyjWDarjtT1zd',
  'ghp_0123456789abcdefABCDEF0123456789abcd',
  'github_pat_11AAAAAAA0123456789abcdef',
  'glpat-0123456789abcdefABCD',
  'xoxb-123456789012-abcdefABCDEF',
  'xapp-1-A0123456789-0123456789-abcdef',
  'AKIAIOSFODNN7EXAMPLE',
  'AIzaSyA0123456789abcdefghijklmnopqrstuv',
  'npm_0123456789abcdefghijklmnopqrstuvwxyz',
  'hf_abcdefGHIJKLmnopqrSTUVwx',
  'gsk_0123456789abcdefABCDEF0123',
  'ntn_0123456789abcdefABCDEF0123',
  'shpat_0123456789abcdef0123456789abcdef',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
]

describe('keys in a text', () => {
  it.each(KEYS)('are found by their beginning, wherever they stand: %s', (key) => {
    for (const text of [key, `x "${key}", y`, `a=${key}&b`, `https://h/${key}?x`]) {
      expect(found(text)).toEqual([key])
      expect(KEY_BEGINNINGS.test(text)).toBe(true)
    }
    expect(found(`in_word_${key}`)).toEqual([])
  })

  it('are without the word before them, and all of several', () => {
    expect(found('Bearer abc.DEF-123 and basic dXNlcjpwYXNz')).toEqual([
      'abc.DEF-123',
      'dXNlcjpwYXNz',
    ])
    expect(found('postgres://app:pa55@db/x')).toEqual(['pa55'])
    expect(found(KEYS.join(' '))).toEqual(KEYS)
  })

  it.each([
    'sk-learn-contrib-packages',
    'risk-assessment-of-2024',
    'Bearer authentication is used',
    'https://example.com:8080/path',
    'ghp_short',
    'gsk_words_without_any_number_or_so',
  ])('are not seen in names and prose: %s', (text) => {
    expect(found(text)).toEqual([])
  })

  it('take linear time in texts made to be slow', () => {
    for (const bomb of ['eyJ', 'eyJaaaaaaaaaa.', 'sk-', 'gsk_', 'xapp-', '://a:', '-----BEGIN '])
      expect(
        growthOf((size) => void findKeys(bomb.repeat(size / bomb.length)), 20_000, 200_000),
        bomb,
      ).toBeLessThan(40) // linear is 10, square is 100
  })
})
