import { describe, expect, it } from 'vitest'
import { playedServer, type Asked, type PlayedServer } from '../../test/support/played-server.ts'
import { soundly, settle, TOOLS } from '../../test/support/recovery.ts'
import { attached } from '../../test/support/runtime.ts'
import { RpcError, TransportError } from '../base/errors.ts'

/** Spoken with as over pipes: one stream, and no way back once it is lost. */
const PIPE = { perRequest: false, reopens: false } as const
const pipe = (answer: Parameters<typeof playedServer>[0] = soundly): PlayedServer =>
  playedServer(answer, PIPE)

describe('the signs of life of a server', () => {
  const deaf = (): PlayedServer & { deaf: boolean } => {
    const played: PlayedServer & { deaf: boolean } = Object.assign(
      playedServer((asked) => (played.deaf ? undefined : soundly(asked)), PIPE),
      { deaf: false },
    )
    return played
  }

  it('are asked for after half a minute of silence, and their absence is shown', async () => {
    const played = deaf()
    const { server, clock } = await attached(played.transport)
    await clock.advance(29_999)
    expect(played.of('ping')).toHaveLength(0)
    played.deaf = true
    await clock.advance(1)
    expect(played.of('ping')).toHaveLength(1)
    await clock.advance(10_000)
    await settle()
    expect(server.status).toMatchObject({ state: 'degraded', whyKind: 'no-sign-of-life' })
    played.deaf = false
    await clock.advance(10_000)
    await settle()
    expect(server.status).toMatchObject({ state: 'ready', whyKind: 'connected' })
  })

  it('may be its list, where it never answers a ping', async () => {
    const played = pipe((asked) => (asked.method === 'ping' ? undefined : soundly(asked)))
    const { server, clock } = await attached(played.transport)
    await clock.advance(300_000)
    await settle()
    expect(server.status).toMatchObject({ state: 'ready', crashes: 0 })
    expect(played.opens).toBe(1)
    expect(played.of('ping')).toHaveLength(1)
    expect(played.of('tools/list').length).toBeGreaterThan(5)
  })

  it('are pings alone where it answers them', async () => {
    const played = pipe((asked) => (asked.method === 'ping' ? asked.result({}) : soundly(asked)))
    const { clock } = await attached(played.transport)
    await clock.advance(300_000)
    expect(played.of('ping').length).toBeGreaterThan(5)
    expect(played.of('tools/list')).toHaveLength(2)
  })

  it('are not asked for while it answers calls', async () => {
    const played = deaf()
    const { server, clock } = await attached(played.transport)
    for (let time = 0; time < 6; time += 1) {
      await server.send('act', {})
      await clock.advance(20_000)
    }
    expect(played.of('ping')).toHaveLength(0)
  })

  it('that stay away three times, while nobody waits for an answer, end it and start it anew', async () => {
    const played = deaf()
    const { server, clock } = await attached(played.transport)
    played.deaf = true
    await clock.advance(30_000 + 3 * 20_000)
    await settle()
    expect(played.opens).toBe(2)
    expect(server.status.crashes).toBe(1)
    expect(server.status.error).toMatchObject({ code: 'DP_TIMEOUT', ms: 10_000 })
    played.deaf = false
    played.end(new TransportError('DP_TRANSPORT_EXIT', 'It ended.'))
    await settle()
    await clock.advance(500)
    await settle()
    expect(server.status).toMatchObject({ state: 'ready', whyKind: 'connected' })
  })

  it('that stay away while a call waits for its answer do not end it: it may be at work', async () => {
    const played = deaf()
    const { server, clock } = await attached(played.transport)
    played.deaf = true
    const call = server.send('act', {}, { timeoutMs: 400_000 }).catch((error: unknown) => error)
    await played.until('tools/call', 1)
    await clock.advance(300_000)
    expect(server.status).toMatchObject({ state: 'degraded', whyKind: 'no-sign-of-life' })
    expect(played.opens).toBe(1)
    await server.stop()
    await call
  })

  it('are asked for at once when a call got no answer', async () => {
    const played = deaf()
    const { server, clock } = await attached(played.transport)
    played.deaf = true
    const call = server.send('act', {}, { timeoutMs: 1000 }).catch((error: unknown) => error)
    await played.until('tools/call', 1)
    await clock.advance(1005)
    expect(await call).toMatchObject({ code: 'DP_TIMEOUT', timer: 'idle' })
    await clock.advance(10_000)
    await settle()
    expect(server.status).toMatchObject({ state: 'degraded', whyKind: 'no-sign-of-life' })
  })
})

describe('a server that floods', () => {
  it('is shown as degraded until it is calm', async () => {
    const played = pipe()
    const { server, clock } = await attached(played.transport)
    for (let at = 0; at < 501; at += 1)
      played.say({
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data: at },
      })
    await settle()
    expect(server.status).toMatchObject({ state: 'degraded', whyKind: 'flood' })
    expect(await server.send('act', {})).toMatchObject({ content: [{ text: 'done' }] })
    await clock.advance(10_000)
    await settle()
    expect(server.status).toMatchObject({ state: 'ready', whyKind: 'connected' })
  })
})

describe('the lists of a server', () => {
  const changing = (): PlayedServer & { tools: unknown } => {
    const played: PlayedServer & { tools: unknown } = Object.assign(
      playedServer(
        (asked) =>
          asked.method === 'tools/list'
            ? asked.result({ tools: played.tools as [] }) // the test gives lists
            : soundly(asked),
        PIPE,
      ),
      { tools: TOOLS['tools'] },
    )
    return played
  }
  const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

  it('are read again when it says that they changed, and only told when they did', async () => {
    const played = changing()
    const { server, clock, offers } = await attached(played.transport)
    played.say(changed)
    await settle()
    await clock.advance(2000)
    await settle()
    expect(played.of('tools/list')).toHaveLength(2)
    expect(offers).toHaveLength(1)
    played.tools = [{ name: 'new', inputSchema: { type: 'object' } }]
    played.say(changed)
    await settle()
    await clock.advance(2000)
    await settle()
    expect(offers).toHaveLength(2)
    expect(server.offer).toMatchObject({ count: 3, tools: [{ name: 'new' }] })
    expect(server.status.state).toBe('ready')
  })

  it('are read at most every two seconds under a storm', async () => {
    const played = changing()
    const { clock } = await attached(played.transport)
    for (let step = 0; step < 100; step += 1) {
      for (let at = 0; at < 4; at += 1) played.say(changed)
      await clock.advance(100)
    }
    await settle()
    expect(played.of('tools/list').length).toBeLessThanOrEqual(6)
    expect(played.of('tools/list').length).toBeGreaterThanOrEqual(5)
  })

  it('are read again when it does not know a tool that is listed', async () => {
    const played = pipe((asked) =>
      asked.method === 'tools/call' ? asked.error(-32602, 'Unknown tool: act') : soundly(asked),
    )
    const { server, clock } = await attached(played.transport)
    await expect(server.send('act', {})).rejects.toBeInstanceOf(RpcError)
    await clock.advance(2000)
    await settle()
    expect(played.of('tools/list')).toHaveLength(2)
  })

  it('are heard of by a stream of their own in the modern era', async () => {
    let listening: Asked | undefined
    const played = playedServer(
      (asked) => {
        if (asked.method !== 'subscriptions/listen') return soundly(asked)
        asked.say('notifications/subscriptions/acknowledged', {
          _meta: { 'io.modelcontextprotocol/subscriptionId': asked.id },
          notifications: { toolsListChanged: true },
        })
        listening = asked
        return undefined
      },
      { ...PIPE, revision: '2026-07-28' },
    )
    const { clock, server } = await attached(played.transport)
    expect(server.status).toMatchObject({ state: 'ready', era: 'modern' })
    expect(played.of('subscriptions/listen')).toHaveLength(1)
    listening?.say('notifications/tools/list_changed', {
      _meta: { 'io.modelcontextprotocol/subscriptionId': listening.id },
    })
    await settle()
    await clock.advance(2000)
    await settle()
    expect(played.of('tools/list')).toHaveLength(2)
  })
})
