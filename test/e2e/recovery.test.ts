/**
 * A connection that is lost, or a session that is forgotten: opened again once, calls repeated where that is safe, and
 * nowhere else. Over a link with a stream for each request, as HTTP has it, in the hands of the test.
 */
import { describe, expect, it } from 'vitest'
import { AuthError, TransportError } from '../../src/base/errors.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { LEGACY_REVISIONS } from '../../src/protocol/revision.ts'
import { fakeClock } from '../support/fake-clock.ts'
import {
  playedServer,
  sessionLost,
  type Asked,
  type PlayedServer,
} from '../support/played-server.ts'
import { cut, DONE, forgetful, meet, settle, soundly, TOOLS } from '../support/recovery.ts'

describe.each(LEGACY_REVISIONS)('a session of %s that the server has forgotten', (revision) => {
  it('is begun anew once, however many calls meet it, and they are all repeated [HTTP-32]', async () => {
    const server = forgetful({ revision })
    const client = await meet(server)
    await client.listTools()
    server.forget()
    const calls = Array.from({ length: 20 }, () => client.callTool('act'))
    const lists = Array.from({ length: 5 }, () => client.listTools())
    for (const result of await Promise.all(calls)) expect(result).toMatchObject(DONE)
    for (const tools of await Promise.all(lists)) expect(tools).toHaveLength(3)
    expect(server.opens).toBe(2)
    expect(server.of('initialize').map(({ link }) => link)).toEqual([1, 2])
    expect(server.of('notifications/initialized').map(({ link }) => link)).toEqual([1, 2])
    expect(server.of('tools/call').filter(({ link }) => link === 2)).toHaveLength(20)
    expect(client.server.revision).toBe(revision)
  })

  it('is forgotten by the client as well: its link is closed once nothing is under way on it', async () => {
    const clock = fakeClock()
    let slow: Asked | undefined
    let lost = false
    const server = playedServer(
      (asked) => {
        if (asked.params['name'] === 'look') return (slow = asked)
        if (lost && asked.link === 1) return asked.fail(sessionLost())
        return soundly(asked)
      },
      { revision },
    )
    const client = await meet(server, { clock })
    const early = client.callTool('look')
    await server.until('tools/call', 1)
    lost = true
    await client.listTools()
    await clock.advance(5000)
    expect(server.open).toBe(2)
    slow?.result(DONE)
    expect(await early).toMatchObject(DONE)
    await clock.advance(1000)
    expect(server.open).toBe(1)
  })

  it('has its log level again, and what was set last [LOG-03]', async () => {
    const server = forgetful({ revision, capabilities: { tools: {}, logging: {} } })
    const client = await meet(server, { logLevel: 'error' }).catch(() => undefined)
    expect(client).toBeDefined()
    server.forget()
    await client?.listTools()
    expect(server.of('logging/setLevel').map(({ params }) => params['level'])).toEqual([
      'error',
      'error',
    ])
  })
})

describe('a call over which the session was forgotten', () => {
  it('is made twice and not a third time', async () => {
    const server = playedServer((asked) =>
      asked.method === 'initialize' || asked.method === 'ping' ? false : asked.fail(sessionLost()),
    )
    const client = await meet(server)
    await expect(client.callTool('act')).rejects.toMatchObject({ code: 'DP_TRANSPORT_SESSION' })
    expect(server.of('tools/call')).toHaveLength(2)
    expect(server.opens).toBe(2)
  })

  it('fails as it was when the server cannot be reached again, and the client is over', async () => {
    const clock = fakeClock()
    const server = forgetful()
    const client = await meet(server, { clock })
    server.forget()
    server.refusals.push(...Array.from({ length: 9 }, () => cut('no')))
    const failure = client.callTool('act').catch((error: unknown) => error)
    await clock.advance(120_000)
    expect(await failure).toMatchObject({ code: 'DP_TRANSPORT_SESSION', method: 'tools/call' })
    expect(server.refusals).toHaveLength(4)
    await client.closed
    expect(client.closeReason).toMatchObject({
      code: 'DP_TRANSPORT_CLOSED',
      message: expect.stringContaining('5 times in a row'),
    })
    await expect(client.callTool('act')).rejects.toMatchObject({ sent: 'no' })
  })

  it('waits no longer than its own time, and no longer than its caller', async () => {
    const clock = fakeClock()
    const server = forgetful()
    const client = await meet(server, { clock })
    server.forget()
    server.refusals.push(...Array.from({ length: 4 }, () => cut('no')))
    const controller = new AbortController()
    const short = client
      .callTool('act', {}, { totalTimeoutMs: 100 })
      .catch((error: unknown) => error)
    const given = client
      .callTool('act', {}, { signal: controller.signal })
      .catch((error: unknown) => error)
    const long = client.callTool('act')
    await settle()
    controller.abort('enough')
    expect(await given).toMatchObject({ code: 'DP_CANCELLED', reason: 'enough' })
    await clock.advance(100)
    expect(await short).toMatchObject({ code: 'DP_TIMEOUT', timer: 'total' })
    await clock.advance(30_000)
    expect(await long).toMatchObject(DONE)
    expect(server.of('tools/call').filter(({ link }) => link === 2)).toHaveLength(1)
  })

  it('is told that credentials are missing, where that stands in the way', async () => {
    const server = forgetful()
    const client = await meet(server)
    server.forget()
    server.refusals.push(new AuthError('Sign in first.', { status: 401 }))
    await expect(client.callTool('act')).rejects.toMatchObject({ code: 'DP_AUTH_REQUIRED' })
    expect(server.refusals).toEqual([])
  })

  it('fails at once where connections are not opened again', async () => {
    const server = forgetful()
    const client = await meet(server, { reconnect: false })
    server.forget()
    await expect(client.listTools()).rejects.toMatchObject({ code: 'DP_TRANSPORT_SESSION' })
    expect(server.opens).toBe(1)
  })

  it('finds a server that has learned a new revision meanwhile', async () => {
    let modern = false
    const old = playedServer((asked) => {
      if (asked.link > 1 && asked.method === 'initialize')
        return asked.error(-32601, 'Method not found')
      if (asked.method === 'server/discover')
        return asked.link === 1
          ? asked.error(-32601, 'Method not found')
          : asked.result({
              resultType: 'complete',
              supportedVersions: ['2026-07-28'],
              capabilities: { tools: {} },
              ttlMs: 0,
              cacheScope: 'private',
            })
      if (asked.link === 1 && modern) return asked.fail(sessionLost())
      return soundly(asked)
    })
    const client = await meet(old, { era: 'auto' })
    expect(client.server.era).toBe('legacy')
    modern = true
    expect(await client.callTool('act')).toMatchObject(DONE)
    expect(client.server).toMatchObject({ era: 'modern', revision: '2026-07-28' })
  })

  it('does not go on with a cursor of the session before: the list is begun anew [PAGE-05]', async () => {
    let pages = 0
    let lost = false
    const server = playedServer((asked) => {
      if (asked.method !== 'tools/list') return false
      if (lost && asked.link === 1) return asked.fail(sessionLost())
      pages += 1
      const { cursor } = asked.params
      if (cursor !== undefined && cursor !== `of ${asked.link}`)
        return asked.error(-32602, 'Invalid cursor')
      lost ||= pages === 1
      const tools = [{ name: `${asked.link}-${cursor === undefined ? 1 : 2}`, inputSchema: {} }]
      return asked.result({
        tools,
        ...(cursor === undefined ? { nextCursor: `of ${asked.link}` } : {}),
      })
    })
    const client = await meet(server)
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['2-1', '2-2'])
    expect(server.of('tools/list').map(({ link, params }) => [link, params['cursor']])).toEqual([
      [1, undefined],
      [1, 'of 1'],
      [2, undefined],
      [2, 'of 2'],
    ])
  })
})

describe('a call over which the link was lost', () => {
  /** Loses the link over the first call of a tool; `sent` is what was known of it. */
  async function losing(
    sent: 'no' | 'maybe' | 'yes',
    options: ClientOptions = {},
  ): Promise<{ client: Client; server: PlayedServer }> {
    let lost = false
    const server: PlayedServer = playedServer((asked) => {
      if (asked.method !== 'tools/call' || lost) return soundly(asked)
      lost = true
      return server.end(new TransportError('DP_TRANSPORT_EXIT', 'The server died.'))
    })
    const client = await meet(server, options)
    await client.listTools()
    server.sent = sent
    return { client, server }
  }

  it.each(['maybe', 'yes'] as const)(
    'is not repeated when it %s have had an effect, and says that nobody knows',
    async (sent) => {
      const { client, server } = await losing(sent)
      await expect(client.callTool('act')).rejects.toMatchObject({
        sent,
        message: expect.stringContaining('Whether it took effect is not known'),
      })
      expect(server.of('tools/call')).toHaveLength(1)
      expect(await client.callTool('act')).toMatchObject(DONE)
      expect(server.opens).toBe(2)
    },
  )

  it('is repeated when it surely had not left', async () => {
    const { client, server } = await losing('no')
    expect(await client.callTool('act')).toMatchObject(DONE)
    expect(server.of('tools/call').map(({ link }) => link)).toEqual([1, 2])
  })

  it.each(['look', 'set'])(
    'is repeated for %s, which says that twice is as good as once, if the server is trusted, and else not [TOOL-18]',
    async (name) => {
      const stranger = await losing('yes')
      await expect(stranger.client.callTool(name)).rejects.toMatchObject({ sent: 'yes' })
      const trusted = await losing('yes', { trusted: true })
      expect(await trusted.client.callTool(name)).toMatchObject(DONE)
      const other = await losing('yes', { trusted: true })
      await expect(other.client.callTool('act')).rejects.toMatchObject({ sent: 'yes' })
      await expect(
        (await losing('yes', { trusted: true })).client.callTool('unlisted'),
      ).rejects.toMatchObject({ sent: 'yes' })
    },
  )

  it('is repeated when it only reads', async () => {
    let lost = false
    const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }
    const answers: JsonObject = {
      'tools/list': TOOLS,
      'resources/list': { resources: [] },
      'resources/templates/list': { resourceTemplates: [] },
      'resources/read': { contents: [] },
      'prompts/list': { prompts: [] },
      'prompts/get': { messages: [] },
      'completion/complete': { completion: { values: [] } },
      ping: {},
    }
    const server: PlayedServer = playedServer(
      (asked) => {
        if (!Object.hasOwn(answers, asked.method)) return false
        if (!lost) return server.end()
        return asked.result(answers[asked.method] as JsonObject) // as the table above says
      },
      { capabilities },
    )
    const client = await meet(server)
    const reads = Promise.all([
      client.listTools(),
      client.listResources(),
      client.listResourceTemplates(),
      client.readResource('a:1'),
      client.listPrompts(),
      client.getPrompt('p'),
      client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }),
      client.ping(),
    ])
    await server.until('initialize', 2)
    lost = true
    expect(await reads).toHaveLength(8)
    expect(server.opens).toBe(2)
  })

  it('ends with the link where it is not opened again, as over standard input and output', async () => {
    const server: PlayedServer = playedServer(
      (asked) => (asked.method === 'tools/list' ? server.end() : false),
      { reopens: false, perRequest: false },
    )
    const client = await meet(server)
    await expect(client.listTools()).rejects.toMatchObject({ family: 'transport' })
    await client.closed
    expect(server.opens).toBe(1)
  })

  it('is opened again there as well by option', async () => {
    const server: PlayedServer = playedServer(
      (asked) =>
        asked.link === 1 && asked.method === 'tools/list' ? server.end() : soundly(asked),
      { reopens: false, perRequest: false },
    )
    const client = await meet(server, { reconnect: true })
    expect(await client.listTools()).toHaveLength(3)
  })
})
