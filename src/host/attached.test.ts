import { describe, expect, it } from 'vitest'
import { playedServer, type PlayedServer } from '../../test/support/played-server.ts'
import { cut, soundly, settle } from '../../test/support/recovery.ts'
import { attached, entryOf, sceneOf, slowToEnd } from '../../test/support/runtime.ts'
import { AuthError, PolicyError, RpcError, TransportError } from '../base/errors.ts'

/** Spoken with as over pipes: one stream, and no way back once it is lost. */
const PIPE = { perRequest: false, reopens: false } as const
const pipe = (answer: Parameters<typeof playedServer>[0] = soundly): PlayedServer =>
  playedServer(answer, PIPE)
const died = (): TransportError =>
  new TransportError('DP_TRANSPORT_EXIT', 'The server "s" ended with exit code 3.')

describe('a server that starts', () => {
  it('is connecting until its list was read, and then ready', async () => {
    const { server, told, offers } = await attached(pipe().transport)
    expect(told.get('s')).toEqual([
      'connecting starting',
      'connecting reading-lists',
      'ready connected',
    ])
    expect(server.status).toMatchObject({
      key: 's',
      state: 'ready',
      revision: '2025-11-25',
      info: { name: 'played' },
      tools: 3,
      crashes: 0,
      waiting: 0,
      running: 0,
    })
    expect(offers).toMatchObject([{ key: 's', offer: { count: 1, revision: '2025-11-25' } }])
    expect(server.offer?.tools.map(({ name }) => name)).toEqual(['act', 'look', 'set'])
  })

  it('is asked for nothing that it does not declare', async () => {
    const played = playedServer(soundly, { ...PIPE, capabilities: {} })
    const { server } = await attached(played.transport)
    expect(server.status).toMatchObject({ state: 'ready', tools: 0 })
    expect(played.of('tools/list')).toHaveLength(0)
  })

  it('is degraded when its list cannot be read, and ready once it can', async () => {
    let good = false
    const played = pipe((asked) =>
      asked.method === 'tools/list' && !good ? asked.error(-32603, 'no disk') : soundly(asked),
    )
    const { server, clock } = await attached(played.transport)
    expect(server.status).toMatchObject({ state: 'degraded', whyKind: 'lists-failed' })
    expect(server.status.why).toContain('no disk')
    good = true
    await clock.advance(2000)
    await settle()
    expect(server.status).toMatchObject({ state: 'ready', whyKind: 'connected', tools: 3 })
  })

  it('that is lazy waits until it is wanted', async () => {
    const played = pipe()
    const { server } = await attached(played.transport, { start: 'lazy' })
    expect(server.status).toMatchObject({ state: 'idle', whyKind: 'lazy' })
    expect(played.opens).toBe(0)
    await server.ready()
    expect(server.status.state).toBe('ready')
  })

  it('that is switched off is never started, and says where that stands', async () => {
    const played = pipe()
    const { server } = await attached(played.transport, { disabled: true })
    server.start()
    server.restart()
    await settle()
    expect(server.status).toMatchObject({ state: 'disabled', whyKind: 'switched-off' })
    expect(server.status.why).toContain('config.json:3')
    expect(played.opens).toBe(0)
  })

  it('that nobody approved is never started, whatever is asked of it', async () => {
    const played = pipe()
    const { server } = await attached(played.transport, { approved: false, scope: 'project' })
    server.start()
    server.restart()
    await expect(server.ready()).rejects.toBeInstanceOf(PolicyError)
    await expect(server.send('act', {})).rejects.toMatchObject({ code: 'DP_POLICY_UNAPPROVED' })
    expect(server.status).toMatchObject({ state: 'disabled', whyKind: 'unapproved' })
    expect(played.opens).toBe(0)
  })
})

describe('a server that is lost', () => {
  it('is tried again after a pause, which its status tells', async () => {
    const played = pipe()
    const { server, clock, told } = await attached(played.transport)
    played.end(died())
    await settle()
    expect(server.status).toMatchObject({
      state: 'restarting',
      whyKind: 'crashed',
      crashes: 1,
      nextTryMs: 250,
      tools: 3,
    })
    expect(server.status.why).toContain('exit code 3')
    expect(server.client()).toBeUndefined()
    await clock.advance(249)
    expect(played.opens).toBe(1)
    await clock.advance(1)
    await settle()
    expect(server.status).toMatchObject({ state: 'ready', crashes: 1 })
    expect(server.status.error).toBeUndefined()
    expect(told.get('s')?.slice(3)).toEqual([
      'restarting crashed',
      'connecting starting',
      'connecting reading-lists',
      'ready connected',
    ])
  })

  it('is given up after five times within three minutes, and costs nothing from then on', async () => {
    const played = pipe()
    const { server, clock, offers } = await attached(played.transport)
    for (let time = 0; time < 5; time += 1) {
      played.end(died())
      await settle()
      await clock.advance(5000)
      await settle()
    }
    expect(server.status).toMatchObject({ state: 'failed', whyKind: 'crash-loop', crashes: 5 })
    expect(server.status.why).toContain('5 times within 3 minutes')
    expect(server.status.nextTryMs).toBeUndefined()
    expect(offers.at(-1)).toEqual({ key: 's', offer: undefined })
    const { opens } = played
    await clock.advance(3_600_000)
    await settle()
    expect(played.opens).toBe(opens)
    expect(clock.pending).toBe(0)
  })

  it('that was given up has a new beginning when somebody asks for it', async () => {
    const played = pipe()
    const { server, clock } = await attached(played.transport)
    for (let time = 0; time < 5; time += 1) {
      played.end(died())
      await settle()
      await clock.advance(5000)
      await settle()
    }
    server.restart()
    expect(server.status).toMatchObject({ state: 'connecting', whyKind: 'restart-asked' })
    await settle()
    expect(server.status).toMatchObject({ state: 'ready', crashes: 0, tools: 3 })
  })

  it('while its list is read is tried again', async () => {
    const played = pipe((asked) =>
      asked.method === 'tools/list' && asked.link === 1 ? played.end(died()) : soundly(asked),
    )
    const { server, clock } = await attached(played.transport)
    expect(server.status.state).toBe('restarting')
    await clock.advance(250)
    await settle()
    expect(server.status.state).toBe('ready')
  })

  it('is shown as restarting while its client opens the connection again by itself', async () => {
    const played = playedServer(soundly)
    const { server, clock, told } = await attached(played.transport)
    played.refusals.push(cut('no'))
    played.end(died())
    await settle()
    expect(server.status).toMatchObject({ state: 'restarting', whyKind: 'reopening' })
    expect(server.status.nextTryMs).toBeUndefined()
    await clock.advance(250)
    await settle()
    expect(server.status).toMatchObject({ state: 'ready', whyKind: 'connected' })
    expect(told.get('s')?.slice(3)).toEqual(['restarting reopening', 'ready connected'])
    await clock.advance(2000)
    await settle()
    expect(played.of('tools/list').map(({ link }) => link)).toEqual([1, 2])
  })

  it('has its list read again when its client is back, though it tells of no changes', async () => {
    const played = playedServer(soundly, { capabilities: { tools: {} } })
    const { clock } = await attached(played.transport)
    played.end(died())
    await settle()
    await clock.advance(2250)
    await settle()
    expect(played.of('tools/list').map(({ link }) => link)).toEqual([1, 2])
  })

  it('is tried again by the host when its client has given up', async () => {
    const played = playedServer(soundly)
    const { server, clock, told } = await attached(played.transport)
    played.refusals.push(...Array.from({ length: 5 }, () => cut('no')))
    played.end(died())
    for (let step = 0; step < 30; step += 1) {
      await settle()
      await clock.advance(250)
    }
    expect(server.status).toMatchObject({ state: 'ready', crashes: 1 })
    expect(told.get('s')?.slice(3)).toEqual([
      'restarting reopening',
      'restarting crashed',
      'connecting starting',
      'connecting reading-lists',
      'ready connected',
    ])
  })
})

describe('a server that cannot come up', () => {
  const refusing = (...errors: Error[]): PlayedServer => {
    const played = pipe()
    played.refusals.push(...errors)
    return played
  }
  const missing = new TransportError('DP_TRANSPORT_SPAWN', 'There is no command "s".', {
    cause: Object.assign(new Error('spawn s ENOENT'), { code: 'ENOENT' }),
  })

  it('fails at once when its command is missing', async () => {
    const { server, clock } = await attached(refusing(missing).transport)
    expect(server.status).toMatchObject({
      state: 'failed',
      whyKind: 'cannot-start',
      error: missing,
    })
    expect(clock.pending).toBe(0)
  })

  it('fails at once when it refuses the handshake', async () => {
    const played = pipe((asked) => asked.error(-32602, 'no client like you'))
    const { server } = await attached(played.transport)
    expect(server.status).toMatchObject({ state: 'failed', whyKind: 'handshake-refused' })
    expect(server.status.error).toBeInstanceOf(RpcError)
  })

  it('waits for a sign-in when it wants to know who asks, and is not tried by itself', async () => {
    const { server, clock } = await attached(
      refusing(new AuthError('401', { status: 401 })).transport,
    )
    expect(server.status).toMatchObject({ state: 'needs-auth', whyKind: 'sign-in' })
    await clock.advance(3_600_000)
    expect(server.status.state).toBe('needs-auth')
    server.restart()
    await settle()
    expect(server.status.state).toBe('ready')
  })

  it('is given up after five starts that nobody answered, with the timer, its value and where it was set', async () => {
    const played = pipe(() => undefined)
    const { server, clock } = await attached(played.transport, {
      timeouts: { start: { ms: 90_000, setBy: 'config.json:7 startup_timeout' } },
    })
    await clock.advance(89_999)
    expect(server.status.state).toBe('connecting')
    await clock.advance(1)
    await settle()
    expect(server.status).toMatchObject({
      state: 'restarting',
      whyKind: 'start-timeout',
      error: { timer: 'start', ms: 90_000, setBy: 'config.json:7 startup_timeout' },
    })
    for (let start = 2; start <= 5; start += 1) {
      await clock.advance(4000)
      await settle()
      await clock.advance(90_000)
      await settle()
    }
    expect(server.status).toMatchObject({ state: 'failed', whyKind: 'start-loop' })
  })

  it('is bounded by the default limit where nobody set one', async () => {
    const { server, clock } = await attached(pipe(() => undefined).transport)
    await clock.advance(30_000)
    await settle()
    expect(server.status.error).toMatchObject({ timer: 'start', ms: 30_000, setBy: 'default' })
  })
})

describe('waiting for a server', () => {
  it('ends with its reason when it is given up', async () => {
    const played = pipe()
    played.refusals.push(new AuthError('401', { status: 401 }))
    const scene = sceneOf({ s: played.transport })
    const ready = scene.registry.attach(entryOf('s')).ready()
    await expect(ready).rejects.toMatchObject({
      code: 'DP_TRANSPORT_UNAVAILABLE',
      sent: 'no',
      server: 's',
    })
  })

  it('ends when whoever waits gives up', async () => {
    const { server } = await attached(pipe(() => undefined).transport)
    const stop = new AbortController()
    const ready = server.ready(stop.signal)
    stop.abort(new Error('enough'))
    await expect(ready).rejects.toMatchObject({ code: 'DP_CANCELLED' })
    await expect(server.ready(stop.signal)).rejects.toMatchObject({ code: 'DP_CANCELLED' })
  })
})

describe('a server that is asked for a new beginning, or is stopped', () => {
  it('is ended before it is started again', async () => {
    const played = pipe()
    const { transport, release } = slowToEnd(played.transport)
    const { server } = await attached(transport)
    server.restart()
    expect(server.status.state).toBe('connecting')
    await settle()
    expect(played.opens).toBe(1)
    release()
    await settle()
    expect([played.opens, played.open]).toEqual([2, 1])
    expect(server.status.state).toBe('ready')
  })

  it('starts once however often it is asked', async () => {
    const played = pipe()
    const { server } = await attached(played.transport)
    for (let time = 0; time < 5; time += 1) server.restart()
    await settle()
    expect(played.open).toBe(1)
    expect(server.status.state).toBe('ready')
  })

  it('leaves nothing behind, in whatever state it is', async () => {
    for (const answer of [soundly, () => undefined]) {
      const played = pipe(answer)
      const { server, clock, offers } = await attached(played.transport)
      await server.stop()
      await server.stop()
      expect(server.status).toMatchObject({ state: 'disabled', whyKind: 'detached' })
      expect(played.open).toBe(0)
      expect(clock.pending).toBe(0)
      expect(offers.filter(({ offer }) => offer !== undefined).length).toBe(offers.length / 2)
    }
  })

  it('is not started by what was under way', async () => {
    const played = pipe()
    const { server, clock } = await attached(played.transport)
    played.end(died())
    await settle()
    await server.stop()
    await clock.advance(60_000)
    await settle()
    expect(played.opens).toBe(1)
    expect(server.status.state).toBe('disabled')
  })
})

describe('the boundary around a server', () => {
  it('holds when listeners throw', async () => {
    const { server } = await attached(
      pipe().transport,
      {},
      {
        onStatus: () => {
          throw new Error('listener')
        },
        onOffer: () => {
          throw new Error('listener')
        },
      },
    )
    expect(server.status.state).toBe('ready')
  })

  it('holds when the way to it cannot even be made', async () => {
    const { server } = await attached(
      pipe().transport,
      {},
      {
        transport: () => {
          throw new TypeError('odd')
        },
      },
    )
    expect(server.status).toMatchObject({ state: 'failed', whyKind: 'bug', why: 'odd.' })
  })

  it('keeps the others as they are, whatever one does', async () => {
    const [good, bad] = [pipe(), pipe(() => undefined)]
    const { registry, clock } = sceneOf({ good: good.transport, bad: bad.transport })
    const one = registry.attach(entryOf('good'))
    registry.attach(entryOf('bad'))
    await settle()
    expect(one.status.state).toBe('ready')
    bad.end(died())
    await clock.advance(10_000)
    await settle()
    expect(await one.send('act', {})).toMatchObject({ content: [{ text: 'done' }] })
    expect(good.opens).toBe(1)
  })
})
