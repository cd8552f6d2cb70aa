/** What an event stream of any size costs: its limits, the work and the memory. */
import { describe, expect, it } from 'vitest'
import { repeat, workOf } from '../../test/support/byte-work.ts'
import { liveBytes } from '../../test/support/heap.ts'
import { cut } from '../../test/support/ndjson-model.ts'
import { heardEvents as heard, modelEvents, readEvents } from '../../test/support/sse-model.ts'
import { EDGE_BYTES } from './byte-ends.ts'
import { createSseReader, MAX_FIELD_BYTES, type SseReader } from './sse.ts'

const LIMIT = 1024
const encoder = new TextEncoder()
const bytesOf = (text: string): Uint8Array => encoder.encode(text)
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...bytesOf(part)] : part)))
const message = (data: string): object => ({ event: 'message', data, id: '' })

describe('the limit', () => {
  it.each(['\n', '\r', '\r\n'])('is the exact number of bytes of data, with %j', (end) => {
    expect(heard(`data: ${'x'.repeat(LIMIT)}${end}${end}`)).toEqual([message('x'.repeat(LIMIT))])
    expect(heard(`data: ${'x'.repeat(LIMIT + 1)}${end}${end}`)).toMatchObject([
      { reason: 'too-large', size: LIMIT + 1 },
    ])
  })

  it('counts bytes and not characters, and the newlines between lines', () => {
    expect(heard('data: éé\n\n', 4)).toEqual([message('éé')])
    expect(heard('data: ééx\n\n', 4)).toMatchObject([{ reason: 'too-large', size: 5 }])
    expect(heard('data: ab\ndata: c\n\n', 4)).toEqual([message('ab\nc')])
    expect(heard('data: ab\ndata: cd\n\n', 4)).toMatchObject([{ reason: 'too-large', size: 5 }])
    expect(heard('data\n'.repeat(7).concat('\n'), 4)).toMatchObject([{ size: 6, tail: '' }])
  })

  it('costs the large event only, not its neighbours', () => {
    const large = `data: ${'x'.repeat(3 * LIMIT)}\n\n`
    expect(heard(`data: a\n\n${large}data: b\n\n${large}data: c\n\n`)).toMatchObject([
      message('a'),
      { reason: 'too-large' },
      message('b'),
      { reason: 'too-large' },
      message('c'),
    ])
  })

  it('keeps the first and the last 64 KiB of larger data, and its size and name', () => {
    const data = `head${'-'.repeat(300_000)}tail`
    const stream = bytesOf(`id: 4\nevent: big\ndata: ${data}\n\n`)
    const expected = modelEvents(stream, LIMIT)
    expect(expected.outcomes).toMatchObject([
      { reason: 'too-large', size: data.length, event: 'big', id: '4' },
    ])
    expect(readEvents([stream], LIMIT)).toEqual(expected)
    expect(readEvents(cut(stream, [3, 1000, 2000, 200_000]), LIMIT)).toEqual(expected)
  })

  it.each(['id', 'event'])('of a field %s is 64 KiB; a longer one spoils its event', (name) => {
    const fits = 'f'.repeat(MAX_FIELD_BYTES - name.length - 1)
    for (const end of ['\n', '\r\n']) {
      const stream = bytesOf(
        `${name}:${fits}${end}data: a${end}${end}${name}:${fits}f${end}data: b${end}${end}`,
      )
      const expected = modelEvents(stream, LIMIT)
      expect(expected.outcomes).toMatchObject([{ data: 'a' }, { reason: 'too-large', size: 1 }])
      expect(readEvents([stream], LIMIT)).toEqual(expected)
      expect(readEvents(cut(stream, [5, 70_000]), LIMIT)).toEqual(expected)
    }
  })

  it('does not hold for comments and unknown fields, which are not kept at all', () => {
    const reader = createSseReader({
      maxEventBytes: LIMIT,
      onEvent: () => {},
      onUnreadable: () => {},
    })
    for (const start of [':', 'x:', 'retry: 1']) {
      reader.push(bytesOf(start))
      for (const chunk of repeat(new Uint8Array(1000).fill(49), 200)) reader.push(chunk)
      expect(reader.heldBytes).toBeLessThanOrEqual(MAX_FIELD_BYTES)
      reader.push(bytesOf('\n'))
      expect(reader.heldBytes).toBe(0)
    }
  })
})

const deaf = (maxEventBytes: number): SseReader =>
  createSseReader({ maxEventBytes, onEvent: () => {}, onUnreadable: () => {} })

describe('work', () => {
  const readingOf = (chunks: Iterable<Uint8Array>, maxEventBytes = 32 << 20): number =>
    workOf(() => {
      const reader = deaf(maxEventBytes)
      for (const chunk of chunks) reader.push(chunk)
      reader.end()
    })
  function* after(start: string, chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
    yield bytesOf(start)
    yield* chunks
    yield bytesOf('\n\n')
  }
  const SIZE = 128 * 1024

  it.each([1, 100, 1024, 16_384, 65_536])(
    'is linear for one endless line of data in pieces of %i bytes',
    (size) => {
      const piece = new Uint8Array(size).fill(120)
      for (const limit of [32 << 20, 5000]) {
        const once = readingOf(after('data: ', repeat(piece, SIZE / size)), limit)
        const twice = readingOf(after('data: ', repeat(piece, (SIZE * 2) / size)), limit)
        expect(twice / once).toBeLessThan(2.2)
        expect(once / SIZE).toBeLessThan(size === 1 ? 16 : 8)
      }
    },
  )

  it.each(['event: ', 'id: ', 'retry: ', ': ', 'unknown: ', 'd', ''])(
    'is linear for an endless line that begins with %j',
    (start) => {
      const piece = new Uint8Array(100).fill(48)
      const once = readingOf(after(start, repeat(piece, 1500)))
      const twice = readingOf(after(start, repeat(piece, 3000)))
      expect(twice / once).toBeLessThan(2.5)
    },
  )

  it.each(['data\n', 'data:\r', 'data: x\r\n', '\n', ':\n', '\r', 'data: x\n\n', 'id: 1\n', 'x\n'])(
    'is linear for %j over and over, in whatever pieces',
    (unit) => {
      for (const per of [1, 7, 5000]) {
        const piece = bytesOf(unit.repeat(per))
        const times = Math.ceil(20_000 / piece.length)
        const once = readingOf(repeat(piece, times))
        const twice = readingOf(repeat(piece, times * 2))
        expect(twice / once).toBeLessThan(2.5)
        expect(once / 20_000).toBeLessThan(20)
      }
    },
  )

  it('is linear for bad bytes in every event', () => {
    const piece = bytes(...Array.from({ length: 100 }, () => ['data: ', [0xff], '\n\n']).flat())
    const once = readingOf(repeat(piece, 20))
    const twice = readingOf(repeat(piece, 40))
    expect(twice / once).toBeLessThan(2.1)
  })
})

describe('memory', () => {
  it('of an endless event is bounded by the limit', () => {
    let size = 0
    const reader = createSseReader({
      maxEventBytes: 1 << 20,
      onEvent: () => {},
      onUnreadable: (event) => (size = event.size),
    })
    const chunk = new Uint8Array(64 * 1024).fill(120)
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    reader.push(bytesOf('data: '))
    for (let turn = 0; turn < 4096; turn += 1) {
      reader.push(chunk)
      most = Math.max(most, reader.heldBytes)
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20)
    expect(most).toBeLessThanOrEqual(1 << 20)
    reader.push(bytesOf('\n\n'))
    expect(size).toBe(256 << 20)
  })

  it('of many empty lines of data is that of their bytes, not of as many strings', () => {
    const reader = deaf(1 << 20)
    const before = liveBytes()
    for (const chunk of repeat(bytesOf('data\n'.repeat(1000)), 500)) reader.push(chunk)
    const after = liveBytes()
    expect(reader.heldBytes).toBe(499_999)
    expect(after.heap - before.heap).toBeLessThan(1 << 20)
    expect(after.buffers - before.buffers).toBeLessThan(2 << 20)
  })

  it('of both ends of a large event does not keep the chunk alive', () => {
    const kept: Uint8Array[] = []
    const reader = createSseReader({
      maxEventBytes: 1000,
      onEvent: () => {},
      onUnreadable: ({ head, tail }) => kept.push(head, tail),
    })
    reader.push(bytesOf(`data: ${'x'.repeat(1 << 20)}\n\n`))
    expect(kept.map(({ buffer }) => buffer.byteLength)).toEqual([EDGE_BYTES, EDGE_BYTES])
  })
})
