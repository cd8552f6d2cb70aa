import { describe, expect, it } from 'vitest'
import { UsageError } from '../../base/errors.ts'
import { fakeRequest, PORT, type RequestParts } from '../../../test/support/fake-http.ts'
import type { GuardOptions } from './guard-options.ts'
import { Guard, preflightHeaders, type Verdict } from './guard.ts'

const METHODS = ['POST', 'GET', 'DELETE', 'OPTIONS']

function check(parts: RequestParts, options: GuardOptions = {}): Verdict {
  return new Guard(options).check(fakeRequest(parts))
}

function statusOf(parts: RequestParts, options: GuardOptions = {}): number {
  const verdict = check(parts, options)
  return verdict.kind === 'passed' ? 200 : verdict.status
}

describe.each(METHODS)('a %s', (method) => {
  it.each([
    'evil.example',
    `evil.example:${PORT}`,
    '127.0.0.1.evil.example',
    `127.0.0.1.evil.example:${PORT}`,
    'localhost.evil',
    `localhost:${PORT}.evil`,
    `[::1].evil:${PORT}`,
    'localhost',
    'localhost:3001',
    `localhost.:${PORT}`,
    `127.1:${PORT}`,
    `127.0.0.1.1:${PORT}`,
    `0.0.0.0:${PORT}`,
    `[::ffff:127.0.0.1]:${PORT}`,
    `localhost:0${PORT}`,
    `user@localhost:${PORT}`,
    `localhost:${PORT}, localhost:${PORT}`,
    `localhost:${PORT} `,
    '',
    undefined,
  ])('to the Host %j is refused', (host) => {
    expect(statusOf({ method, headers: { host } })).toBe(403)
  })

  it.each([
    `localhost:${PORT}`,
    `127.0.0.1:${PORT}`,
    `127.1.2.3:${PORT}`,
    `[::1]:${PORT}`,
    `LocalHost:${PORT}`,
  ])('to the Host %j passes', (host) => {
    expect(statusOf({ method, headers: { host } })).toBe(200)
  })

  it.each(['http://evil/', `http://localhost:${PORT}/mcp`, '*', '', 'mcp', 'localhost:1'])(
    'with the target %j is refused',
    (target) => {
      expect(statusOf({ method, target })).toBe(400)
    },
  )

  it.each([
    'https://evil.example',
    'null',
    'http://localhost.evil',
    `http://localhost:${PORT}.evil`,
    'http://localhost:3001',
    'http://localhost',
    `http://127.0.0.1.evil.example:${PORT}`,
    `http://localhost:${PORT}/`,
    `http://localhost:${PORT}, http://localhost:${PORT}`,
    `file://localhost:${PORT}`,
    `chrome-extension://localhost:${PORT}`,
    '',
  ])('of the Origin %j is refused with 403 [HTTP-02, HTTP-03]', (origin) => {
    expect(statusOf({ method, headers: { origin } })).toBe(403)
  })

  it.each([`http://localhost:${PORT}`, `http://127.0.0.1:${PORT}`, `https://[::1]:${PORT}`])(
    'of the Origin %j, a page of this server, passes',
    (origin) => {
      expect(statusOf({ method, headers: { origin, 'sec-fetch-site': 'same-origin' } })).toBe(200)
    },
  )

  it.each(['cross-site', 'same-site', 'cross-site, none', 'odd'])(
    'without an Origin that says Sec-Fetch-Site %j is refused',
    (site) => {
      expect(statusOf({ method, headers: { 'sec-fetch-site': site } })).toBe(403)
    },
  )

  it.each(['same-origin', 'none', undefined])('that says Sec-Fetch-Site %j passes', (site) => {
    expect(statusOf({ method, headers: { 'sec-fetch-site': site } })).toBe(200)
  })
})

describe('on a port that goes without saying', () => {
  it.each(['localhost', 'localhost:80', '[::1]'])('the Host %j passes', (host) => {
    expect(statusOf({ port: 80, headers: { host } })).toBe(200)
  })

  it('an Origin without port is that of this server', () => {
    const headers = { host: 'localhost', origin: 'http://localhost' }
    expect(statusOf({ port: 80, headers })).toBe(200)
    expect(statusOf({ port: 80, headers: { ...headers, origin: 'http://localhost:3000' } })).toBe(
      403,
    )
  })
})

describe('hosts that were named', () => {
  const options = { allowedHosts: ['mcp.example.com', 'other.example:8080', '[2001:DB8::1]'] }

  it.each([
    'mcp.example.com',
    'MCP.Example.com',
    `mcp.example.com:${PORT}`,
    'other.example:8080',
    '[2001:db8::1]',
    `[2001:db8::1]:${PORT}`,
  ])('let the Host %j in', (host) => {
    expect(statusOf({ headers: { host } }, options)).toBe(200)
  })

  it.each([
    `localhost:${PORT}`,
    'mcp.example.com:8080',
    'other.example',
    `other.example:${PORT}`,
    'x.mcp.example.com',
    'mcp.example.com.evil',
    'mcp.example.com,mcp.example.com',
  ])('do not let the Host %j in', (host) => {
    expect(statusOf({ headers: { host } }, options)).toBe(403)
  })

  it('are told apart from nothing when any may come', () => {
    expect(statusOf({ headers: { host: 'whatever' } }, { anyHost: true })).toBe(200)
    expect(
      statusOf({ headers: { host: 'whatever', origin: 'http://whatever' } }, { anyHost: true }),
    ).toBe(403)
  })

  it.each([
    '',
    '*',
    'http://mcp.example.com',
    'mcp.example.com/',
    'a b',
    'host:port',
    '*.example.com',
  ])('cannot be %j', (host) => {
    expect(() => new Guard({ allowedHosts: [host] })).toThrow(UsageError)
  })
})

describe('a carrier that knows no port', () => {
  it.each(['localhost', 'localhost:1', '127.0.0.1:65535', '[::1]:80'])(
    'lets the Host %j in',
    (host) => {
      expect(
        new Guard().check({ ...fakeRequest({ headers: { host } }), port: undefined }).kind,
      ).toBe('passed')
    },
  )

  it.each(['evil.example', 'localhost.evil:80', 'evil:80', '', 'localhost:80:80'])(
    'does not let the Host %j in',
    (host) => {
      expect(
        new Guard().check({ ...fakeRequest({ headers: { host } }), port: undefined }).kind,
      ).toBe('refused')
    },
  )
})

describe('pages that were named', () => {
  const options = { allowedOrigins: ['https://app.example.com'] }
  const origin = 'https://app.example.com'

  it('pass, also across sites, and may read what they are answered', () => {
    const verdict = check({ headers: { origin, 'sec-fetch-site': 'cross-site' } }, options)
    expect(verdict).toEqual({
      kind: 'passed',
      cors: {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate',
        vary: 'Origin',
      },
    })
  })

  it.each([
    'https://app.example.com.evil',
    'http://app.example.com',
    'https://APP.example.com',
    `${origin}:443`,
  ])('are not those of %j', (other) => {
    expect(statusOf({ headers: { origin: other } }, options)).toBe(403)
  })

  it('are answered alone: a page of this server needs no permission, and gets none to show', () => {
    const own = check({ headers: { origin: `http://localhost:${PORT}` } }, options)
    expect(own).toEqual({ kind: 'passed', cors: undefined })
  })

  it.each([
    '*',
    'null',
    'app.example.com',
    'https://app.example.com/',
    'https://app.example.com/x',
    '',
  ])('cannot be %j', (other) => {
    expect(() => new Guard({ allowedOrigins: [other] })).toThrow(UsageError)
  })

  it('may send the headers of the protocol, and those for parameters that they ask for', () => {
    const asked =
      'content-type, Mcp-Param-Region, mcp-param-a b, x-secret, mcp-param-region, mcp-param-\u00e9'
    const request = fakeRequest({
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': asked },
    })
    const headers = preflightHeaders(request, { 'access-control-allow-origin': origin })
    expect(headers).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-allow-headers':
        'accept, authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, mcp-param-region',
      'access-control-max-age': '600',
    })
  })
})
