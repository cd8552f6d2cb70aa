import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import {
  cutToWidth,
  displayWidth,
  hidesText,
  replaceHidden,
  terminalText,
} from './terminal-text.ts'

const cp = (code: number): string => String.fromCodePoint(code)

describe('terminalText', () => {
  it('returns plain text as it stands', () => {
    const text = 'tools/call {"name":"echo"} \\ ~'
    expect(terminalText(text)).toBe(text)
    expect(hidesText(text)).toBe(false)
  })

  it('shows every C0 and C1 control and DEL instead of sending it', () => {
    for (const code of [
      ...Array(32).keys(),
      0x7f,
      ...Array.from({ length: 32 }, (_, i) => 0x80 + i),
    ]) {
      const shown = terminalText(`a${cp(code)}b`)
      expect(shown).toMatch(/^a\\(?:u[0-9a-f]{4}|[tnr])b$/)
    }
  })

  it('shows an escape sequence that would set the window title or move the cursor', () => {
    expect(terminalText('\u001b]0;owned\u0007')).toBe('\\u001b]0;owned\\u0007')
    expect(terminalText('\u001b[2J')).toBe('\\u001b[2J')
    expect(terminalText('\u009b2J')).toBe('\\u009b2J')
  })

  it('keeps a line one line, whatever kind of line end is in it', () => {
    expect(terminalText('a\r\nb\u2028c\u2029d\u0085e')).toBe('a\\r\\nb\\u2028c\\u2029d\\u0085e')
  })

  it('shows bidi controls', () => {
    for (const code of [
      0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200e, 0x200f, 0x61c,
    ]) {
      expect(terminalText(`x${cp(code)}y`)).toBe(`x\\u${code.toString(16).padStart(4, '0')}y`)
    }
  })

  it('shows zero-width characters, fillers, soft hyphens and the byte order mark', () => {
    for (const code of [
      0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0xad, 0x3164, 0x115f, 0x1160, 0xffa0, 0x34f, 0x180e,
    ]) {
      expect(terminalText(`x${cp(code)}y`)).toBe(`x\\u${code.toString(16).padStart(4, '0')}y`)
    }
  })

  it('shows the tag block and variation selectors that carry hidden words', () => {
    expect(terminalText(`ok${cp(0xe0041)}${cp(0xe007f)}`)).toBe('ok\\u{e0041}\\u{e007f}')
    expect(terminalText(`a${cp(0xfe01)}${cp(0xe0101)}`)).toBe('a\\ufe01\\u{e0101}')
  })

  it('shows lone surrogates', () => {
    expect(terminalText('a\ud800b\udfff')).toBe('a\\ud800b\\udfff')
  })

  it('keeps CJK, accents, emoji, joined emoji, flags and keycaps', () => {
    for (const text of [
      '中文 日本語 한국어',
      'é e\u0301 ñ',
      '🙂👍🏽',
      '👩‍👩‍👧‍👦',
      '🏳️‍🌈',
      '❤️',
      '🇨🇳',
      '1️⃣',
      'مرحبا',
      'हिन्दी',
    ]) {
      expect(terminalText(text)).toBe(text)
    }
  })

  it('shows a joiner that joins no emoji, also right after one', () => {
    expect(terminalText('🙂\u200dx')).toBe('🙂\\u200dx')
    expect(terminalText('a\u200d🙂')).toBe('a\\u200d🙂')
    expect(terminalText('a\ufe0f')).toBe('a\\ufe0f')
  })

  it('stops combining marks from piling up', () => {
    const shown = terminalText(`a${'\u0301'.repeat(40)}`)
    expect(shown.split('\u0301').length - 1).toBe(8)
    expect(shown.split('\\u0301').length - 1).toBe(32)
  })

  it('takes linear time for a megabyte of controls', () => {
    const bomb = '\u001b\u202e'
    expect(terminalText(bomb.repeat(500_000))).toHaveLength(6_000_000)
    const work = (size: number): void => void terminalText(bomb.repeat(size / 2))
    expect(growthOf(work, 20_000, 200_000)).toBeLessThan(40) // Square is 100.
  })
})

describe('replaceHidden', () => {
  const word = (code: number): string => `<${code.toString(16)}>`

  it('finds everything between letters that draws nothing, reorders or steers', () => {
    const hidden = /^[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]$/u
    const missed: string[] = []
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const one = cp(code)
      if (!hidden.test(one)) continue
      const text = `a${one}b\u4e2d${one}\u6587`
      const found = `a${word(code)}b\u4e2d${word(code)}\u6587`
      if (replaceHidden(text, word) !== found) missed.push(code.toString(16))
    }
    expect(missed).toEqual([])
  })

  it('leaves line feeds and tabs where lines are wanted, and nothing else', () => {
    const text = '\tone\n\u202etwo\r\n\u200bthree\x1b[m\n'
    expect(replaceHidden(text, word, true)).toBe('\tone\n<202e>two<d>\n<200b>three<1b>[m\n')
  })

  it('gives the very text where nothing is hidden, whatever it is written in', () => {
    const words =
      'if (a) {\n\treturn "\u4e2d\u6587 \u041f\u0440\u0438 \ud55c\uad6d e\u0301 \u2764\ufe0f"\n}'
    const told: number[] = []
    const same = replaceHidden(words, (code) => `${told.push(code)}`, true)
    expect([same, told]).toEqual([words, []])
  })
})

describe('displayWidth', () => {
  it('counts two columns for wide characters and emoji, none for marks', () => {
    expect(displayWidth('abc')).toBe(3)
    expect(displayWidth('中文')).toBe(4)
    expect(displayWidth('e\u0301')).toBe(1)
    expect(displayWidth('🙂')).toBe(2)
    expect(displayWidth('👩‍👩‍👧‍👦')).toBe(2)
    expect(displayWidth('🇨🇳')).toBe(2)
    expect(displayWidth('ｆ')).toBe(2)
    expect(displayWidth('1️⃣')).toBe(2)
  })
})

describe('cutToWidth', () => {
  it('leaves text that fits', () => {
    expect(cutToWidth('abc', 3)).toBe('abc')
    expect(cutToWidth('中文', 4)).toBe('中文')
  })

  it('never exceeds the columns and never cuts inside a grapheme', () => {
    const text = 'aé中👩‍👩‍👧‍👦e\u0301🇨🇳b👍🏽文c'
    const whole = [...new Intl.Segmenter('en').segment(text)].map((part) => part.segment)
    for (let columns = 1; columns <= displayWidth(text) + 1; columns += 1) {
      const cut = cutToWidth(text, columns)
      expect(displayWidth(cut)).toBeLessThanOrEqual(columns)
      const kept = [...new Intl.Segmenter('en').segment(cut.replace(/…$/, ''))].map(
        (p) => p.segment,
      )
      expect(kept).toEqual(whole.slice(0, kept.length))
      expect(cut === text || cut.endsWith('…')).toBe(true)
    }
  })

  it('gives nothing for no columns', () => {
    expect(cutToWidth('abc', 0)).toBe('')
  })

  it('looks only at the beginning of a long text', () => {
    const cut = cutToWidth(`中${'x'.repeat(5_000_000)}`, 10)
    expect(cut).toBe('中xxxxxxx…')
  })
})
