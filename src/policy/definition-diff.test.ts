import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { dice } from '../../test/support/seeded.ts'
import { hidesText } from '../base/terminal-text.ts'
import type { JsonValue } from '../base/json.ts'
import { definitionDiff, MAX_DIFF_LINES } from './definition-diff.ts'
import { textDiff } from './text-diff.ts'

describe('the difference of two definitions', () => {
  it('is empty for equal ones, keys in another order included', () => {
    expect(definitionDiff({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toEqual([])
  })

  it('names each member, what it was and what it is', () => {
    const before = {
      inputSchema: { properties: { path: { description: 'A path', maxLength: 5 } } },
    }
    const after = {
      inputSchema: { properties: { path: { description: 'Any path', maxLength: 50 } } },
    }
    expect(definitionDiff(before, after)).toEqual([
      'inputSchema/properties/path/description:',
      '- A path',
      '+ Any path',
      'inputSchema/properties/path/maxLength:',
      '- 5',
      '+ 50',
    ])
  })

  it('shows members that came and are gone', () => {
    expect(definitionDiff({ a: { x: 1 } }, { b: true })).toEqual([
      'a:',
      '- {"x":1}',
      'b:',
      '+ true',
    ])
  })

  it('tells types apart that are written alike', () => {
    expect(definitionDiff({ a: '5' }, { a: 5 })).toEqual(['a:', '- "5"', '+ 5'])
    expect(definitionDiff({}, { a: '' })).toEqual(['a:', '- nothing', '+ ""'])
    expect(definitionDiff({ a: 'nothing' }, {})).toEqual(['a:', '- nothing'])
  })

  it('leaves equal items of lists out', () => {
    expect(definitionDiff({ a: ['x', 'y', 'z'] }, { a: ['x', 'new', 'y', 'z'] })).toEqual([
      'a:',
      '+ "new"',
    ])
    expect(definitionDiff({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })).toEqual([
      'a/1/b:',
      '- 2',
      '+ 3',
    ])
  })

  it('takes names of prototypes for names', () => {
    const before = JSON.parse('{"__proto__":{"x":1}}') as JsonValue // JSON
    expect(definitionDiff(before, {})).toEqual(['__proto__:', '- {"x":1}'])
    expect(definitionDiff({}, { constructor: 1 })).toEqual(['constructor:', '+ 1'])
  })

  it('has so many lines and counts the others', () => {
    const many = (count: number): JsonValue =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
    const lines = definitionDiff({}, many(1_000))
    expect(lines).toHaveLength(MAX_DIFF_LINES)
    expect(lines.at(-1)).toBe(`… and ${2_000 - MAX_DIFF_LINES + 1} more lines that are not shown`)
  })

  it('ends for values that nest very deep', () => {
    const nested = (end: number): JsonValue => {
      let value: JsonValue = end
      for (let level = 0; level < 1_000; level += 1) value = { a: value }
      return value
    }
    const lines = definitionDiff(nested(1), nested(2))
    expect(lines.length).toBeGreaterThan(2)
  })

  it('has marks in front of all that peers wrote, and nothing that a terminal obeys (seed 29)', () => {
    const luck = dice(29)
    const text = (): string =>
      Array.from({ length: luck.between(0, 30) }, () =>
        luck.pick([
          'a',
          'b',
          '\n',
          '\r',
          '\u001b[2A',
          '\u202e',
          '\u200b',
          '+ ',
          '- ',
          '\ud800',
          '天',
          ' '.repeat(50),
        ]),
      ).join('')
    const odd: unknown[] = []
    for (let round = 0; round < 3_000; round += 1) {
      const [before, after] = [{ [text()]: text() }, { [text()]: text() }]
      for (const line of definitionDiff(before, after)) {
        const isMarked = /^[-+] |^ {2}\(|^… and|:$/.test(line)
        if (hidesText(line) || !isMarked || line.length > 2_000) odd.push(line)
      }
    }
    expect(odd).toEqual([])
  })
})

describe('the difference of two texts', () => {
  it('shows only the lines that are different', () => {
    expect(textDiff('one\ntwo\nthree\nfour', 'one\n2\nthree\nfour\nfive')).toEqual([
      '- two',
      '+ 2',
      '+ five',
    ])
  })

  it('shows a long line around what is different', () => {
    const [start, end] = ['s'.repeat(500), 'e'.repeat(500)]
    expect(textDiff(`${start}old${end}`, `${start}new${end}`)).toEqual([
      `- …${'s'.repeat(40)}old${'e'.repeat(40)}…`,
      `+ …${'s'.repeat(40)}new${'e'.repeat(40)}…`,
    ])
  })

  it('wraps what is new and long, so that nothing of it is left out', () => {
    const lines = textDiff('x', `x${'y'.repeat(400)}`)
    expect(lines[0]).toBe('- x')
    expect(
      lines
        .slice(1)
        .map((line) => line.slice(2))
        .join(''),
    ).toBe(`x${'y'.repeat(400)}`)
  })

  it('names letters that only look the same', () => {
    expect(textDiff('send', 's\u0435nd').at(-1)).toBe(
      '  (they look alike: U+0065 was there, U+0435 is)',
    )
    expect(textDiff('send', 'send\u200b').at(-1)).toBe(
      '  (they look alike: nothing was there, U+200B is)',
    )
  })

  it('cuts no surrogate pair in two', () => {
    for (const at of [158, 159, 160, 161]) {
      const lines = textDiff('', 'a'.repeat(at) + '\u{1f600}'.repeat(5))
      expect(lines.join('')).not.toMatch(/\\ud8/)
    }
  })

  it('costs about twice as much for twice the text', () => {
    const work = (size: number): void => {
      const text = (letter: string): string =>
        Array.from({ length: size }, (_, index) => `${letter}${index}`).join('\n')
      expect(textDiff(text('a'), text('b')).length).toBeGreaterThan(size / 10)
    }
    expect(growthOf(work, 2_000, 16_000)).toBeLessThan(24)
  })

  it('says everything of texts that have thousands of lines', () => {
    const lines = textDiff(
      '',
      Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join('\n'),
    )
    expect(lines.join(' ')).toContain('line 4999')
  })
})
