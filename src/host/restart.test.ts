import { describe, expect, it } from 'vitest'
import {
  AuthError,
  ConfigError,
  HttpError,
  ProtocolError,
  RpcError,
  TimeoutError,
  TransportError,
  UsageError,
} from '../base/errors.ts'
import { judge, RestartPolicy, type Crash, type Verdict } from './restart.ts'

/** The longest pauses that chance allows. */
const LONGEST = (): Uint8Array => new Uint8Array([255, 255])
const LOST = new TransportError('DP_TRANSPORT_EXIT', 'It ended.')

const crash = (now: number, rest: Partial<Crash> = {}): Crash => ({
  now,
  readySince: now - 1000,
  error: LOST,
  ...rest,
})

describe('the pauses before a restart', () => {
  it('double from a quarter of a second to half a minute', () => {
    const policy = new RestartPolicy(LONGEST)
    // So far apart that they are no loop, and never up for a minute.
    const pauses = Array.from({ length: 10 }, (_, at) => policy.crashed(crash(at * 100_000)))
    expect(pauses.map((one) => (one.kind === 'restart' ? one.ms : -1))).toEqual([
      250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ])
  })

  it('are spread over the whole of that time by chance', () => {
    const policy = new RestartPolicy(() => new Uint8Array([0, 0]))
    expect(policy.crashed(crash(0))).toEqual({ kind: 'restart', ms: 0 })
  })

  it('begin anew after a minute of health, and not before', () => {
    const pauseAfter = (upMs: number): Verdict => {
      const policy = new RestartPolicy(LONGEST)
      policy.crashed(crash(0))
      policy.crashed(crash(1))
      return policy.crashed(crash(200_000, { readySince: 200_000 - upMs }))
    }
    expect(pauseAfter(59_999)).toEqual({ kind: 'restart', ms: 1000 })
    expect(pauseAfter(60_000)).toEqual({ kind: 'restart', ms: 250 })
  })

  it('are as long as the server asked for, when that is longer', () => {
    const error = new HttpError('DP_TRANSPORT_HTTP', 'Later.', { status: 503, retryAfterMs: 7000 })
    const policy = new RestartPolicy(LONGEST)
    expect(policy.crashed(crash(0, { error }))).toEqual({ kind: 'restart', ms: 7000 })
  })
})

describe('the end of trying', () => {
  it('comes with the fifth crash within three minutes', () => {
    const policy = new RestartPolicy(LONGEST)
    const verdicts = [0, 1, 2, 3, 179_999].map((now) => policy.crashed(crash(now)).kind)
    expect(verdicts).toEqual(['restart', 'restart', 'restart', 'restart', 'give-up'])
  })

  it('does not come when the first of five is three minutes old', () => {
    const policy = new RestartPolicy(LONGEST)
    const verdicts = [0, 1, 2, 3, 180_000].map((now) => policy.crashed(crash(now)).kind)
    expect(verdicts).not.toContain('give-up')
    expect(policy.count(180_000)).toBe(4)
    expect(policy.count(400_000)).toBe(0)
  })

  it('comes as well after five starts in a row that came to nothing, however long they took', () => {
    const policy = new RestartPolicy(LONGEST)
    const verdicts = [1, 2, 3, 4, 5].map((at) =>
      policy.crashed(crash(at * 150_000, { readySince: undefined })),
    )
    expect(verdicts.map(({ kind }) => kind).indexOf('give-up')).toBe(4)
    expect(verdicts.at(-1)).toEqual({ kind: 'give-up', whyKind: 'start-loop' })
  })

  it('is forgotten when somebody asks for a new beginning', () => {
    const policy = new RestartPolicy(LONGEST)
    for (const now of [0, 1, 2, 3, 4]) policy.crashed(crash(now))
    policy.reset()
    expect(policy.count(5)).toBe(0)
    expect(policy.crashed(crash(5))).toEqual({ kind: 'restart', ms: 250 })
  })
})

describe('what a failure means', () => {
  const spawn = (code: string): TransportError =>
    new TransportError('DP_TRANSPORT_SPAWN', 'No.', { cause: Object.assign(new Error(), { code }) })
  const status = (code: number): HttpError =>
    new HttpError('DP_TRANSPORT_HTTP', 'No.', { status: code })

  it.each([
    ['an exit', LOST, 'passing', 'crashed'],
    ['a closed link', new TransportError('DP_TRANSPORT_CLOSED', ''), 'passing', 'crashed'],
    ['a stuck write', new TransportError('DP_TRANSPORT_STALLED', ''), 'passing', 'crashed'],
    [
      'a refused connection',
      new TransportError('DP_TRANSPORT_CONNECT', ''),
      'passing',
      'unreachable',
    ],
    ['a missing command', spawn('ENOENT'), 'lasting', 'cannot-start'],
    ['a file that may not run', spawn('EACCES'), 'lasting', 'cannot-start'],
    ['too many open files', spawn('EMFILE'), 'passing', 'cannot-start'],
    ['no room for a process', spawn('EAGAIN'), 'passing', 'cannot-start'],
    ['a page that is no server', status(404), 'lasting', 'handshake-refused'],
    ['a server out of order', status(503), 'passing', 'unreachable'],
    ['too many requests', status(429), 'passing', 'unreachable'],
    ['a status that wants a sign-in', status(401), 'sign-in', 'sign-in'],
    ['a refused sign-in', new AuthError('Who?'), 'sign-in', 'sign-in'],
    ['a refused handshake', new RpcError(-32602, 'no'), 'lasting', 'handshake-refused'],
    [
      'no revision in common',
      new ProtocolError('DP_PROTOCOL_VERSION', ''),
      'lasting',
      'handshake-refused',
    ],
    [
      'no answer in time',
      new TimeoutError('', { timer: 'start', ms: 1, setBy: 'default' }),
      'passing',
      'start-timeout',
    ],
    [
      'no sign of life',
      new TimeoutError('', { timer: 'idle', ms: 1, setBy: 'default' }),
      'passing',
      'no-sign-of-life',
    ],
    ['an address that is none', new UsageError(''), 'lasting', 'cannot-start'],
    ['a bad setting', new ConfigError(''), 'lasting', 'cannot-start'],
    ['anything else', new RangeError(''), 'lasting', 'bug'],
  ])('%s', (_, error, nature, whyKind) => {
    expect(judge(error)).toEqual({ nature, whyKind })
  })
})
