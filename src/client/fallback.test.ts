import { describe, expect, it } from 'vitest'
import {
  AuthError,
  HttpError,
  RpcError,
  TimeoutError,
  TransportError,
  type PilotError,
} from '../base/errors.ts'
import { neitherWay, refusesHandshake, wentAway } from './fallback.ts'

const refusal = (status: number): HttpError =>
  new HttpError('DP_TRANSPORT_HTTP', `It answered ${status}.`, { status, body: 'no' })

describe('a handshake', () => {
  it.each([400, 404, 405])('that is refused with %i may go by another way [VERS-17]', (status) => {
    expect(refusesHandshake(refusal(status))).toBe(true)
  })

  it.each([200, 403, 410, 429, 500, 503])('that is answered with %i may not', (status) => {
    expect(refusesHandshake(refusal(status))).toBe(false)
  })

  it('that is refused for other reasons may not', () => {
    const errors: readonly PilotError[] = [
      new AuthError('who?', { status: 401 }),
      new RpcError(-32_000, 'no'),
      new TransportError('DP_TRANSPORT_CONNECT', 'not there'),
    ]
    expect(errors.filter((error) => refusesHandshake(error))).toEqual([])
  })
})

describe('a server that was asked what it is', () => {
  it('went away when its connection broke, and not when it was never reached', () => {
    expect(wentAway(new TransportError('DP_TRANSPORT_EXIT', 'ended'))).toBe(true)
    expect(wentAway(refusal(500))).toBe(true)
    expect(wentAway(new TransportError('DP_TRANSPORT_CONNECT', 'not there'))).toBe(false)
    expect(wentAway(new TransportError('DP_TRANSPORT_ORIGIN', 'elsewhere'))).toBe(false)
    expect(wentAway(new AuthError('who?'))).toBe(false)
  })
})

describe('the error of two ways that both failed', () => {
  it('is that of the first, and says what the second brought', () => {
    const first = refusal(404)
    const error = neitherWay(first, refusal(406))
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({
      status: 404,
      body: 'no',
      cause: first,
      message: 'It answered 404. The old transport does not help either: It answered 406.',
    })
  })

  it('is that of the second when that way led to a server', () => {
    const first = refusal(405)
    for (const second of [
      new AuthError('who?', { status: 401 }),
      new TimeoutError('too late', { timer: 'start', ms: 1, setBy: 'default' }),
    ]) {
      expect(neitherWay(first, second)).toBe(second)
      expect(second.cause).toBe(first)
    }
    const cause = new Error('its own reason')
    expect(neitherWay(first, new RpcError(1, 'no', { cause }))).toMatchObject({ cause })
  })
})
