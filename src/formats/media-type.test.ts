import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { accepts, mediaTypeOf } from './media-type.ts'

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'

describe('a content type', () => {
  it.each([
    'application/json',
    'Application/JSON',
    ' \tapplication/json\t ',
    'application/json; charset=utf-8',
    'application/json;charset="utf-8"',
    'application/json ; a=b;c="d;e, \\"f"',
    'application/json;',
    'application/json; odd',
  ])('of %j is application/json', (header) => {
    expect(mediaTypeOf(header)).toBe(JSON_TYPE)
  })

  it.each([
    ['text/plain; application/json', 'text/plain'],
    ['text/plain;a="b', 'text/plain'],
    ['application/json-rpc', 'application/json-rpc'],
    ['application/vnd.x+json', 'application/vnd.x+json'],
    ['text/event-stream;charset=utf-8', 'text/event-stream'],
  ])('of %j is %s', (header, type) => {
    expect(mediaTypeOf(header)).toBe(type)
  })

  it.each([
    undefined,
    null,
    '',
    ' ',
    'json',
    '/json',
    'application/',
    'application / json',
    'application/json/x',
    'application/json text/plain',
    'application/json, text/plain',
    'text/plain, application/json',
    'application/json;a="b",text/plain',
    '"application/json"',
    'application\u2044json',
    'application/\u212Ason',
    '\u00a0application/json',
    'application/json\0',
    'application/json\n',
    ';application/json',
    ',application/json',
  ])('of %j is none', (header) => {
    expect(mediaTypeOf(header)).toBeUndefined()
  })
})

describe('a list of accepted types', () => {
  it.each([
    'application/json',
    'application/json, text/event-stream',
    'text/event-stream,application/json',
    'APPLICATION/json;q=0.5',
    'text/html, */*',
    'application/*',
    '*/*;q=0.1',
    'text/html, *; q=.2',
    'application/json;charset=utf-8',
    'x/y;a="b,c", application/json',
    'application/json;q=odd',
    'application/json;q=',
    'application/json;q=0.001',
    'application/json;Q=1.0',
    '*/*;q=0, application/json',
    'application/*;q=0, application/json',
    'application/json;q=0, application/json;v=2',
    ',, application/json,',
    '',
    ' , ',
  ])('%j takes JSON', (header) => {
    expect(accepts(header, JSON_TYPE)).toBe(true)
  })

  it.each([
    'text/event-stream',
    'text/*',
    'application/xml, text/html',
    'application/json;q=0',
    'application/json; q=0.000',
    'application/json;a="b";Q=0',
    '*/*, application/json;q=0',
    'application/*, application/json;q=0',
    '*/*, application/*;q=0',
    'x/y;a="application/json, application/json"',
    'application/json/x',
    'application/jso',
    'application/json-x',
    '*/json',
    'application',
    'application/\u212Ason',
    ';q=1',
  ])('%j does not take JSON', (header) => {
    expect(accepts(header, JSON_TYPE)).toBe(false)
  })

  it('takes all when there is none', () => {
    expect(accepts(undefined, JSON_TYPE)).toBe(true)
    expect(accepts(null, STREAM_TYPE)).toBe(true)
  })

  it('takes what it names and nothing that only begins like it', () => {
    expect(accepts('text/event-stream', STREAM_TYPE)).toBe(true)
    expect(accepts('text/event', STREAM_TYPE)).toBe(false)
  })
})

it.each(['"', '\\"', ',', ';', ';q=', '0', '0.', ' ', 'a/', '";,'])(
  'is read in linear time when it is nothing but %j',
  (unit) => {
    const growth = growthOf(
      (size) => {
        const header = `a/b;q=0${unit.repeat(size / unit.length)}x`
        mediaTypeOf(header)
        accepts(header, JSON_TYPE)
      },
      50_000,
      400_000,
    )
    expect(growth).toBeLessThan(20)
  },
)
