/** An event stream cut anywhere, against a model and against another reader. */
import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cut } from '../../test/support/ndjson-model.ts'
import { fuzzEvents, modelEvents, readEvents } from '../../test/support/sse-model.ts'

const encoder = new TextEncoder()
const bytesOf = (text: string): Uint8Array => encoder.encode(text)
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...bytesOf(part)] : part)))

const corpus = bytes(
  '\uFEFF: welcome\r\nid: 1\r\nevent: message\r\ndata: {"é":"日本語 🦀"}\r\n\r\n\r',
  'data: one\rdata:two\r\r:\n\nid: 2\0\nid: 22\ndata\n\nretry: 15\ndata:  three\n\n',
  'event: e\ndata: ',
  [0xf0, 0x9f, 0xa6],
  '\n\nid\ndata: ',
  'long '.repeat(20),
  '\n\nretry:x\nunknown: y\nda',
  [0xff],
  'ta: z\ndata: \uFFFD\n\ndata: cut',
)

describe('borders of chunks', () => {
  const expected = modelEvents(corpus, 60)

  it('make no difference, wherever one falls [HTTP-39]', () => {
    expect(expected.outcomes.length).toBe(9)
    for (let at = 0; at <= corpus.length; at += 1) {
      expect(readEvents(cut(corpus, [at]), 60)).toEqual(expected)
    }
  })

  it('make no difference, wherever two fall', () => {
    for (let first = 0; first < corpus.length; first += 11) {
      for (let second = first; second <= corpus.length; second += 1) {
        expect(readEvents(cut(corpus, [first, second]), 60)).toEqual(expected)
      }
    }
  })

  it('make no difference when every byte comes alone', () => {
    expect(
      readEvents(
        Array.from(corpus, (byte) => Uint8Array.of(byte)),
        60,
      ),
    ).toEqual(expected)
  })

  const line = fc.constantFrom(
    'data',
    'data:',
    'data: {"a":1}',
    'event: e',
    'event',
    'id: 1',
    'id',
    'id:\0',
    ': c',
    ':',
    'retry: 5',
    'retry',
    'x',
    'data: 🦀',
    'dat',
    '',
    '',
    '',
    '\uFEFF',
    'data: \uFFFD',
  )
  const end = fc.constantFrom('\n', '\n', '\r', '\r\n')
  const piece = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(line, end).map(([text, stop]) => bytesOf(text + stop)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 6 }) },
    { weight: 1, arbitrary: fc.string({ maxLength: 30 }).map(bytesOf) },
  )

  it('make no difference to any stream (seed 20260728)', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.nat(400), { maxLength: 12 }),
        fc.integer({ min: 1, max: 60 }),
        (parts, places, maxEventBytes) => {
          const stream = Uint8Array.from(parts.flatMap((part) => [...part]))
          expect(readEvents(cut(stream, places), maxEventBytes)).toEqual(
            modelEvents(stream, maxEventBytes),
          )
        },
      ),
      { seed: 20_260_728, numRuns: 3000 },
    )
  })

  it('make no difference to what a fuzzer makes up (seed 20260729)', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.nat(255), fc.array(piece), (limit, step, parts) => {
        const input = Uint8Array.from([limit, step, ...parts.flatMap((part) => [...part])])
        expect(() => fuzzEvents(input)).not.toThrow()
      }),
      { seed: 20_260_729, numRuns: 2000 },
    )
  })
})

describe('beside another reader', () => {
  /** Events as the package `eventsource-parser` gives them, with ids that stand as the HTML standard wants. */
  function others(text: string): readonly object[] {
    const events: object[] = []
    const parser = createParser({
      onEvent: ({ event = 'message', data }) => void (data !== '' && events.push({ event, data })),
      onComment: () => void events.push({ comment: 1 }),
      onRetry: (ms) => void events.push({ retry: ms }),
    })
    // It waits for more behind a CR at the end.
    parser.feed(text.endsWith('\r') ? `${text}\n` : text)
    return events
  }
  const ours = (stream: Uint8Array): readonly object[] =>
    readEvents([stream], 1 << 20).outcomes.map((outcome) =>
      'data' in outcome ? { event: outcome['event'], data: outcome['data'] } : outcome,
    )

  it('gives the same events for all streams of text (seed 20260730)', () => {
    const words = fc.constantFrom(
      'data: a',
      'data:',
      'data',
      'data:  {"x":1}',
      'event: e',
      'event:',
      'id: 4',
      ': c',
      ':',
      'retry: 12',
      'retry: z',
      'foo: bar',
      'data: 日本',
      ' data: x',
      '',
      '',
      '',
    )
    const ends = fc.constantFrom('\n', '\r', '\r\n')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(words, ends), { maxLength: 30 }),
        fc.constantFrom('', 'data: cut'),
        (lines, rest) => {
          const text = lines.map(([word, end]) => word + end).join('') + rest
          expect(ours(bytesOf(text))).toEqual(others(text))
        },
      ),
      { seed: 20_260_730, numRuns: 3000 },
    )
  })
})
