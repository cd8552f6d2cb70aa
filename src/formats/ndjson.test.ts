import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repeat, workOf } from '../../test/support/byte-work.ts'
import { liveBytes } from '../../test/support/heap.ts'
import { cut, fuzzLines, modelLines, readLines } from '../../test/support/ndjson-model.ts'
import { EDGE_BYTES } from './byte-ends.ts'
import { createLineReader } from './ndjson.ts'

const LIMIT = 1024
const encoder = new TextEncoder()
const bytesOf = (text: string): Uint8Array => encoder.encode(text)
const texts = (input: string | Uint8Array, maxBytes = LIMIT): unknown[] =>
  readLines([typeof input === 'string' ? bytesOf(input) : input], maxBytes).map((outcome) =>
    'text' in outcome ? outcome.text : outcome.reason,
  )

describe('lines', () => {
  it('gives every line of a chunk in order [STDIO-02]', () => {
    expect(texts('{"a":1}\n{"b":2}\n3\n')).toEqual(['{"a":1}', '{"b":2}', '3'])
  })

  it('accepts CR LF and removes one CR only [STDIO-20]', () => {
    expect(texts('a\r\nb\r\r\nc')).toEqual(['a', 'b\r', 'c'])
  })

  it('keeps a CR inside of a line', () => {
    expect(texts('a\rb\n')).toEqual(['a\rb'])
  })

  it('skips lines of nothing but blanks [STDIO-20]', () => {
    expect(texts('\r\n\n   \t \r\na\n\r\n\uFEFF\r\n')).toEqual(['a'])
  })

  it('keeps the blanks around a text, for they crossed the wire', () => {
    expect(texts('  {"a":1} \n')).toEqual(['  {"a":1} '])
  })

  it('ignores one byte order mark at the start of a line and keeps all others', () => {
    expect(texts('\uFEFF"a\uFEFFb"\n\uFEFF\uFEFFc\n \uFEFFd\n')).toEqual([
      '"a\uFEFFb"',
      '\uFEFFc',
      ' \uFEFFd',
    ])
  })

  it('takes line separators of Unicode for text', () => {
    expect(texts('a\u2028b\u2029c\u0085d\n')).toEqual(['a\u2028b\u2029c\u0085d'])
  })

  it('keeps NUL and other controls', () => {
    expect(texts('a\0b\u0001\n')).toEqual(['a\0b\u0001'])
  })

  it('gives a last line without a newline at the end', () => {
    expect(texts('a\nlast')).toEqual(['a', 'last'])
  })

  it('gives a last line once, and starts afresh after the end', () => {
    const heard: string[] = []
    const reader = createLineReader({
      maxBytes: LIMIT,
      onText: (text) => heard.push(text),
      onUnreadable: () => heard.push('?'),
    })
    reader.push(bytesOf('one'))
    reader.end()
    reader.end()
    reader.push(bytesOf('two\n'))
    expect(heard).toEqual(['one', 'two'])
  })
})

describe('bytes that are not UTF-8', () => {
  const bad: readonly (readonly [string, readonly number[]])[] = [
    ['a lone continuation', [0x80]],
    ['a byte that never occurs', [0xff]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong form of three', [0xe0, 0x80, 0x80]],
    ['an overlong form of four', [0xf0, 0x80, 0x80, 0x80]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['more than U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['a cut sequence of four', [0xf0, 0x9f, 0xa6]],
  ]

  it.each(bad)('reports only the line with %s', (_, bytes) => {
    const stream = Uint8Array.from([...bytesOf('a\n"'), ...bytes, ...bytesOf('"\nb\n')])
    expect(texts(stream)).toEqual(['a', 'not-utf8', 'b'])
  })

  it('does not take a replacement character that was sent for a fault', () => {
    expect(texts('"\uFFFD"\nb\n')).toEqual(['"\uFFFD"', 'b'])
  })

  it('does not let a newline end a cut sequence well', () => {
    const stream = Uint8Array.from([0xe2, 0x82, 10, 0xac, 10])
    expect(texts(stream)).toEqual(['not-utf8', 'not-utf8'])
  })

  it('hands over the exact bytes', () => {
    expect(readLines([Uint8Array.from([0x61, 0xff, 13, 10])], LIMIT)).toEqual([
      { reason: 'not-utf8', size: 2, head: '61ff', tail: '' },
    ])
  })
})

describe('the limit', () => {
  it.each(['\n', '\r\n', ''])('is the exact number of bytes before a line end %j', (end) => {
    expect(texts(`${'x'.repeat(LIMIT - 1)}${end}`)).toEqual(['x'.repeat(LIMIT - 1)])
    expect(texts(`${'x'.repeat(LIMIT)}${end}`)).toEqual(['x'.repeat(LIMIT)])
    expect(texts(`${'x'.repeat(LIMIT + 1)}${end}`)).toEqual(['too-large'])
  })

  it('counts bytes and not characters', () => {
    expect(texts(`${'é'.repeat(LIMIT / 2)}\n${'é'.repeat(LIMIT / 2)}x\n`)).toEqual([
      'é'.repeat(LIMIT / 2),
      'too-large',
    ])
  })

  it('costs the long line only, not its neighbours', () => {
    const long = 'x'.repeat(LIMIT * 3)
    expect(texts(`a\n${long}\nb\n${long}\nc`)).toEqual(['a', 'too-large', 'b', 'too-large', 'c'])
  })

  it('keeps the first and the last 64 KiB of a longer line, and its size', () => {
    const line = bytesOf(`head${'-'.repeat(300_000)}tail`)
    const [outcome] = readLines(
      cut(Uint8Array.from([...line, 13, 10]), [1000, 2000, 200_000]),
      LIMIT,
    )
    expect(outcome).toEqual(modelLines(line, LIMIT)[0])
    expect(outcome).toMatchObject({ reason: 'too-large', size: line.length })
    expect(outcome !== undefined && 'head' in outcome ? outcome.head.length : 0).toBe(
      EDGE_BYTES * 2,
    )
  })

  it.each([EDGE_BYTES - 1, EDGE_BYTES, EDGE_BYTES + 1, EDGE_BYTES * 2, EDGE_BYTES * 2 + 1])(
    'shares no byte between both ends of a line of %i bytes',
    (size) => {
      const line = Uint8Array.from({ length: size }, (_, at) => 32 + (at % 90))
      const expected = modelLines(line, LIMIT)
      expect(readLines([line], LIMIT)).toEqual(expected)
      expect(readLines(cut(line, [7, 1030, 70_000]), LIMIT)).toEqual(expected)
    },
  )

  it('counts a CR at the very end of what was skipped as line end', () => {
    const stream = bytesOf(`${'x'.repeat(LIMIT + 5)}\r\nb\n`)
    const expected = modelLines(stream, LIMIT)
    for (let at = LIMIT - 2; at < LIMIT + 10; at += 1) {
      expect(readLines(cut(stream, [at]), LIMIT)).toEqual(expected)
    }
  })
})

describe('borders of chunks', () => {
  const stream = Uint8Array.from([
    ...bytesOf('\uFEFF{"é":"日本語 🦀"}\r\n\r\n \n{"b":2}\n'),
    0x22,
    0xf0,
    0x9f,
    0xa6,
    0x22,
    13,
    10,
    ...bytesOf(`${'long '.repeat(20)}\r\n"\uFFFD"\nlast\uFEFF`),
  ])

  it('make no difference, wherever one falls [STDIO-20]', () => {
    const expected = modelLines(stream, 60)
    expect(expected.length).toBeGreaterThan(4)
    for (let at = 0; at <= stream.length; at += 1) {
      expect(readLines(cut(stream, [at]), 60)).toEqual(expected)
    }
  })

  it('make no difference, wherever two fall', () => {
    const expected = modelLines(stream, 60)
    for (let first = 0; first < stream.length; first += 3) {
      for (let second = first; second <= stream.length; second += 1) {
        expect(readLines(cut(stream, [first, second]), 60)).toEqual(expected)
      }
    }
  })

  it('make no difference when every byte comes alone', () => {
    const all = Array.from(stream, (_, at) => at)
    expect(readLines(cut(stream, all), 60)).toEqual(modelLines(stream, 60))
  })

  const pieces = fc.oneof(
    fc.constantFrom(
      ...['\n', '\r', '\r\n', ' ', '\t', '\uFEFF', '\uFFFD', '{"a":1}', '🦀', 'é'].map(bytesOf),
    ),
    fc.uint8Array({ maxLength: 6 }),
    fc.string({ unit: 'grapheme', maxLength: 30 }).map(bytesOf),
  )

  it('make no difference to any stream (seed 20260728)', () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 40 }),
        fc.array(fc.nat(400), { maxLength: 12 }),
        fc.integer({ min: 1, max: 60 }),
        (parts, places, maxBytes) => {
          const bytes = Uint8Array.from(parts.flatMap((part) => [...part]))
          expect(readLines(cut(bytes, places), maxBytes)).toEqual(modelLines(bytes, maxBytes))
        },
      ),
      { seed: 20_260_728, numRuns: 2000 },
    )
  })

  it('make no difference to what a fuzzer makes up (seed 20260729)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
        expect(() => fuzzLines(input)).not.toThrow()
      }),
      { seed: 20_260_729, numRuns: 2000 },
    )
  })
})

describe('work', () => {
  function readingOf(chunks: Iterable<Uint8Array>, maxBytes: number): number {
    return workOf(() => {
      const reader = createLineReader({ maxBytes, onText: () => {}, onUnreadable: () => {} })
      for (const chunk of chunks) reader.push(chunk)
      reader.end()
    })
  }
  const SIZE = 128 * 1024

  it.each([1, 100, 1024, 16_384, 65_536])(
    'is linear for one long line in pieces of %i bytes',
    (size) => {
      const piece = new Uint8Array(size).fill(120)
      const once = readingOf(repeat(piece, SIZE / size), 32 << 20)
      const twice = readingOf(repeat(piece, (SIZE * 2) / size), 32 << 20)
      expect(twice / once).toBeLessThan(2.1)
      // Searched, gathered, joined, decoded, and a step for each call.
      expect(once / SIZE).toBeLessThan(size === 1 ? 10 : 6)
    },
  )

  it('is linear for a line that is skipped', () => {
    const piece = new Uint8Array(1000).fill(120)
    const once = readingOf(repeat(piece, 1000), 5000)
    const twice = readingOf(repeat(piece, 2000), 5000)
    expect(twice / once).toBeLessThan(2.1)
  })

  it('is linear for bad bytes in every line', () => {
    const piece = Uint8Array.from({ length: 1000 }, (_, at) => (at % 2 === 0 ? 0xff : 10))
    const once = readingOf(repeat(piece, 50), 5000)
    const twice = readingOf(repeat(piece, 100), 5000)
    expect(twice / once).toBeLessThan(2.1)
  })
})

describe('memory', () => {
  it('of a stream without a newline is bounded by the limit', () => {
    let size = 0
    const reader = createLineReader({
      maxBytes: 1 << 20,
      onText: () => {},
      onUnreadable: (line) => (size = line.size),
    })
    const chunk = new Uint8Array(64 * 1024).fill(120)
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    for (let turn = 0; turn < 4096; turn += 1) {
      reader.push(chunk)
      most = Math.max(most, reader.heldBytes)
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20)
    expect(most).toBeLessThanOrEqual((1 << 20) + 1)
    reader.end()
    expect(size).toBe(256 << 20)
  })

  it('of many tiny pieces is that of their bytes, not of as many arrays', () => {
    const reader = createLineReader({ maxBytes: 1 << 20, onText: () => {}, onUnreadable: () => {} })
    const before = liveBytes()
    for (let turn = 0; turn < 100_000; turn += 1) reader.push(Uint8Array.of(120))
    const after = liveBytes()
    expect(reader.heldBytes).toBe(100_000)
    expect(after.heap - before.heap).toBeLessThan(1 << 20)
    expect(after.buffers - before.buffers).toBeLessThan(256 * 1024)
  })

  it.each([new Uint8Array(1 << 20), Buffer.alloc(1 << 20)])(
    'of both ends of a long line does not keep the chunk alive',
    (chunk) => {
      const kept: Uint8Array[] = []
      const reader = createLineReader({
        maxBytes: 1000,
        onText: () => {},
        onUnreadable: ({ head, tail }) => kept.push(head, tail),
      })
      chunk.fill(120)
      chunk[chunk.length - 1] = 10
      reader.push(chunk)
      expect(kept.map(({ buffer }) => buffer.byteLength)).toEqual([EDGE_BYTES, EDGE_BYTES])
    },
  )
})
