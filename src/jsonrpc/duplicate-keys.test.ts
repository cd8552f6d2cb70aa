import { describe, expect, it } from 'vitest'
import { parseFirst } from '../../test/support/first-key-json.ts'
import { growthOf } from '../../test/support/growth.ts'
import { dice } from '../../test/support/seeded.ts'
import { readText } from './channel.ts'

const refusal = (key: string, more: object = {}): object => ({
  kind: 'malformed',
  code: -32600,
  reason: expect.stringContaining(`the key ${JSON.stringify(key)} twice`),
  ...more,
})

describe('a message that has a key twice', () => {
  it.each([
    ['method', '{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}'],
    ['jsonrpc', '{"jsonrpc":"2.0","id":1,"method":"a","jsonrpc":"2.0"}'],
    ['params', '{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1},"params":{"y":1}}'],
    ['params', '{"jsonrpc":"2.0","id":1,"method":"a","params":{},"params":null}'],
    ['other', '{"other":1,"jsonrpc":"2.0","id":1,"method":"a","other":1}'],
    ['name', '{"jsonrpc":"2.0","id":1,"method":"a","params":{"name":"x","name":"y"}}'],
    ['arguments', '{"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":{},"arguments":{}}}'],
    ['zz', '{"params":{"zz":1,"a":{"zz":3},"zz":2},"jsonrpc":"2.0","id":1,"method":"a"}'],
    ['__proto__', '{"jsonrpc":"2.0","id":1,"method":"a","params":{"__proto__":1,"__proto__":2}}'],
    ['', '{"jsonrpc":"2.0","id":1,"method":"a","params":{"":1,"":2}}'],
  ])('%j is refused, by its name and with its id [RPC-01]', (key, text) => {
    expect(readText(text)).toMatchObject(refusal(key, { id: 1 }))
  })

  it.each([
    ['method', '{"jsonrpc":"2.0","id":1,"method":"a","met\\u0068od":"b"}'],
    ['method', '{"jsonrpc":"2.0","id":1,"\\u006d\\u0065\\u0074\\u0068\\u006fd":"a","method":"b"}'],
    ['a/b', '{"jsonrpc":"2.0","id":1,"method":"m","a/b":1,"a\\/b":2}'],
    ['name', '{"jsonrpc":"2.0","id":1,"method":"a","params":{"n\\u0061me":"x","name":"y"}}'],
    ['name', '{"jsonrpc":"2.0","id":1,"method":"a","par\\u0061ms":{"name":"x","name":"y"}}'],
    ['y', '{"jsonrpc":"2.0","id":1,"method":"\\\\","y":1,"y":2}'],
    ['y', '{"jsonrpc":"2.0","id":1,"method":"\\\\\\"","y":"\\"","y":2}'],
    ['y\\', '{"jsonrpc":"2.0","id":1,"method":"a","y\\\\":"1","y\\\\":"2"}'],
    ['y"', '{"jsonrpc":"2.0","id":1,"method":"a","y\\"":"1","y\\"":"2"}'],
    ['params', '{"jsonrpc":"2.0","id":1,"method":"a","par\\u0061ms":{},"params":{}}'],
  ])('%j is refused when escapes hide it [RPC-01]', (key, text) => {
    expect(readText(text)).toMatchObject(refusal(key, { id: 1 }))
  })

  it('is refused with blanks of any kind around its marks', () => {
    const text =
      '\t{ "jsonrpc" : "2.0" ,\r\n"id"\n:\t1 , "method":"a", "params" : { "b" :1,"b"\n: 2 } } '
    expect(readText(text)).toMatchObject(refusal('b', { id: 1 }))
  })

  it('is refused without an id when that stands twice or is none [RPC-01]', () => {
    const texts = [
      '{"jsonrpc":"2.0","id":1,"method":"a","id":2}',
      '{"jsonrpc":"2.0","id":1,"method":"a","\\u0069d":1}',
      '{"jsonrpc":"2.0","id":1,"method":"a","method":"b","id":1}',
      '{"jsonrpc":"2.0","id":1.5,"method":"a","method":"b"}',
      '{"jsonrpc":"2.0","method":"a","method":"b"}',
    ]
    for (const text of texts) {
      const reading = readText(text)
      expect(reading).toMatchObject({ kind: 'malformed', code: -32600 })
      expect(reading).not.toHaveProperty('id')
    }
  })

  it('is known for an answer, so that its request fails at once', () => {
    expect(readText('{"jsonrpc":"2.0","id":7,"result":{},"result":{}}')).toMatchObject(
      refusal('result', { id: 7, answer: true }),
    )
    expect(readText('{"jsonrpc":"2.0","id":7,"id":8,"result":{}}')).not.toHaveProperty('id')
    expect(
      readText('{"jsonrpc":"2.0","id":7,"method":"m","method":"n","result":{}}'),
    ).not.toHaveProperty('answer')
  })

  it('spoils its whole batch', () => {
    const good = '{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1}}'
    expect(readText(`[${good},${good}]`)).toHaveLength(2)
    expect(readText(`[${good},{"jsonrpc":"2.0","id":2,"method":"a","method":"b"}]`)).toMatchObject(
      refusal('method'),
    )
    const twice = '{"method":"a","params":{"name":"x","name":"y"},"jsonrpc":"2.0"}'
    const reading = readText(`[${twice},${good}]`)
    expect(reading).toMatchObject(refusal('name'))
    expect(reading).not.toHaveProperty('id')
  })

  it('is named in a hundred characters at most', () => {
    const key = 'k'.repeat(5000)
    const reading = readText(`{"jsonrpc":"2.0","id":1,"method":"a","${key}":1,"${key}":2}`)
    expect(reading).toMatchObject(refusal('k'.repeat(100)))
  })
})

describe('keys that only look the same', () => {
  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"a","Method":"b","METHOD":"c"}',
    '{"jsonrpc":"2.0","id":1,"method":"a","me\\u0000thod":"b"}',
    '{"jsonrpc":"2.0","id":1,"method":"a","params":{"name":"x","Name":"y","na\\u0000me":"z"}}',
    '{"jsonrpc":"2.0","id":1,"method":"a","param\u017f":{"name":"y"},"params":{"name":"x"}}',
    '{"jsonrpc":"2.0","id":1,"method":"a","params":{"\u212Aey":1,"Key":2,"key":3}}',
    '{"jsonrpc":"2.0","id":1,"method":"a","params":{"e\u0301":1,"\u00e9":2}}',
  ])('%s are different keys, and the exact one counts [RPC-01]', (text) => {
    const reading = readText(text)
    expect(reading).toMatchObject({ kind: 'request', message: { method: 'a' } })
  })

  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"a","params":{"method":"b","id":2,"params":{"params":1}}}',
    '{"jsonrpc":"2.0","id":1,"method":"\\"method\\":1,","params":{"a":"{\\"a\\":1,\\"a\\":2}"}}',
    '{"jsonrpc":"2.0","id":1,"method":"a\\\\","params":{"x":"\\\\\\"","y":":"}}',
    '{"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":{"x":{"a":1},"y":[{"a":1},{"a":2}]}}}',
    '{"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":{"x":1,"x":2}}}',
    '{"jsonrpc":"2.0","id":1,"method":"a","x":{"b":1,"b":2},"params":{"b":1}}',
    '{"jsonrpc":"2.0","id":1,"method":"a","params":null}',
    '{"1":1,"jsonrpc":"2.0","0":2,"id":1,"method":"a","params":{"2":1,"1":2}}',
  ])('%s has none twice where it is looked for', (text) => {
    expect(readText(text)).toMatchObject({ kind: 'request', message: { id: 1 } })
  })
})

describe('another reader', () => {
  const MEMBERS = [
    '"method":"b"',
    '"m\\u0065thod":"c"',
    '"id":2',
    '"\\u0069d":3',
    '"name":"z"',
    '"na\\u006de":"q"',
    '"Name":"n"',
    '"params":{"name":"p"}',
    '"param\\u0073":null',
    '"arguments":{"method":1}',
    '"x":[{"name":1,"name":2}]',
    '"na\\u0000me":1',
    '"__proto__":{"name":"y"}',
    '"1":1',
  ]
  const TOKENS = [
    '"params"',
    '\\u006d',
    '\\"',
    '\\',
    '"',
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    ' ',
    'null',
  ]
  const SEEDS = [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"a":"b"}}}',
    '{"method":"tools/call","params":{"name":"greet","_meta":{"k":[1,{"name":2}]}},"jsonrpc":"2.0","id":"x"}',
    '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\\"id\\":1"}]}}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2}}',
    '[{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"x"}},{"jsonrpc":"2.0","method":"n"}]',
  ]

  it('that takes the first of two members sees what this one hands out, in 100,000 texts (seed 20260805)', () => {
    const luck = dice(20_260_805)
    let accepted = 0
    let twice = 0
    for (let turn = 0; turn < 100_000; turn += 1) {
      let text = luck.pick(SEEDS)
      for (let step = luck.between(1, 3); step > 0; step -= 1) {
        const place = luck.between(0, text.length)
        const mark = luck.pick(['{', ',', '}'])
        const found = text.indexOf(mark, place)
        if (found < 0 || luck.chance(0.3)) {
          text = text.slice(0, place) + luck.pick(TOKENS) + text.slice(place)
        } else if (mark === '}') {
          text = `${text.slice(0, found)},${luck.pick(MEMBERS)}${text.slice(found)}`
        } else {
          text = `${text.slice(0, found + 1)}${luck.pick(MEMBERS)},${text.slice(found + 1)}`
        }
      }
      const reading = readText(text)
      if ('kind' in reading && reading.kind === 'malformed') {
        if (reading.reason.includes('twice')) twice += 1
        continue
      }
      accepted += 1
      const read = 'message' in reading ? withoutNull(reading.message) : reading
      const first = parseFirst(text)
      const mine = JSON.stringify(read, sortKeys)
      const theirs = JSON.stringify(Array.isArray(first) ? first : withoutNull(first), sortKeys)
      if (mine !== theirs) throw new Error(`${text} is read as ${mine} and as ${theirs}`)
    }
    expect(accepted).toBeGreaterThan(5000)
    expect(twice).toBeGreaterThan(5000)
  })

  /** The reader takes `"params": null` for none. */
  function withoutNull(message: unknown): unknown {
    const entries = Object.entries(Object(message))
    return Object.fromEntries(entries.filter(([key, value]) => key !== 'params' || value !== null))
  }
  function sortKeys(_: string, value: unknown): unknown {
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value
  }
})

it.each([
  ['a string of backslashes', (size: number) => `"x":"${'\\\\'.repeat(size / 2)}"`],
  ['a string of escaped quotes', (size: number) => `"x":"${'\\"'.repeat(size / 2)}"`],
  [
    'many keys',
    (size: number) => Array.from({ length: size / 10 }, (_, at) => `"k${at}":1`).join(),
  ],
  ['one key over and over', (size: number) => '"k":1,'.repeat(size / 6) + '"k":2'],
  ['nested objects', (size: number) => `"x":[${'{"a":1},'.repeat(size / 8)}1]`],
])('reading %s takes linear time', (_, members) => {
  const texts = new Map(
    [25_000, 200_000].map((size) => [
      size,
      `{"jsonrpc":"2.0","id":1,"method":"m","params":{${members(size)}}}`,
    ]),
  )
  const growth = growthOf((size) => void readText(texts.get(size) ?? ''), 25_000, 200_000)
  expect(growth).toBeLessThan(24)
})
