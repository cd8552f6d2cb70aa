import { describe, expect, it } from 'vitest'
import { isAtHost, isHostPattern, MAX_JUDGED_URL } from './url-host.ts'

describe('a URL at a host', () => {
  it.each([
    ['example.org', 'https://example.org/'],
    ['example.org', 'HTTPS://EXAMPLE.ORG:8443/a?b#c'],
    ['example.org', 'https://example.org.'],
    ['example.org:8443', 'https://example.org:8443/'],
    ['example.org:443', 'https://example.org/'],
    ['example.org:80', 'ws://example.org/'],
    ['*.example.org', 'https://a.b.example.org/'],
    ['b\u00fccher.example', 'https://xn--bcher-kva.example/'],
    ['127.0.0.1', 'http://2130706433/'],
    ['127.0.0.1', 'http://0x7f.1/'],
    ['[::1]', 'http://[0:0:0:0:0:0:0:1]:3000/'],
  ])('%s: %s is', (host, url) => {
    expect(isAtHost(host, url)).toBe('yes')
  })

  it.each([
    ['example.org', 'https://example.org.evil.test/'],
    ['example.org', 'https://evil.test/example.org'],
    ['example.org', 'https://evil.test/?u=https://example.org'],
    ['example.org', 'https://notexample.org/'],
    ['example.org', 'https://a.example.org/'],
    ['example.org:8443', 'https://example.org/'],
    ['*.example.org', 'https://example.org/'],
    ['*.example.org', 'https://evilexample.org/'],
    ['example.org', 'https://ex\u0430mple.org/'],
  ])('%s: %s is not', (host, url) => {
    expect(isAtHost(host, url)).toBe('no')
  })

  it.each([
    'https://example.org@evil.test/',
    'https://user:word@example.org/',
    'https://@example.org/',
    'https://example.org\\@evil.test/',
    'https:example.org',
    'https:///example.org',
    'https:/\\example.org',
    ' https://example.org/',
    'https://exam\tple.org/',
    'https://example.org/\u0000',
    '//example.org/',
    'example.org',
    'javascript:location="https://example.org"',
    'file://example.org/etc',
    'data:text/plain,x',
    'https://example.org:99999/',
    '',
    `https://example.org/${'a'.repeat(MAX_JUDGED_URL)}`,
  ])('is undecided for %j', (url) => {
    expect(isAtHost('example.org', url)).toBe('unsure')
  })

  it.each([
    '',
    '*',
    '*.*',
    'a*.example.org',
    'https://example.org',
    'a/b',
    'a b',
    'u@example.org',
    '*.',
  ])('has no host %j to judge by', (pattern) => {
    expect(isHostPattern(pattern)).toBe(false)
    expect(isAtHost(pattern, 'https://example.org/')).toBe('unsure')
  })
})
