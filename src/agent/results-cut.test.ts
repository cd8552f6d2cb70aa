import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8Length } from '../capture/checksum.ts'
import { markForModel } from '../policy/shown.ts'
import { cutText, type CutText } from './results-cut.ts'

const same = (text: string): string => text

function cut(text: string, maxBytes: number, maxLines = 1_000_000, mark = same): CutText {
  return cutText(text, utf8Length(text), { maxBytes, maxLines, mark })
}

const SEED = 20_261_202

describe('a text that is cut', () => {
  it('stays whole when it fits to the byte', () => {
    expect(cut('aé中🙂', 10)).toEqual({
      head: 'aé中🙂',
      headBytes: 10,
      tail: '',
      tailBytes: 0,
      isCut: false,
    })
    expect(cut('aé中🙂', 9).isCut).toBe(true)
  })

  it('keeps whole lines of its beginning and its end', () => {
    const text = Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join('')
    const { head, tail } = cut(text, 60)
    expect(head).toBe('line 0\nline 1\nline 2\nline 3\nline 4\n')
    expect(tail).toBe('line 98\nline 99\n')
  })

  it('is cut inside of a line when the line is long', () => {
    const { head, tail } = cut(`short\n${'x'.repeat(1000)}`, 90)
    expect(head).toBe(`short\n${'x'.repeat(54)}`)
    expect(tail).toBe('x'.repeat(30))
  })

  it.each([
    [3, 'a\nb\n', 'f'],
    [2, 'a\nb\n', ''],
    [1, 'a\n', ''],
  ])('keeps no more than %i lines', (maxLines, head, tail) => {
    expect(cut('a\nb\nc\nd\ne\nf', 1000, maxLines)).toMatchObject({ head, tail, isCut: true })
  })

  it('does not count a line end at its end as one more line', () => {
    expect(cut('a\nb\nc\n', 1000, 3).isCut).toBe(false)
    expect(cut('a\nb\nc\nd\ne\nf\n', 1000, 3)).toMatchObject({ head: 'a\nb\n', tail: 'f\n' })
  })

  it('is cut further when it grows by being marked', () => {
    const text = '\u200b'.repeat(1000)
    const { head, tail, headBytes, tailBytes } = cut(text, 300, 1000, markForModel)
    expect(utf8Length(head + tail)).toBeLessThanOrEqual(300)
    expect(head).toMatch(/^(?:<U\+200B>)+$/)
    expect(headBytes).toBe((head.length / 8) * 3)
    expect(tailBytes).toBe((tail.length / 8) * 3)
  })

  it('that fits by itself is cut when its marks make it too long', () => {
    const result = cut('\0'.repeat(100), 200, 1000, markForModel)
    expect(result.isCut).toBe(true)
    expect(utf8Length(result.head + result.tail)).toBeLessThanOrEqual(200)
  })

  it('never passes its limits, never loses count and never halves a character', () => {
    const piece = fc.constantFrom(
      'a',
      'é',
      '中',
      '🙂',
      '\n',
      '\ud800',
      '\u200b',
      '\0',
      '\u{e0041}',
      'word ',
      '\r\n',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 300 }),
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 1, max: 50 }),
        (pieces, maxBytes, maxLines) => {
          const text = pieces.join('')
          const raw = cut(text, maxBytes, maxLines)
          expect(text.startsWith(raw.head)).toBe(true)
          expect(text.endsWith(raw.tail)).toBe(true)
          expect(raw.head.length + raw.tail.length).toBeLessThanOrEqual(text.length)
          expect(raw.headBytes).toBe(utf8Length(raw.head))
          expect(raw.tailBytes).toBe(utf8Length(raw.tail))
          expect(raw.headBytes + raw.tailBytes < utf8Length(text)).toBe(raw.isCut)
          expect(raw.headBytes + raw.tailBytes).toBeLessThanOrEqual(maxBytes)
          expect(linesOf(raw.head) + linesOf(raw.tail)).toBeLessThanOrEqual(maxLines)
          expect(endsInHalf(raw.head, text) || beginsInHalf(raw.tail, text)).toBe(false)
          const marked = cut(text, maxBytes, maxLines, markForModel)
          expect(utf8Length(marked.head) + utf8Length(marked.tail)).toBeLessThanOrEqual(maxBytes)
        },
      ),
      { seed: SEED, numRuns: 2000 },
    )
  })

  it('of any size is marked only as far as it is shown', () => {
    let marked = 0
    const count = (shown: string): string => {
      marked += shown.length
      return shown
    }
    cut('x'.repeat(8 * 1024 * 1024), 50 * 1024, 2000, count)
    expect(marked).toBe(50 * 1024)
  })
})

function linesOf(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}

/** Whether the pair that follows in the text was taken apart. */
function endsInHalf(head: string, text: string): boolean {
  return /[\ud800-\udbff]$/.test(head) && /^[\udc00-\udfff]/.test(text.slice(head.length))
}

function beginsInHalf(tail: string, text: string): boolean {
  const before = text.slice(0, text.length - tail.length)
  return /^[\udc00-\udfff]/.test(tail) && /[\ud800-\udbff]$/.test(before)
}
