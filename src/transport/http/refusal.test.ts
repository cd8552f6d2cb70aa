import { describe, expect, it } from 'vitest'
import { AuthError, RpcError, type HttpError } from '../../base/errors.ts'
import { errorIn, mediaType, refusalError, retryAfter, type Refusal } from './refusal.ts'

const refuse = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
  more: Partial<Refusal> = {},
): HttpError | AuthError =>
  refusalError({
    name: 'https://a.test/mcp',
    status,
    header: (name) => headers[name],
    body: '',
    inSession: false,
    wall: Date.UTC(2026, 0, 1),
    ...more,
  })

describe('an answer that is no message', () => {
  it('becomes an error with status, type and body', () => {
    const error = refuse(500, { 'content-type': 'text/plain' }, { body: 'oh no\nmore' })
    expect(error).toMatchObject({
      code: 'DP_TRANSPORT_HTTP',
      status: 500,
      contentType: 'text/plain',
      body: 'oh no\nmore',
      sent: 'yes',
      message: 'https://a.test/mcp answered 500 Internal Server Error (text/plain): oh no.',
    })
  })

  it('has its facts beside the message: what was said, and a word for what to do', () => {
    const busy = refuse(503, { 'retry-after': '7' }, { body: 'later\nmore' })
    expect(busy.detail).toEqual({
      kind: 'http-status',
      address: 'https://a.test/mcp',
      status: 503,
      phrase: 'Service Unavailable',
      said: 'later',
      hint: 'later',
      seconds: 7,
    })
    const hintOf = (status: number) => {
      const { detail } = refuse(status)
      return detail?.kind === 'http-status' ? detail.hint : detail?.kind
    }
    expect([302, 401, 403, 404, 407, 413, 500].map(hintOf)).toEqual([
      'target',
      'token',
      'rights',
      'endpoint',
      'proxy',
      'size',
      undefined,
    ])
    expect(refuse(404, {}, { inSession: true }).detail).toMatchObject({ kind: 'session-gone' })
  })

  it('does not quote pages', () => {
    const error = refuse(404, { 'content-type': 'text/html' }, { body: '<html>Cannot POST' })
    expect(error.message).toBe(
      'https://a.test/mcp answered 404 Not Found (text/html). Is this the address of an MCP endpoint?',
    )
  })

  it.each([401, 403])(
    'asks for a sign-in with status %d, and keeps the challenge [VERS-23]',
    (status) => {
      const challenge = 'Bearer resource_metadata="https://a.test/.well-known/x"'
      const error = refuse(status, { 'www-authenticate': challenge })
      expect(error).toBeInstanceOf(AuthError)
      expect(error).toMatchObject({ code: 'DP_AUTH_REQUIRED', status, challenge })
    },
  )

  it('says that the session is gone, and only when there was one [HTTP-32]', () => {
    expect(refuse(404, {}, { inSession: true })).toMatchObject({ code: 'DP_TRANSPORT_SESSION' })
    expect(refuse(404)).toMatchObject({ code: 'DP_TRANSPORT_HTTP' })
  })

  it.each([413, 431])('is an ordinary failure with status %d [HTTP-85]', (status) => {
    expect(refuse(status)).toMatchObject({ code: 'DP_TRANSPORT_HTTP', status })
  })

  it('keeps what the server said about the request without naming it', () => {
    const said = { code: -32_600, message: 'Session id required', data: { a: 1 } }
    const error = refuse(400, { 'content-type': 'application/json' }, { said })
    expect(error.message).toContain('Session id required')
    expect(error.cause).toBeInstanceOf(RpcError)
    expect(error.cause).toMatchObject({ rpcCode: -32_600, data: { a: 1 } })
  })

  it('hides nothing in its message', () => {
    const error = refuse(500, { 'content-type': 'a\u202eb' }, { body: 'x\u001b[2J\u0007y' })
    expect(error.message).toBe(
      String.raw`https://a.test/mcp answered 500 Internal Server Error (a\u202eb): x\u001b[2J\u0007y.`,
    )
  })

  it('says when to come back', () => {
    expect(refuse(429, { 'retry-after': '7' })).toMatchObject({
      retryAfterMs: 7000,
      message: expect.stringContaining('Try again after 7 s.'),
    })
  })

  it('keeps 2,000 characters of the body', () => {
    expect(refuse(500, {}, { body: 'x'.repeat(5000) })).toMatchObject({ body: 'x'.repeat(2000) })
  })
})

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1, 12)
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['2027', 2_027_000],
    ['', undefined],
    [undefined, undefined],
  ])('%s is %s ms', (value, expected) => {
    expect(retryAfter(value, now)).toBe(expected)
  })
})

it('compares media types without case and parameters', () => {
  expect(mediaType('Application/JSON; charset=UTF-8')).toBe('application/json')
  expect(mediaType(' text/event-stream ')).toBe('text/event-stream')
  expect(mediaType(undefined)).toBe('')
})

it('finds the error in a body that is one', () => {
  expect(errorIn('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"m"}}')).toEqual({
    code: -32_000,
    message: 'm',
  })
  for (const body of ['', '<html>', '{"error":"unauthorized"}', '[{}]', '{"jsonrpc":"2.0"'])
    expect(errorIn(body)).toBeUndefined()
})
