import { describe, expect, it } from 'vitest'
import { displayWidth } from '../../base/terminal-text.ts'
import { TextFlow } from './text-flow.ts'

/** What a terminal of so many columns is given for these pieces. */
function flowed(pieces: readonly string[], columns = 20): string {
  let out = ''
  const flow = new TextFlow({ write: (text) => void (out += text), columns: () => columns })
  for (const piece of pieces) flow.push(piece)
  flow.end()
  return out
}

/** Every way to cut a text in two, and one character at a time. */
function* cuts(text: string): Generator<readonly string[]> {
  for (let at = 0; at <= text.length; at += 1) yield [text.slice(0, at), text.slice(at)]
  yield text.split('')
}

const HOSTILE =
  '\u001b[2J\u001b[Hgone\u0007 \u009b31m\u202eright\u202c\r→ t9c9 ok\n· Allowed.\r\n› y\u2028┃ Server\u0085x'

describe('text of a model', () => {
  it('begins each line with a margin and is broken between words', () => {
    expect(flowed(['The weather in ', 'Beijing is fine today.'])).toBe(
      '  The weather in\n  Beijing is fine\n  today.\n',
    )
  })

  it('is broken between wide characters, and no line begins with a closing mark', () => {
    const out = flowed(['今天北京天气很好，适合出门散步。晚上有雨。'], 16)
    expect(out.split('\n').every((line) => displayWidth(line) <= 16)).toBe(true)
    expect(out).not.toMatch(/\n {2}[，。]/)
    expect(out.replaceAll(/\n {2}|^ {2}|\n$/g, '')).toBe(
      '今天北京天气很好，适合出门散步。晚上有雨。',
    )
  })

  it('goes on below the text of a point of a list, and below the beginning of code', () => {
    expect(
      flowed(['- first point that is long\n  1. 第二点也很长很长\n    code that goes on']),
    ).toBe(
      [
        '  - first point that',
        '    is long',
        '    1. 第二点也很长',
        '       很长',
        '      code that goes',
        '      on',
        '',
      ].join('\n'),
    )
  })

  it('is the same however it comes in pieces', () => {
    const texts = [
      'One two  three\n\n  indented code(here)\n\tand a tab 👨‍👩‍👧 family, e\u0301te\u0301 and “quoted words”。天气“很好”',
      HOSTILE,
      '- a point of a list that is long enough\n12. another one, 很长很长很长很长很长\n* x',
      `${'x'.repeat(100)} ${'长'.repeat(30)}`,
    ]
    for (const text of texts) {
      const whole = flowed([text])
      for (const pieces of cuts(text)) expect(flowed(pieces)).toBe(whole)
    }
  })

  it('never moves the cursor, and never begins a line at the left edge', () => {
    const out = flowed([HOSTILE])
    expect(out).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u)
    expect(
      out
        .split('\n')
        .filter((line) => line !== '')
        .every((line) => line.startsWith('  ')),
    ).toBe(true)
  })

  it('is never wider than the terminal, whatever it is', () => {
    const parts = [
      'a',
      ' ',
      '天',
      '👨‍👩‍👧',
      '\u001b',
      '\n',
      '\t',
      'word ',
      'é',
      '\ud83d',
      '。',
      '“',
      'x'.repeat(45),
    ]
    let seed = 20_260
    const next = (): number => (seed = (seed * 48_271) % 2_147_483_647)
    for (let round = 0; round < 200; round += 1) {
      const columns = 12 + (next() % 30)
      const pieces = Array.from({ length: 40 }, () => parts[next() % parts.length] ?? '')
      for (const line of flowed(pieces, columns).split('\n')) {
        expect(displayWidth(line)).toBeLessThanOrEqual(columns)
        expect(line === '' || line.startsWith('  ')).toBe(true)
      }
    }
  })

  it('keeps the blanks that begin a line, and drops those at a break', () => {
    expect(flowed(['  if (x) {\n    return 1\n  }'], 40)).toBe(
      '    if (x) {\n      return 1\n    }\n',
    )
    expect(flowed(['aaaa bbbb      cccc'], 13)).toBe('  aaaa bbbb\n  cccc\n')
  })

  it('shows at most two empty lines in a row, and none at the ends', () => {
    expect(flowed(['\n\n\none\n\n\n\n\n\ntwo\n\n\n'])).toBe('  one\n\n\n  two\n')
  })

  it('holds back a word until it is whole, but not one without end', () => {
    let out = ''
    const flow = new TextFlow({ write: (text) => void (out += text), columns: () => 40 })
    flow.push('Hel')
    expect(out).toBe('')
    flow.push('lo wor')
    expect(out).toBe('  Hello')
    for (let count = 0; count < 1_000; count += 1) flow.push('x')
    expect(out.length).toBeGreaterThan(400)
  })

  it('writes nothing for nothing', () => {
    expect(flowed([])).toBe('')
    expect(flowed(['', ' ', '\n'])).toBe('')
  })
})
