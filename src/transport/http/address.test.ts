import { describe, expect, it } from 'vitest'
import { parseAddress, sameOrigin } from './address.ts'

describe('the address of a server', () => {
  it('is named without credentials, query and fragment', () => {
    const { name, url } = parseAddress('https://me:hunter2@example.test:8443/mcp?key=s3cret#top')
    expect(name).toBe('https://example.test:8443/mcp?…')
    expect(url).toBe('https://example.test:8443/mcp?key=s3cret')
  })

  it('turns credentials in the URL into an authorization header, as UTF-8', () => {
    const { authorization } = parseAddress('http://j%C3%B6rg:p%40ss@example.test/')
    expect(authorization).toBe(`Basic ${Buffer.from('jörg:p@ss').toString('base64')}`)
    expect(parseAddress('http://example.test/').authorization).toBeUndefined()
  })

  it('takes a stray percent sign in credentials as it is', () => {
    const { authorization } = parseAddress('http://me:100%@example.test/')
    expect(authorization).toBe(`Basic ${Buffer.from('me:100%').toString('base64')}`)
  })

  it.each(['ftp://example.test/mcp', 'file:///etc/passwd', 'javascript:alert(1)', 'ws://a/b'])(
    'is not %s',
    (url) => {
      expect(() => parseAddress(url)).toThrow(expect.objectContaining({ code: 'DP_USAGE' }))
    },
  )

  it('tells of a text that is no URL without repeating it', () => {
    expect(() => parseAddress('me:hunter2@example')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    )
  })
})

describe('an address that the server names', () => {
  it('is resolved against the one that was asked, its credentials left out', () => {
    expect(sameOrigin('https://a.test/base/sse', 'messages?sid=1&x=a%20b', 'It')).toBe(
      'https://a.test/base/messages?sid=1&x=a%20b',
    )
    expect(sameOrigin('https://a.test/sse', 'https://u:p@a.test/m#f', 'It')).toBe(
      'https://a.test/m',
    )
  })

  it.each([
    ['another host', 'https://evil.test/mcp'],
    ['another port', 'https://a.test:8443/mcp'],
    ['another scheme', 'http://a.test/mcp'],
    ['a host behind two slashes', '//evil.test/mcp'],
    ['a host behind slashes the other way', String.raw`\\evil.test\mcp`],
    ['no address of a host', 'data:text/plain,x'],
    ['nothing that can be read', 'https://['],
  ])('is refused when it is %s [HSSE-08]', (_, named) => {
    expect(() => sameOrigin('https://a.test/sse', named, 'It')).toThrow(
      expect.objectContaining({ code: 'DP_TRANSPORT_ORIGIN' }),
    )
  })

  it('is named in the refusal, without its secrets', () => {
    expect(() => sameOrigin('https://a.test/', 'https://me:pw@b.test/x?token=t', 'It')).toThrow(
      'It leads away from https://a.test, to https://b.test/x?…. If that is the right server, give its address.',
    )
  })
})
