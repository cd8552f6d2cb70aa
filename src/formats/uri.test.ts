import { describe, expect, it } from 'vitest'
import { isUri, MAX_URI, schemeOf } from './uri.ts'

describe('a URI', () => {
  it.each([
    'file:///a/b.txt',
    'https://user@example.org:8080/a?b=c&d#e',
    'http://[2001:db8::1]/',
    'urn:isbn:0451450523',
    'mailto:a@b.c',
    'x+y-z.1:',
    'test://template/{id}/data'.replace('{id}', '%7Bid%7D'),
    "a:!$&'()*+,;=:@-._~",
  ])('is taken as one: %s [RES-11]', (uri) => {
    expect(isUri(uri)).toBe(true)
  })

  it.each([
    '',
    'a',
    '/a/b',
    '//host/a',
    ':a',
    '1a:b',
    'a b:c',
    'file:///a b',
    'file:///ü',
    'file:///%',
    'file:///%4',
    'file:///%zz',
    'file:///a\\b',
    'file:///{a}',
    'file:///a\n',
    'file:///a\u0000',
    'file:///<a>',
    'a:b#c#d',
    `a:${'b'.repeat(MAX_URI)}`,
  ])('is none: %j [RES-08, RES-11]', (uri) => {
    expect(isUri(uri)).toBe(false)
  })

  it('takes time in proportion to its length, whatever stands in it', () => {
    // With square work for each of so many this would last many times as long as a test may.
    const nasty = '%41'.repeat(MAX_URI / 3 - 10)
    const found = Array.from({ length: 10_000 }, (_, at) => isUri(`a${at}:${nasty}%`))
    expect(found).not.toContain(true)
    expect(isUri(`a:${nasty}`)).toBe(true)
  })

  it('has a scheme in lower case, or none', () => {
    expect([schemeOf('HTTPS://a'), schemeOf('a'), schemeOf(':a'), schemeOf('1:a')]).toEqual([
      'https',
      undefined,
      undefined,
      undefined,
    ])
  })
})
