import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { dice } from '../../test/support/seeded.ts'
import { isGlob, matchesGlob } from './glob.ts'

describe('a glob', () => {
  it.each([
    ['', ''],
    ['*', ''],
    ['*', 'anything/at all\nover lines'],
    ['a*', 'a'],
    ['*.env', '/home/me/.env'],
    ['a*b*c', 'a1b2b3c'],
    ['?', '天'],
    ['?', '\u{1f600}'],
    ['a?c', 'abc'],
    ['**', 'x'],
    ['.+(a|b)[c]$^\\', '.+(a|b)[c]$^\\'],
  ])('%j fits %j', (glob, text) => {
    expect(matchesGlob(glob, text)).toBe(true)
  })

  it.each([
    ['', 'a'],
    ['?', ''],
    ['a', 'ab'],
    ['a*', 'ba'],
    ['*a', 'ab'],
    ['a*b*c', 'a1c2b'],
    ['a.c', 'abc'],
    ['[ab]', 'a'],
    ['READ', 'read'],
  ])('%j does not fit %j', (glob, text) => {
    expect(matchesGlob(glob, text)).toBe(false)
  })

  it('agrees with a plain recursive reading over 20,000 random pairs (seed 11)', () => {
    const luck = dice(11)
    const word = (signs: readonly string[]): string =>
      Array.from({ length: luck.between(0, 7) }, () => luck.pick(signs)).join('')
    for (let round = 0; round < 20_000; round += 1) {
      const [glob, text] = [word(['a', 'b', '*', '?']), word(['a', 'b'])]
      expect([glob, text, matchesGlob(glob, text)]).toEqual([glob, text, slowly(glob, text)])
    }
  })

  it('costs twice as much for twice the text at the worst', () => {
    const glob = `${'*a'.repeat(127)}b`
    const growth = growthOf(
      (size) => {
        for (let round = 0; round < 5; round += 1)
          expect(matchesGlob(glob, 'a'.repeat(size))).toBe(false)
      },
      16_384,
      65_536,
    )
    expect(growth).toBeLessThan(8)
  })

  it('is told from a text', () => {
    expect([isGlob('a*'), isGlob('a?'), isGlob('a.b')]).toEqual([true, true, false])
  })
})

function slowly(glob: string, text: string): boolean {
  if (glob === '') return text === ''
  if (glob.startsWith('*'))
    return slowly(glob.slice(1), text) || (text !== '' && slowly(glob, text.slice(1)))
  if (text === '') return false
  return (glob.startsWith('?') || glob[0] === text[0]) && slowly(glob.slice(1), text.slice(1))
}
