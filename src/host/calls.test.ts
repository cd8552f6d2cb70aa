import { describe, expect, it } from 'vitest'
import { playedServer, type Asked, type PlayedServer } from '../../test/support/played-server.ts'
import { cut, DONE, settle, soundly } from '../../test/support/recovery.ts'
import { attached, entryOf, sceneOf } from '../../test/support/runtime.ts'
import { AuthError, TransportError } from '../base/errors.ts'
import type { WireEvent } from '../jsonrpc/wire.ts'

const PIPE = { perRequest: false, reopens: false } as const
const pipe = (answer: (asked: Asked) => unknown = soundly): PlayedServer =>
  playedServer(answer, PIPE)
const died = (): TransportError =>
  new TransportError('DP_TRANSPORT_EXIT', 'The server "s" ended with exit code 3.')
/** What a promise rejects with, looked at later. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it settled',
    (error: unknown) => error,
  )
/** A server that answers no call of this tool on its first links, and whose link ends over it. */
const losing = (tool: string, times: number = 1): PlayedServer => {
  const played: PlayedServer = pipe((asked) => {
    const falls = asked.method === 'tools/call' && asked.params['name'] === tool
    if (!falls || asked.link > times) return soundly(asked)
    played.end(died())
    return undefined
  })
  return played
}

describe('a call', () => {
  it('goes to the server and gives its result', async () => {
    const played = pipe()
    const { server } = await attached(played.transport)
    const args = Object.freeze({ path: '/a', list: Object.freeze([1, 2]) })
    // A frozen array is no mutable one, and nobody may write to it.
    expect(await server.send('act', args as never)).toEqual(DONE)
    expect(played.of('tools/call')[0]?.params).toMatchObject({ name: 'act', arguments: args })
    expect(server.status).toMatchObject({ running: 0, waiting: 0 })
  })

  it('carries its chain of ids to the wire', async () => {
    const events: WireEvent[] = []
    const { server } = await attached(pipe().transport, {}, { wire: (event) => events.push(event) })
    await server.send('act', {}, { chain: { run: 'r', call: 'c', attempt: 1 } })
    const chains = events.flatMap((event) =>
      event.type === 'message' && event.direction === 'out' ? [event.chain] : [],
    )
    expect(chains.at(-1)).toEqual({ run: 'r', call: 'c', attempt: 1 })
  })

  it('is bounded by the limits of the entry, and says where they stand', async () => {
    const played = pipe((asked) => (asked.method === 'tools/call' ? undefined : soundly(asked)))
    const { server, clock } = await attached(played.transport, {
      timeouts: { idle: { ms: 4000, setBy: 'config.json:9 timeout' } },
    })
    const failure = failureOf(server.send('act', {}))
    await played.until('tools/call', 1)
    await clock.advance(4005)
    expect(await failure).toMatchObject({ timer: 'idle', ms: 4000, setBy: 'config.json:9 timeout' })
  })
})

describe('a call to a server that is not there', () => {
  it('waits while it starts, starting it if it is lazy', async () => {
    const played = pipe()
    const { server } = await attached(played.transport, { start: 'lazy' })
    expect(await server.send('act', {})).toEqual(DONE)
    expect(played.opens).toBe(1)
  })

  it('waits while it is tried again', async () => {
    const played = pipe()
    const { server, clock } = await attached(played.transport)
    played.end(died())
    await settle()
    const call = server.send('act', {})
    await settle()
    expect(server.status).toMatchObject({ state: 'restarting', waiting: 1, running: 0 })
    await clock.advance(250)
    expect(await call).toEqual(DONE)
  })

  it('waits no longer than its own limit without a sign of life, and was not sent', async () => {
    const { server, clock } = await attached(pipe(() => undefined).transport)
    const failure = failureOf(server.send('act', {}, { timeoutMs: 7000 }))
    await settle()
    await clock.advance(7000)
    expect(await failure).toMatchObject({
      code: 'DP_TIMEOUT',
      timer: 'idle',
      ms: 7000,
      setBy: 'call',
      sent: 'no',
    })
    expect(String(await failure)).toContain('It is connecting')
    expect(server.status.waiting).toBe(0)
  })

  it('goes on waiting when there is a sign of life, up to its limit in all', async () => {
    const played = pipe(() => undefined)
    const { server, clock } = await attached(played.transport)
    const failure = failureOf(server.send('act', {}, { timeoutMs: 20_000, totalTimeoutMs: 45_000 }))
    await settle()
    // Its starts that fail after half a minute each are signs that something happens.
    await clock.advance(15_000)
    played.end(died())
    await settle()
    await clock.advance(15_000)
    played.end(died())
    await settle()
    await clock.advance(15_000)
    expect(await failure).toMatchObject({ timer: 'total', ms: 45_000, sent: 'no' })
  })

  it('has what is left of its limit when it is sent after all, and the error says so', async () => {
    let silent = false
    const played = pipe((asked) =>
      silent && asked.method === 'tools/call' ? undefined : soundly(asked),
    )
    const { server, clock } = await attached(played.transport)
    played.end(died())
    await settle()
    silent = true
    const failure = failureOf(server.send('act', {}, { totalTimeoutMs: 10_000 }))
    await settle()
    await clock.advance(250)
    await played.until('tools/call', 1)
    await clock.advance(9755)
    expect(await failure).toMatchObject({
      timer: 'total',
      ms: 9750,
      setBy: 'call, less 250 ms of waiting',
    })
  })

  it('is given up when its caller gives up, and was not sent', async () => {
    const played = pipe(() => undefined)
    const { server } = await attached(played.transport)
    const stop = new AbortController()
    const failure = failureOf(server.send('act', {}, { signal: stop.signal }))
    await settle()
    stop.abort()
    expect(await failure).toMatchObject({ code: 'DP_CANCELLED', server: 's' })
    expect(await failureOf(server.send('act', {}, { signal: stop.signal }))).toMatchObject({
      code: 'DP_CANCELLED',
    })
    expect(server.status.waiting).toBe(0)
  })

  it('fails at once, with the reason, when there is no hope', async () => {
    const played = pipe()
    const reason = new AuthError('Who are you?', { status: 401 })
    played.refusals.push(reason)
    const { server } = await attached(played.transport)
    expect(await failureOf(server.send('act', {}))).toMatchObject({
      code: 'DP_TRANSPORT_UNAVAILABLE',
      sent: 'no',
      server: 's',
      cause: reason,
      message: '"s" takes no calls: Who are you?',
    })
  })

  it('fails with the others that wait as soon as hope ends', async () => {
    const played = pipe(() => undefined)
    const { server } = await attached(played.transport)
    const failures = [1, 2, 3].map(() => failureOf(server.send('act', {})))
    await settle()
    expect(server.status.waiting).toBe(3)
    await server.stop()
    for (const failure of await Promise.all(failures))
      expect(failure).toMatchObject({ code: 'DP_TRANSPORT_UNAVAILABLE', sent: 'no' })
  })
})

describe('a call whose server is lost over it', () => {
  it('is made a second time when it surely was not sent', async () => {
    const played = losing('act')
    played.sent = 'no'
    const { server, clock } = await attached(played.transport)
    const call = server.send('act', {}, { chain: { call: 'c' } })
    await settle()
    await clock.advance(250)
    expect(await call).toEqual(DONE)
    expect(played.of('tools/call').map(({ link }) => link)).toEqual([1, 2])
  })

  it('is not made a third time', async () => {
    const played = losing('act', 9)
    played.sent = 'no'
    const { server, clock } = await attached(played.transport)
    const failure = failureOf(server.send('act', {}))
    await settle()
    await clock.advance(250)
    await settle()
    expect(await failure).toMatchObject({ code: 'DP_TRANSPORT_EXIT', sent: 'no' })
    expect(played.of('tools/call')).toHaveLength(2)
  })

  it('is left to a client that opens its connection again by itself', async () => {
    const played: PlayedServer = playedServer((asked) => {
      if (asked.method !== 'tools/call') return soundly(asked)
      played.refusals.push(...Array.from({ length: 5 }, () => cut('no')))
      played.end(died())
      return undefined
    })
    played.sent = 'no'
    const { server, clock } = await attached(played.transport)
    const failure = failureOf(server.send('act', {}))
    for (let step = 0; step < 30; step += 1) {
      await settle()
      await clock.advance(250)
    }
    expect(await failure).toMatchObject({ code: 'DP_TRANSPORT_EXIT', sent: 'no' })
    expect(server.status.state).toBe('ready')
    expect(played.of('tools/call')).toHaveLength(1)
  })

  it.each([
    ['act', true],
    ['look', false],
    ['set', false],
  ])('is not made again when it may have acted: %s, trusted %s', async (tool, trusted) => {
    const played = losing(tool)
    const { server, clock } = await attached(played.transport, { trusted })
    const failure = await failureOf(server.send(tool, {}))
    expect(failure).toMatchObject({ code: 'DP_TRANSPORT_EXIT', sent: 'yes' })
    expect(String(failure)).toContain('Whether it took effect is not known.')
    await clock.advance(60_000)
    await settle()
    expect(played.of('tools/call')).toHaveLength(1)
  })

  it.each(['look', 'set'])(
    'is made again when a trusted server says that %s may be',
    async (tool) => {
      const played = losing(tool)
      const { server, clock } = await attached(played.transport, { trusted: true })
      const call = server.send(tool, {})
      await settle()
      await clock.advance(250)
      expect(await call).toEqual(DONE)
      expect(played.of('tools/call').map(({ link }) => link)).toEqual([1, 2])
    },
  )

  it('fails with what is known of the first try when there is no second one', async () => {
    const played = losing('look')
    const { server } = await attached(played.transport, { trusted: true })
    const failure = failureOf(server.send('look', {}))
    await settle()
    await server.stop()
    expect(await failure).toMatchObject({ code: 'DP_TRANSPORT_EXIT', sent: 'yes' })
  })
})

describe('many calls', () => {
  /** Answers no call before it is told to. */
  const holding = (): PlayedServer & { readonly held: Asked[] } => {
    const held: Asked[] = []
    const played = pipe((asked) => {
      if (asked.method !== 'tools/call') return soundly(asked)
      held.push(asked)
      return undefined
    })
    return Object.assign(played, { held })
  }

  it('are sent eight at a time to a process, and the others in their order', async () => {
    const played = holding()
    const { server } = await attached(played.transport)
    const calls = Array.from({ length: 11 }, (_, at) => server.send('act', { at }))
    await played.until('tools/call', 8)
    await settle()
    expect(server.status).toMatchObject({ running: 8, waiting: 3 })
    for (let at = 0; at < 11; at += 1) {
      played.held[at]?.result(DONE)
      await settle()
    }
    await Promise.all(calls)
    const order = played.of('tools/call').map(({ params }) => params['arguments'])
    expect(order).toEqual(Array.from({ length: 11 }, (_, at) => ({ at })))
  })

  it('are refused when more wait than the entry allows, and were not sent', async () => {
    const played = holding()
    const { server } = await attached(played.transport, { concurrency: 1, queue: 2 })
    for (let at = 0; at < 3; at += 1) void failureOf(server.send('act', {}))
    await played.until('tools/call', 1)
    expect(await failureOf(server.send('act', {}))).toMatchObject({
      code: 'DP_TRANSPORT_OVERLOADED',
      sent: 'no',
    })
  })

  it('to a server that hangs keep none from another', async () => {
    const [hung, good] = [holding(), pipe()]
    const { registry } = sceneOf(
      { hung: hung.transport, good: good.transport },
      { limits: { totalConcurrency: 4 } },
    )
    const slow = registry.attach(entryOf('hung'))
    const quick = registry.attach(entryOf('good'))
    await settle()
    for (let at = 0; at < 20; at += 1) void failureOf(slow.send('act', {}))
    await settle()
    expect(slow.status).toMatchObject({ running: 4, waiting: 16 })
    for (let at = 0; at < 5; at += 1) expect(await quick.send('act', {})).toEqual(DONE)
  })
})

describe('a call that the server wants a sign-in for', () => {
  it('takes the server out of service until somebody asks for it again', async () => {
    const played = playedServer((asked) =>
      asked.method === 'tools/call' && asked.link === 1
        ? asked.fail(new AuthError('The token has expired.', { status: 401 }))
        : soundly(asked),
    )
    const { server } = await attached(played.transport)
    expect(await failureOf(server.send('act', {}))).toMatchObject({ code: 'DP_AUTH_REQUIRED' })
    expect(server.status).toMatchObject({ state: 'needs-auth', whyKind: 'sign-in' })
    server.restart()
    expect(await server.send('act', {})).toEqual(DONE)
  })

  it('of one tool alone changes nothing about the server', async () => {
    const played = playedServer((asked) =>
      asked.method === 'tools/call'
        ? asked.fail(new AuthError('Not this one.', { status: 403 }))
        : soundly(asked),
    )
    const { server } = await attached(played.transport)
    expect(await failureOf(server.send('act', {}))).toMatchObject({ code: 'DP_AUTH_REQUIRED' })
    expect(server.status.state).toBe('ready')
  })
})
