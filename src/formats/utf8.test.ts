import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeUtf8, isUtf8, showUtf8 } from './utf8.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
function strictly(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** Bytes at and around every border of the table of well-formed sequences. */
const edges = [
  0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
  0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
]

it('agrees with the strict decoder on all sequences of up to three edge bytes and a fourth', () => {
  const wrong: Uint8Array[] = []
  for (const first of edges) {
    for (const second of edges) {
      for (const third of edges) {
        for (const rest of [[], [0x80], [0xbf], [0x41]]) {
          const bytes = Uint8Array.of(first, second, third, ...rest)
          if (isUtf8(bytes) !== (strictly(bytes) !== undefined)) wrong.push(bytes)
        }
      }
    }
  }
  expect(wrong).toEqual([])
})

it('decodes exactly what the strict decoder decodes (seed 11)', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc
          .array(fc.constantFrom(...edges), { maxLength: 12 })
          .map((bytes) => Uint8Array.from(bytes)),
        fc.string({ unit: 'binary', maxLength: 20 }).map((text) => new TextEncoder().encode(text)),
      ),
      (bytes) => {
        expect(decodeUtf8(bytes)).toBe(strictly(bytes))
      },
    ),
    { seed: 11, numRuns: 3000 },
  )
})

it('shows bad bytes as replacement characters', () => {
  expect(showUtf8(Uint8Array.of(0x61, 0xff, 0x62))).toBe('a\uFFFDb')
})
