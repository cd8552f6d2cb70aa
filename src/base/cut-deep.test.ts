import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { dice, type Dice } from '../../test/support/seeded.ts'
import { cutDeep, type Cut } from './cut-deep.ts'
import { exceedsDepth } from './json.ts'

const nested = (depth: number, open = '[', close = ']'): string =>
  open.repeat(depth) + close.repeat(depth)

describe('cutting what nests too deep out of JSON text', () => {
  const cut = { level: 2, mark: '0', maxDepth: 3 }

  it.each([
    ['[]', '[]'],
    ['[[[]]]', '[[[]]]'],
    ['[[[[]]]]', '[0]'],
    ['[[[]],[[[]]],[[]]]', '[[[]],0,[[]]]'],
    ['{"a":{"b":{"c":{}}},"d":[1]}', '{"a":0,"d":[1]}'],
    ['{"a":[[[]],[[],[[{}]]]], "b":[[[[]]]] }', '{"a":0, "b":0 }'],
    ['["[[[[[[",["\\"[[[[",[]]]', '["[[[[[[",["\\"[[[[",[]]]'],
    ['[["]]]]",[["]"]]],"[[[\\\\"]', '[0,"[[[\\\\"]'],
  ])('makes of %s what can be kept: %s', (text, kept) => {
    expect(cutDeep(text, cut)).toBe(kept)
  })

  it('cuts at the outermost level when that is the one', () => {
    expect(cutDeep(` ${nested(4)} `, { ...cut, level: 1 })).toBe(' 0 ')
  })

  it.each([129, 10_000, 1_000_000])('takes %i levels, which no parser behind it sees', (depth) => {
    const text = `{"a":${nested(depth - 1, '{"a":[', ']}')},"b":${nested(126)}}`
    const kept = cutDeep(text, { level: 2, mark: '0' })
    expect(kept).toBe(`{"a":0,"b":${nested(126)}}`)
    expect(exceedsDepth(kept)).toBe(false)
  })

  it('leaves no more levels than allowed, and no longer text, of what is no JSON', () => {
    const seed = 20_261_204
    const chance = dice(seed)
    for (let turn = 0; turn < 5_000; turn += 1) {
      const size = chance.between(0, 200)
      const text = Array.from({ length: size }, () => chance.pick(PIECES)).join('')
      const kept = cutDeep(text, { level: chance.between(1, 5), mark: '0', maxDepth: 5 })
      expect(kept.length, `seed ${seed}, turn ${turn}`).toBeLessThanOrEqual(text.length)
      expect(exceedsDepth(kept, 5), `seed ${seed}, turn ${turn}: ${text}`).toBe(false)
    }
  })

  it('gives what a parser and a cut of the value give, for any JSON', () => {
    const seed = 20_261_203
    const chance = dice(seed)
    let cuts = 0
    for (let turn = 0; turn < 3_000; turn += 1) {
      const text = anyJson(chance, 12)
      const maxDepth = chance.between(1, 8)
      const options = { level: chance.between(1, maxDepth), mark: '7e7', maxDepth }
      const kept = cutDeep(text, options)
      const told = `seed ${seed}, turn ${turn}`
      expect(JSON.stringify(JSON.parse(kept)), told).toBe(
        JSON.stringify(cutValue(JSON.parse(text), options, 1)),
      )
      expect(kept !== text, told).toBe(exceedsDepth(text, maxDepth))
      if (kept !== text) cuts += 1
    }
    expect(cuts).toBeGreaterThan(300)
  })

  it('is linear, however often it cuts and whatever its strings hold', () => {
    const shapes = [
      (size: number) => nested(size),
      (size: number) => `[${nested(130)}${`,${nested(130)}`.repeat(size / 260)}]`,
      (size: number) => `[${nested(130)},"${'\\\\\\"['.repeat(size / 5)}"]`,
      (size: number) => `${nested(127, '[', '')}${'[[]],'.repeat(size / 5)}`,
    ]
    for (const shape of shapes) {
      const texts = new Map([20_000, 400_000].map((size) => [size, shape(size)]))
      const growth = growthOf(
        (size) => void cutDeep(texts.get(size) ?? '', { level: 2, mark: '0' }),
        20_000,
        400_000,
      )
      expect(growth).toBeLessThan(60)
    }
  })
})

const PIECES = '[[[{{{]]}}"\\,:0a'.split('')

/** What the cut is to come to, on the value. */
function cutValue(value: unknown, cut: Required<Cut>, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === cut.level && depth + levelsOf(value) - 1 > cut.maxDepth) return Number(cut.mark)
  if (Array.isArray(value)) return value.map((item) => cutValue(item, cut, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, cutValue(member, cut, depth + 1)]),
  )
}

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf))
}

const STRINGS = [
  '',
  'a',
  '[[[',
  '}]}',
  '{"a":[',
  '\\',
  '\\"',
  '"',
  '\\\\"]',
  '\u2028',
  '\ud83d\ude00',
]

/** JSON text as no serialiser of here writes it: blanks, escapes, lone surrogates, numbers of all forms. */
function anyJson(chance: Dice, depth: number): string {
  const blank = (): string => (chance.chance(0.2) ? chance.pick([' ', '\n', '\t \r']) : '')
  if (depth === 0 || chance.chance(0.15)) {
    return chance.pick([
      'null',
      'true',
      'false',
      '-0',
      '1.5e-7',
      '12345678901234567890',
      '1E400',
      anyString(chance),
    ])
  }
  const items = Array.from(
    { length: chance.between(0, 3) },
    () => `${blank()}${anyJson(chance, depth - 1)}${blank()}`,
  )
  if (chance.chance(0.5)) return `[${items.join(',')}${items.length === 0 ? blank() : ''}]`
  const members = items.map((value, at) => `${blank()}${anyString(chance, at)}${blank()}:${value}`)
  return `{${members.join(',')}}`
}

function anyString(chance: Dice, key?: number): string {
  const text = JSON.stringify(chance.pick(STRINGS) + chance.pick(STRINGS) + (key ?? ''))
  const more = chance.pick(['', String.raw`\ud83d`, String.raw`\u005b\/\"`, String.raw`\\`])
  return `"${more}${text.slice(1)}`
}
