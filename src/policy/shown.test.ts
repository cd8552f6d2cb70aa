import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { dice } from '../../test/support/seeded.ts'
import { hidesText } from '../base/terminal-text.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type { Tool } from '../protocol/types/tools.ts'
import {
  forModel,
  markForModel,
  MAX_MODEL_DEPTH,
  MAX_MODEL_TEXT,
  peerLines,
  toolForModel,
} from './shown.ts'

const tags = Array.from('ignore', (letter) =>
  String.fromCodePoint(0xe0000 + letter.charCodeAt(0)),
).join('')

describe('a text for a model', () => {
  it.each([
    ['letters of the tag block', `a${tags}b`, 'ab'],
    ['zero width characters', 'a\u200b\u200c\u2060\ufeffb', 'ab'],
    ['turns of direction', 'a\u202e\u2066b\u2069', 'ab'],
    ['variation selectors', 'a\ufe01\u{e0101}b', 'ab'],
    ['fillers', 'a\u3164\u115f\uffa0b', 'ab'],
    ['soft hyphens', 'a\u00adb', 'ab'],
    ['colours', 'a\u001b[31;1mb\u001b[0m', 'ab'],
    ['8-bit sequences', 'a\u009b2Jb', 'ab'],
    ['titles and clipboards', 'a\u001b]52;c;c2VjcmV0\u0007b\u001b]0;t\u001b\\', 'ab'],
    ['links', '\u001b]8;;https://x.test\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['device strings', 'a\u001bPq#0\u001b\\b\u0090x\u009c', 'ab'],
    ['a sequence without an end', 'a\u001b]0;title', 'a]0;title'],
    ['other controls', 'a\u0000\u0008\r\u007fb', 'ab'],
    ['halves of pairs', 'a\ud800b', 'ab'],
  ])('has no %s', (_, text, clean) => {
    expect(forModel(text)).toBe(clean)
  })

  it('keeps line ends, tabs, other scripts and emoji', () => {
    const text = 'Line\n\tüber 天気 \u{1f469}\u200d\u{1f52c} \u2764\ufe0f'
    expect(forModel(text)).toBe(text)
  })

  it('is cut at a bound and says so', () => {
    expect(forModel('x'.repeat(MAX_MODEL_TEXT))).toHaveLength(MAX_MODEL_TEXT)
    expect(forModel('x'.repeat(MAX_MODEL_TEXT + 1))).toBe(
      `${'x'.repeat(MAX_MODEL_TEXT)}… (cut: the server wrote ${MAX_MODEL_TEXT + 1} characters)`,
    )
    expect(forModel('\u200b'.repeat(1_000_000), 10)).toBe(
      '… (cut: the server wrote 1000000 characters)',
    )
    expect(forModel('\u{1f600}'.repeat(10), 5)).toMatch(/^(\u{1f600}){2}… /u)
  })

  it('of a result is whole, with marks where something hides', () => {
    expect(markForModel(`a\u202eb${String.fromCodePoint(0xe0041)}\n\u001b[0m`)).toBe(
      'a<U+202E>b<U+E0041>\n<U+001B>[0m',
    )
  })

  it.each(['\u001b]', '\u001b[', '\u009d', '\u001b[0', '\u001b[ ', '\u001bP\u001b'])(
    'costs about twice as much for twice as many of %j',
    (piece) => {
      const growth = growthOf(
        (size) => {
          expect(forModel(piece.repeat(size), size * 10)).toBeDefined()
        },
        20_000,
        80_000,
      )
      expect(growth).toBeLessThan(9)
    },
  )
})

describe('a definition for a model', () => {
  const dirty = 'a\u200b'
  const tool: Tool = {
    name: 'x',
    title: dirty,
    description: dirty,
    inputSchema: {
      type: 'object',
      description: dirty,
      properties: {
        [dirty]: { enum: [dirty], default: dirty, const: dirty, title: dirty, pattern: dirty },
        description: { type: 'string', description: dirty },
        list: { items: [{ examples: [{ deep: dirty }] }], $comment: dirty },
      },
      required: [dirty],
    },
    outputSchema: { type: 'object', properties: { y: { description: dirty } } },
  }

  it('hides nothing in any of its texts, names of members included', () => {
    const { altered: _, ...shown } = toolForModel(tool)
    expect(texts(shown as unknown as JsonValue).filter((text) => hidesText(text))).toEqual([])
    expect(shown.inputSchema['required']).toEqual(['a'])
  })

  it('names what was altered beyond mere descriptions', () => {
    expect(toolForModel(tool).altered).toEqual([
      'inputSchema/properties/a\\u200b',
      'inputSchema/properties/a\\u200b/enum/0',
      'inputSchema/properties/a\\u200b/default',
      'inputSchema/properties/a\\u200b/const',
      'inputSchema/properties/a\\u200b/pattern',
      'inputSchema/properties/list/items/0/examples/0/deep',
      'inputSchema/required/0',
    ])
  })

  it('is the same where nothing hides, and leaves the server’s copy alone', () => {
    const clean: Tool = {
      name: 'x',
      inputSchema: { type: 'object', properties: { a: { minimum: 1 } } },
    }
    expect(toolForModel(clean)).toEqual({ inputSchema: clean.inputSchema, altered: [] })
    const before = JSON.stringify(tool)
    toolForModel(tool)
    expect(JSON.stringify(tool)).toBe(before)
  })

  it('keeps the first of two names that come out alike, and names of prototypes as names', () => {
    const properties = JSON.parse(
      '{"a":{"type":"string"},"a\\u200b":{"type":"number"},"__proto__":{"type":"null"}}',
    ) as JsonObject // JSON
    const shown = toolForModel({ name: 'x', inputSchema: { properties } }).inputSchema
    expect(JSON.stringify(shown)).toBe(
      '{"properties":{"a":{"type":"string"},"__proto__":{"type":"null"}}}',
    )
  })

  it('ends at a depth', () => {
    let schema: JsonObject = { type: 'string' }
    for (let level = 0; level < 5_000; level += 1) schema = { items: schema }
    const shown = toolForModel({ name: 'x', inputSchema: schema })
    expect(JSON.stringify(shown.inputSchema).match(/items/g)).toHaveLength(MAX_MODEL_DEPTH)
    expect(shown.altered).toHaveLength(1)
  })

  it('names so many altered places and no more', () => {
    const values = Array.from({ length: 500 }, () => dirty)
    expect(toolForModel({ name: 'x', inputSchema: { enum: values } }).altered).toHaveLength(100)
  })
})

describe('lines of a peer for a person', () => {
  it('are escaped, wrapped and counted', () => {
    expect(peerLines('one\n\u001b[2Atwo\r\nthree', { maxWidth: 4 })).toEqual([
      'one',
      '\\u001b[2A',
      'two\\r',
      'thre',
      'e',
    ])
    expect(peerLines('a\nb\nc\nd', { maxLines: 3 })).toEqual([
      'a',
      'b',
      '… (7 characters in all, not all of them shown)',
    ])
    expect(peerLines('')).toEqual([])
    expect(peerLines('a\n\nb')).toEqual(['a', '', 'b'])
  })

  it('hold all of a text that fits, without a control, in bounded lines (seed 31)', () => {
    const luck = dice(31)
    const odd: unknown[] = []
    for (let round = 0; round < 2_000; round += 1) {
      const text = Array.from({ length: luck.between(0, 40) }, () =>
        luck.pick(['a', '\n', '\u{1f600}', '\u001b', '\u202e', 'bc ', '\ud800']),
      ).join('')
      const lines = peerLines(text, { maxLines: 100, maxWidth: luck.between(1, 9) })
      if (lines.some((line) => hidesText(line)) || lines.length > 100) odd.push(text)
      if ((lines.join('').match(/[abc]/g) ?? []).length < (text.match(/[abc]/g) ?? []).length)
        odd.push(text)
    }
    expect(odd).toEqual([])
  })
})

function texts(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [key, ...texts(member)])
}
