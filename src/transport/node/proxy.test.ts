import { describe, expect, it } from 'vitest'
import { parseProxy, proxyFromEnvironment } from './proxy.ts'

const nameFor = (url: string, variables: Record<string, string>): string | undefined =>
  proxyFromEnvironment(new URL(url), variables)?.name

describe('the proxy of the environment', () => {
  it('is that of the scheme, or else the one for all', () => {
    const variables = { HTTP_PROXY: 'http://plain:1', HTTPS_PROXY: 'http://secure:2' }
    expect(nameFor('http://a.test/', variables)).toBe('plain:1')
    expect(nameFor('https://a.test/', variables)).toBe('secure:2')
    expect(nameFor('https://a.test/', { ALL_PROXY: 'all:3' })).toBe('all:3')
    expect(nameFor('http://a.test/', { ALL_PROXY: 'all:3' })).toBe('all:3')
    expect(nameFor('http://a.test/', {})).toBeUndefined()
  })

  it('is read in lower case first, and an empty value counts as none', () => {
    expect(nameFor('http://a.test/', { http_proxy: 'low:1', HTTP_PROXY: 'up:2' })).toBe('low:1')
    expect(nameFor('http://a.test/', { http_proxy: '', HTTP_PROXY: '' })).toBeUndefined()
  })

  it('is not taken from a header of whoever asks, as in a CGI process', () => {
    const variables = { REQUEST_METHOD: 'GET', HTTP_PROXY: 'evil:1' }
    expect(nameFor('http://a.test/', variables)).toBeUndefined()
    expect(nameFor('http://a.test/', { ...variables, http_proxy: 'ours:2' })).toBe('ours:2')
  })

  it.each([
    'http://localhost:3000/',
    'http://127.8.9.1/',
    'http://[::1]:1/',
    'http://a.localhost/',
  ])('is none for this machine: %s', (url) => {
    expect(nameFor(url, { HTTP_PROXY: 'plain:1', ALL_PROXY: 'all:1' })).toBeUndefined()
  })

  it.each([
    ['*', 'https://any.test/', true],
    ['a.test', 'https://a.test/', true],
    ['a.test', 'https://deep.a.test/', true],
    ['.a.test', 'https://a.test/', true],
    ['*.a.test', 'https://b.a.test/', true],
    ['A.Test', 'https://a.test/', true],
    ['x.test, a.test', 'https://a.test/', true],
    ['x.test a.test', 'https://a.test/', true],
    ['a.test:443', 'https://a.test/', true],
    ['a.test:8443', 'https://a.test:8443/', true],
    ['[2001:db8::1]:443', 'https://[2001:db8::1]/', true],
    ['2001:db8::1', 'https://[2001:db8::1]/', true],
    ['10.0.0.1', 'https://10.0.0.1/', true],
    ['a.test:8443', 'https://a.test/', false],
    ['a.test', 'https://ba.test/', false],
    ['', 'https://a.test/', false],
    ['test', 'https://a.testing/', false],
    [',', 'https://a.test/', false],
  ])('NO_PROXY=%j and %s: direct is %s', (list, url, direct) => {
    const name = nameFor(url, { HTTPS_PROXY: 'p:1', NO_PROXY: list })
    expect(name).toBe(direct ? undefined : 'p:1')
  })
})

describe('the address of a proxy', () => {
  it('may have credentials, which are no part of its name', () => {
    expect(parseProxy('http://me:p%40ss@proxy.test:3128')).toEqual({
      secure: false,
      host: 'proxy.test',
      port: 3128,
      authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
      name: 'proxy.test:3128',
    })
  })

  it('is one of HTTP when it says no scheme, and has the port of its scheme', () => {
    expect(parseProxy('proxy.test:3128')).toMatchObject({ secure: false, port: 3128 })
    expect(parseProxy('http://proxy.test')).toMatchObject({ secure: false, port: 80 })
    expect(parseProxy('https://[::1]')).toMatchObject({ secure: true, port: 443, host: '::1' })
  })

  it.each(['socks5://proxy.test:1080', 'http://', 'ftp://x'])('is not %s', (given) => {
    expect(() => parseProxy(given)).toThrow(expect.objectContaining({ code: 'DP_USAGE' }))
  })
})
