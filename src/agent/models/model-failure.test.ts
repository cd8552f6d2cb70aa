import { describe, expect, it } from 'vitest'
import { isTooLong, modelFailure, saidFailure } from './model-failure.ts'

const fail = (status: number, body: unknown) =>
  modelFailure({
    provider: 'p',
    status,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    retryAfterMs: undefined,
  })

describe('an answer of failure', () => {
  it.each([
    [400, 'DP_MODEL_REQUEST', false],
    [401, 'DP_MODEL_KEY', false],
    [402, 'DP_MODEL_BALANCE', false],
    [403, 'DP_MODEL_KEY', false],
    [404, 'DP_MODEL_REQUEST', false],
    [413, 'DP_MODEL_REQUEST', false],
    [422, 'DP_MODEL_REQUEST', false],
    [429, 'DP_MODEL_BUSY', true],
    [500, 'DP_MODEL_FAILED', true],
    [501, 'DP_MODEL_FAILED', false],
    [502, 'DP_MODEL_FAILED', true],
    [503, 'DP_MODEL_BUSY', true],
    [504, 'DP_MODEL_FAILED', true],
    [529, 'DP_MODEL_BUSY', true],
    [302, 'DP_MODEL_FAILED', false],
  ])('of status %i is %s', (status, code, retryable) => {
    expect(fail(status, { error: { message: 'why' } })).toMatchObject({
      code,
      retryable,
      status,
      said: 'why',
      provider: 'p',
      detail: { kind: 'model-refusal', meant: status, inside: false, tooLong: false },
    })
  })

  it.each([
    [{ error: { message: 'm', type: 't', param: null, code: 'c' } }, 'm', 'c'],
    [{ error: { message: 'm', type: 't', code: null } }, 'm', 't'],
    [{ type: 'error', error: { type: 't', message: 'm' }, request_id: 'r' }, 'm', 't'],
    [{ error: 'm' }, 'm', undefined],
    [{ error: { code: 500, message: 'm', type: 't' } }, 'm', 't'],
    [{ object: 'error', message: 'm', type: 't', code: 400 }, 'm', 't'],
    [{ detail: 'm' }, 'm', undefined],
    [{ detail: [{ msg: 'a', loc: [] }, { msg: 'b' }] }, 'a; b', undefined],
    [[{ error: { message: 'm', status: 't' } }], 'm', 't'],
    [{ error: { message: 'm', code: 502, metadata: { raw: 'deeper' } } }, 'm (deeper)', undefined],
    ['plain\nsecond line', 'plain', undefined],
    ['<html>busy</html>', undefined, undefined],
    ['', undefined, undefined],
    ['{"error":{"message":"cut', '{"error":{"message":"cut', undefined],
    ['[1]', '[1]', undefined],
  ])('is understood in the shape %j', (body, said, kind) => {
    expect(fail(400, body)).toMatchObject({ said, kind })
  })

  it('of an empty account is final, whatever its status', () => {
    const error = fail(429, {
      error: { message: 'You exceeded your quota', code: 'insufficient_quota' },
    })
    expect(error).toMatchObject({ code: 'DP_MODEL_BALANCE', retryable: false })
  })

  it('survives nesting without end', () => {
    expect(fail(500, `{"error":${'['.repeat(20_000)}`)).toMatchObject({ code: 'DP_MODEL_FAILED' })
  })

  it('shows what was said without what hides in it, short, and keeps no more than 2,000 characters', () => {
    const error = fail(400, { error: { message: `\u001b[31m${'x'.repeat(5000)}` } })
    expect(error.message).not.toContain('\u001b')
    expect(error.message.length).toBeLessThan(600)
    expect(error.said).toHaveLength(2000)
  })

  it('says what to do', () => {
    expect(fail(402, '').message).toMatch(/balance/)
    expect(fail(404, '').message).toMatch(/name of the model/)
    expect(fail(307, '').message).toMatch(/base URL/)
    expect(fail(429, '').message).toMatch(/Try again later/)
  })

  it.each([
    [300_000, 'It asks to wait 300 seconds.'],
    [1_000, 'It asks to wait 1 second.'],
    [1_200, 'It asks to wait 2 seconds.'],
  ])('names the wait of %i ms that it asks for', (retryAfterMs, words) => {
    const { message } = modelFailure({ provider: 'p', status: 429, body: '', retryAfterMs })
    expect(message).toBe(
      `p answered 429. ${words} Try again then, or with fewer requests at a time.`,
    )
  })
})

describe('a failure within an answer', () => {
  it.each([
    ['overloaded_error', 'DP_MODEL_BUSY', true],
    ['rate_limit_exceeded', 'DP_MODEL_BUSY', true],
    ['api_error', 'DP_MODEL_FAILED', true],
    ['invalid_request_error', 'DP_MODEL_REQUEST', false],
    ['context_length_exceeded', 'DP_MODEL_REQUEST', false],
    ['authentication_error', 'DP_MODEL_KEY', false],
    ['insufficient_quota', 'DP_MODEL_BALANCE', false],
    ['something_new', 'DP_MODEL_FAILED', true],
  ])('called %s is %s', (kind, code, retryable) => {
    expect(saidFailure({ provider: 'p', message: 'm', kind })).toMatchObject({
      code,
      retryable,
      kind,
    })
  })

  it('goes by the status that it names', () => {
    const error = saidFailure({ provider: 'p', message: 'm', kind: 'x', status: 402 })
    expect(error).toMatchObject({ code: 'DP_MODEL_BALANCE', retryable: false })
  })
})

describe('a conversation that is too long', () => {
  it.each([
    [400, { error: { message: "This model's maximum context length is 8192 tokens. However…" } }],
    [400, { error: { message: 'x', code: 'context_length_exceeded' } }],
    [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' },
      },
    ],
    [413, { error: { type: 'request_too_large', message: 'x' } }],
    [400, { error: { code: 400, type: 'exceed_context_size_error', message: 'x' } }],
  ])('is known by status %i and %j', (status, body) => {
    expect(isTooLong(fail(status, body))).toBe(true)
  })

  it('is no other failure', () => {
    expect(isTooLong(fail(400, { error: { message: 'unknown model' } }))).toBe(false)
    expect(isTooLong(fail(500, { error: { message: 'maximum context length' } }))).toBe(false)
  })
})
