import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { heardEvents as heard, readEvents } from '../../test/support/sse-model.ts'
import { createSseReader, writeEvent } from './sse.ts'

const LIMIT = 1024
const encoder = new TextEncoder()
const bytesOf = (text: string): Uint8Array => encoder.encode(text)
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...bytesOf(part)] : part)))
const message = (data: string, id = ''): object => ({ event: 'message', data, id })

describe('an event stream', () => {
  it('gives one event for each block of lines [HTTP-39]', () => {
    expect(heard('data: {"a":1}\n\nevent: endpoint\ndata: /x\n\ndata:{"b":2}\n\n')).toEqual([
      message('{"a":1}'),
      { event: 'endpoint', data: '/x', id: '' },
      message('{"b":2}'),
    ])
  })

  it.each(['\n', '\r', '\r\n'])('takes %j for the end of a line [HTTP-39]', (end) => {
    const lines = [': hello', 'event: a', 'data: 1', 'data: 2', '', '', 'data: 3', '', '']
    expect(heard(lines.join(end))).toEqual([
      { comment: 1 },
      { event: 'a', data: '1\n2', id: '' },
      message('3'),
    ])
  })

  it('takes mixed line ends, and CR LF for one end [HTTP-39]', () => {
    expect(heard('data: 1\rdata: 2\r\ndata: 3\n\r\ndata: 4\r\rdata: 5\n\n')).toEqual([
      message('1\n2\n3'),
      message('4'),
      message('5'),
    ])
  })

  it('does not wait for a LF behind a CR that ends an event', () => {
    const events: unknown[] = []
    const reader = createSseReader({
      maxEventBytes: LIMIT,
      onEvent: ({ data }) => events.push(data),
      onUnreadable: () => {},
    })
    reader.push(bytesOf('data: 1\r\r'))
    expect(events).toEqual(['1'])
    reader.push(bytesOf('\ndata: 2\r\n\r'))
    expect(events).toEqual(['1', '2'])
    reader.push(bytesOf('\n\n\n'))
    expect(events).toEqual(['1', '2'])
  })

  it('removes one blank behind the colon and no more [HTTP-39]', () => {
    expect(heard('data:a\n\ndata: a\n\ndata:  a\n\ndata:\ta \n\n')).toEqual([
      message('a'),
      message('a'),
      message(' a'),
      message('\ta '),
    ])
  })

  it('ignores one byte order mark at the very start and keeps all others [HTTP-39]', () => {
    expect(heard('\uFEFFdata: \uFEFFx\n\n')).toEqual([message('\uFEFFx')])
    expect(heard('\uFEFF\uFEFFdata: x\n\ndata: y\n\n')).toEqual([message('y')])
    expect(heard('data: x\n\n\uFEFFdata: y\n\n')).toEqual([message('x')])
  })

  it('takes what only begins like a byte order mark for an unknown field', () => {
    expect(heard(bytes([0xef, 0xbb], 'data: x\ndata: y\n\n'))).toEqual([message('y')])
    expect(heard(bytes([0xef], '\ndata: y\n\n'))).toEqual([message('y')])
  })

  it('hears comments and makes nothing of them [HTTP-39]', () => {
    expect(heard(':\n:\n\n: data: x\ndata: 1\n:data: 2\n\n')).toEqual([
      { comment: 1 },
      { comment: 1 },
      { comment: 1 },
      { comment: 1 },
      message('1'),
    ])
  })

  it('ignores unknown fields, and known names in another case or with a blank [HTTP-39]', () => {
    const lines = 'Data: 1\ndata : 2\n data: 3\ndatax: 4\ndat\nd\nids: 5\nevents: 6\nretry : 7\n'
    expect(heard(`${lines}data: 8\n\n`)).toEqual([message('8')])
  })

  it('takes a line without a colon for a field without a value [HTTP-39]', () => {
    expect(heard('data\ndata\n\nid: 1\nevent: e\nevent\nid\ndata: x\n\n')).toEqual([
      message('\n'),
      message('x'),
    ])
  })

  it('gives no event without data, and its name goes with it [HTTP-39]', () => {
    expect(heard('event: gone\n\ndata: x\n\n\n\n')).toEqual([message('x')])
  })

  it('gives no event whose data is empty; its id counts all the same [HTTP-39]', () => {
    for (const data of ['data', 'data:', 'data: ', '']) {
      const stream = bytesOf(`id: 7\n${data}\n\ndata: x\n\n`)
      expect(readEvents([stream], LIMIT)).toEqual({
        outcomes: [message('x', '7')],
        lastEventId: '7',
      })
    }
  })

  it('keeps NUL and other controls in data', () => {
    expect(heard('data: a\0b\u0001\u2028\u0085\n\n')).toEqual([message('a\0b\u0001\u2028\u0085')])
  })

  it('drops an event that the end cuts off [HTTP-39]', () => {
    for (const rest of ['data: y', 'data: y\n', 'event: e\ndata: y\r\n', 'id: 5\ndata: y\n']) {
      const { outcomes, lastEventId } = readEvents([bytesOf(`id: 4\ndata: x\n\n${rest}`)], LIMIT)
      expect(outcomes).toEqual([message('x', '4')])
      expect(lastEventId).toBe('4')
    }
  })
})

describe('ids', () => {
  it('stand until another comes, an empty one too [HTTP-39]', () => {
    expect(heard('id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\nid\ndata: d\n\n')).toEqual([
      message('a', '1'),
      message('b', '1'),
      message('c', '2'),
      message('d', ''),
    ])
  })

  it('with NUL in them are ignored [HTTP-39]', () => {
    expect(heard('id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n')).toEqual([
      message('a', '1'),
      message('b', '1'),
    ])
  })

  it('count when their event is whole and not before [HTTP-39]', () => {
    const reader = createSseReader({
      maxEventBytes: LIMIT,
      onEvent: () => {},
      onUnreadable: () => {},
    })
    reader.push(bytesOf('id: 1\n'))
    expect(reader.lastEventId).toBe('')
    reader.push(bytesOf('\n'))
    expect(reader.lastEventId).toBe('1')
  })

  it('outlive the end of a stream, but for that of an unfinished event', () => {
    const events: unknown[] = []
    const reader = createSseReader({
      maxEventBytes: LIMIT,
      onEvent: (event) => events.push(event),
      onUnreadable: () => {},
    })
    reader.push(bytesOf('id: 1\ndata: a\n\nid: 2\nevent: e\ndata: b\n'))
    reader.end()
    expect(reader.lastEventId).toBe('1')
    reader.push(bytesOf('\uFEFFdata: c\n\n'))
    expect(events).toEqual([message('a', '1'), message('c', '1')])
  })

  it('of an unreadable event count, so that it is not asked for again', () => {
    const stream = bytes('id: 9\ndata: ', [0xff], '\n\n')
    expect(readEvents([stream], LIMIT).lastEventId).toBe('9')
    expect(readEvents([bytesOf(`id: 8\ndata: ${'x'.repeat(11)}\n\n`)], 10).lastEventId).toBe('8')
  })
})

describe('retry', () => {
  it('is heard at once when it is nothing but digits [HTTP-39]', () => {
    expect(heard('retry: 1500\nretry:0\nretry: 007\n')).toEqual([
      { retry: 1500 },
      { retry: 0 },
      { retry: 7 },
    ])
  })

  it.each(['', ' 15', '-1', '1.5', '1e3', '10s', '٣', '0x10', '+1', '1\0'])(
    'is ignored when it is %j [HTTP-39]',
    (value) => {
      expect(heard(`retry: ${value}\n\n`)).toEqual([])
    },
  )

  it('is never more than a number can say', () => {
    expect(heard(`retry: ${'9'.repeat(400)}\n`)).toEqual([{ retry: Number.MAX_SAFE_INTEGER }])
  })
})

describe('bytes that are not UTF-8', () => {
  const bad: readonly (readonly [string, readonly number[]])[] = [
    ['a lone continuation', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a cut sequence', [0xe2, 0x82]],
  ]

  it.each(bad)('make only the event with %s unreadable [RPC-02]', (_, wrong) => {
    const stream = bytes('data: a\n\ndata: "', wrong, '"\n\ndata: b\n\n')
    expect(heard(stream)).toMatchObject([
      message('a'),
      { reason: 'not-utf8', size: wrong.length + 2 },
      message('b'),
    ])
  })

  it('are handed over as they came, lines joined', () => {
    expect(heard(bytes('event: e\nid: 3\ndata: a', [0xff], '\ndata: b\n\n'))).toEqual([
      { reason: 'not-utf8', size: 4, head: '61ff0a62', tail: '', event: 'e', id: '3' },
    ])
  })

  it('are not made good by a line end inside of a sequence', () => {
    expect(heard(bytes('data: ', [0xe2, 0x82], '\ndata: ', [0xac], '\n\n'))).toMatchObject([
      { reason: 'not-utf8' },
    ])
  })

  it('in a name or an id spoil their event; in comments and unknown fields nothing', () => {
    expect(heard(bytes('event: ', [0xff], '\ndata: a\n\ndata: b\n\n'))).toMatchObject([
      { reason: 'not-utf8', head: '61' },
      message('b'),
    ])
    expect(heard(bytes('id: 1\n\nid: ', [0xff], '\ndata: a\n\n'))).toMatchObject([
      { reason: 'not-utf8', id: '1' },
    ])
    expect(
      heard(bytes(': ', [0xff], '\nx: ', [0xff], '\nretry: ', [0xff], '\ndata: b\n\n')),
    ).toEqual([{ comment: 1 }, message('b')])
  })

  it('are not what a replacement character is that was sent', () => {
    expect(heard('data: \uFFFD\n\n')).toEqual([message('\uFFFD')])
  })
})

describe('written events', () => {
  it('have their fields in lines of their own and end with an empty one', () => {
    expect(writeEvent({ data: '{"a":1}' })).toBe('data: {"a":1}\n\n')
    expect(writeEvent({ event: 'endpoint', id: '5', retry: 100, data: 'x' })).toBe(
      'event: endpoint\nid: 5\nretry: 100\ndata: x\n\n',
    )
    expect(writeEvent({ id: '5', data: '' })).toBe('id: 5\ndata: \n\n')
  })

  it('do not name an event that is a message anyway', () => {
    expect(writeEvent({ event: 'message', data: 'x' })).toBe('data: x\n\n')
  })

  it('carry line ends as lines of data', () => {
    expect(writeEvent({ data: 'a\nb\r\nc\rd\n' })).toBe(
      'data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n',
    )
  })

  it.each([
    [{ event: 'a\nb' }],
    [{ event: 'a\rdata: forged' }],
    [{ id: '1\n\ndata: forged' }],
    [{ id: '1\0' }],
    [{ retry: -1 }],
    [{ retry: 1.5 }],
    [{ retry: Number.NaN }],
  ])('are refused with %j, which a line cannot hold', (fields) => {
    expect(() => writeEvent({ data: 'x', ...fields })).toThrow(
      expect.objectContaining({ code: 'DP_USAGE' }),
    )
  })

  it('are read as what was written (seed 20260731)', () => {
    const oneLine = fc
      .string({ unit: fc.constantFrom('a', ' ', ':', '🦀', '\t', '\uFEFF') })
      .filter((text) => text !== '')
    fc.assert(
      fc.property(
        fc.array(
          fc.record(
            {
              event: oneLine,
              id: oneLine,
              data: fc
                .string({ unit: fc.constantFrom('a', '\n', ' ', ':', '日', '\0', '{') })
                .filter((text) => text !== ''),
            },
            { requiredKeys: ['data'] },
          ),
        ),
        (events) => {
          const stream = bytesOf(events.map((event) => writeEvent(event)).join(''))
          let id = ''
          const expected = events.map((event) => {
            id = event.id ?? id
            return { event: event.event ?? 'message', data: event.data, id }
          })
          expect(readEvents([stream], 1 << 20).outcomes).toEqual(expected)
        },
      ),
      { seed: 20_260_731, numRuns: 1000 },
    )
  })
})
