/**
 * Links that are lost and opened again, single requests that fail on a link that goes on, and servers that say in their own
 * words that they have forgotten a session.
 */
import { describe, expect, it } from 'vitest'
import { HttpError, RpcError, TransportError } from '../../src/base/errors.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { playedServer, type PlayedServer } from '../support/played-server.ts'
import { cut, DONE, meet, settle, soundly, turn } from '../support/recovery.ts'

describe('a single request that failed while the link goes on', () => {
  const failing = (error: Error, times: number = 1): PlayedServer => {
    let failures = 0
    return playedServer((asked) => {
      if (asked.method.startsWith('tools/') && (failures += 1) <= times) return asked.fail(error)
      return soundly(asked)
    })
  }
  const http = (status: number, retryAfterMs?: number): HttpError =>
    new HttpError('DP_TRANSPORT_HTTP', `It said ${status}.`, { status, sent: 'yes', retryAfterMs })

  it('is made once more, a little later, when it surely had not left', async () => {
    const clock = fakeClock()
    const server = failing(cut('no'))
    const client = await meet(server, { clock, random: () => new Uint8Array([255, 255]) })
    const result = client.callTool('act')
    await server.until('tools/call', 1)
    await settle()
    await clock.advance(249)
    expect(server.of('tools/call')).toHaveLength(1)
    await clock.advance(1)
    expect(await result).toMatchObject(DONE)
    expect(server.opens).toBe(1)
  })

  it('is made once more when it only reads and the server was out of order, after the time it asks for', async () => {
    const clock = fakeClock()
    const server = failing(http(503, 5000))
    const client = await meet(server, { clock })
    const result = client.listTools()
    await server.until('tools/list', 1)
    await settle()
    await clock.advance(4999)
    expect(server.of('tools/list')).toHaveLength(1)
    await clock.advance(1)
    expect(await result).toHaveLength(3)
  })

  it.each([400, 403, 404, 501 - 100])('is not made again after a status of %i', async (status) => {
    const server = failing(http(status))
    const client = await meet(server)
    await expect(client.listTools()).rejects.toMatchObject({ status })
    expect(server.of('tools/list')).toHaveLength(1)
  })

  it('is not made again when it may have had an effect', async () => {
    const server = failing(http(503))
    const client = await meet(server)
    await expect(client.callTool('act')).rejects.toMatchObject({ status: 503, sent: 'yes' })
    expect(server.of('tools/call')).toHaveLength(1)
  })

  it('is not made a third time', async () => {
    const clock = fakeClock()
    const server = failing(http(502), 9)
    const client = await meet(server, { clock })
    const failure = client.listTools().catch((error: unknown) => error)
    await server.until('tools/list', 1)
    await settle()
    await clock.advance(60_000)
    expect(await failure).toMatchObject({ status: 502 })
    expect(server.of('tools/list')).toHaveLength(2)
  })
})

describe('a server that says it was not initialized', () => {
  const amnesia = (code: number, message: string, pings: boolean = true): PlayedServer => {
    let lost = false
    return playedServer((asked) => {
      if (asked.method === 'tools/list' || asked.method === 'tools/call') lost ||= asked.link === 1
      const knows = asked.link > 1 || !lost || asked.method === 'initialize'
      if (knows || (pings && asked.method === 'ping')) return soundly(asked)
      return asked.error(code, message)
    })
  }

  it.each([
    [-32600, 'Server not initialized'],
    [-32000, 'Bad Request: Server not initialized'],
    [-32002, 'Session is NOT INITIALISED yet'],
  ])(
    'in the words %i %s gets a new handshake, and what only reads is repeated',
    async (code, message) => {
      const server = amnesia(code, message)
      const client = await meet(server)
      expect(await client.listTools()).toHaveLength(3)
      expect(server.opens).toBe(2)
    },
  )

  it.each([
    [-32603, 'Server not initialized'],
    [-32600, 'Unknown session'],
    [-32602, 'Engine not initialized'],
  ])('is not seen in %i %s', async (code, message) => {
    const server = amnesia(code, message)
    const client = await meet(server)
    await expect(client.listTools()).rejects.toMatchObject({ rpcCode: code })
    expect(server.opens).toBe(1)
  })

  it('over a tool is only believed when other questions are refused in the same way', async () => {
    const sound = amnesia(-32000, 'Camera not initialized')
    const one = await meet(sound)
    await expect(one.callTool('act')).rejects.toMatchObject({ rpcCode: -32000 })
    expect(sound.opens).toBe(1)
    const lost = amnesia(-32000, 'Server not initialized', false)
    const two = await meet(lost)
    await expect(two.callTool('act')).rejects.toMatchObject({ rpcCode: -32000 })
    await lost.until('initialize', 2)
    await settle()
    expect(await two.callTool('act')).toMatchObject(DONE)
    expect(lost.of('tools/call')).toHaveLength(2)
  })

  it('is not seen where there are no sessions that could be forgotten alone', async () => {
    const server: PlayedServer = playedServer(
      (asked) =>
        asked.method === 'tools/list' ? asked.error(-32000, 'Server not initialized') : false,
      { perRequest: false },
    )
    const client = await meet(server)
    await expect(client.listTools()).rejects.toBeInstanceOf(RpcError)
    expect(server.opens).toBe(1)
  })
})

describe('a server that does not speak the revision any more', () => {
  it.each(['legacy', 'modern'] as const)(
    'did nothing, is met anew, and what was asked is repeated, over a %s link [ERR-08]',
    async (era) => {
      const revision = era === 'modern' ? '2026-07-28' : '2025-11-25'
      const data = { supported: [revision], requested: 'another' }
      const server = playedServer(
        (asked) =>
          asked.link === 1 && asked.method === 'tools/call'
            ? asked.error(-32022, 'Unsupported protocol version', data)
            : soundly(asked),
        { revision },
      )
      const client = await meet(server, {}, era)
      expect(await client.callTool('act')).toMatchObject(DONE)
      expect(server.of('tools/call').map(({ link }) => link)).toEqual([1, 2])
    },
  )
})

describe('a link that is lost', () => {
  it('is opened again by itself: at once, then after pauses that double, five times in a row', async () => {
    const clock = fakeClock()
    const server = playedServer(soundly)
    const client = await meet(server, { clock, random: () => new Uint8Array([255, 255]) })
    const at: number[] = []
    const started = clock.now()
    server.refusals.push(...Array.from({ length: 9 }, () => cut('no')))
    const shift = server.refusals.shift.bind(server.refusals)
    server.refusals.shift = () => {
      at.push(clock.now() - started)
      return shift()
    }
    server.end(new TransportError('DP_TRANSPORT_EXIT', 'It died.', { exitCode: 3 }))
    for (let step = 0; step < 20; step += 1) {
      await settle()
      await clock.advance(250)
    }
    await client.closed
    expect(at).toEqual([0, 250, 750, 1750, 3750])
    expect(clock.pending).toBe(0)
  })

  it('is told when it is lost and when it is back', async () => {
    const clock = fakeClock()
    const server = playedServer(soundly)
    const changes: string[] = []
    await meet(server, {
      clock,
      onLink: (change) =>
        changes.push(change.kind === 'lost' ? `lost: ${change.reason?.message}` : change.kind),
    })
    expect(changes).toEqual([])
    server.end(new TransportError('DP_TRANSPORT_EXIT', 'It died.', { exitCode: 3 }))
    await server.until('initialize', 2)
    await settle()
    expect(changes).toEqual(['lost: It died.', 'reopened'])
  })

  it('counts as a new matter when it held for a minute, and not before', async () => {
    const clock = fakeClock()
    const server = playedServer(soundly)
    const client = await meet(server, { clock, random: () => new Uint8Array([255, 255]) })
    for (let round = 1; round <= 12; round += 1) {
      await clock.advance(60_000)
      server.end()
      await server.until('initialize', round + 1)
      await settle()
    }
    expect(server.opens).toBe(13)
    for (let round = 0; round < 6; round += 1) {
      server.end()
      await settle()
      await clock.advance(5000)
      await settle()
    }
    await client.closed
    expect(server.opens).toBeLessThan(20)
  })

  it('is not opened again after close, also not when that was under way', async () => {
    const clock = fakeClock()
    const server = playedServer(soundly)
    const client = await meet(server, { clock })
    server.refusals.push(cut('no'), cut('no'))
    server.end()
    await settle()
    await client.close()
    await client.closed
    await clock.advance(60_000)
    expect([server.opens, server.open, clock.pending]).toEqual([1, 0, 0])
    expect(client.closeReason).toBeUndefined()
  })

  it('stays lost when the server does not want to be spoken with', async () => {
    let refuse = false
    const server = playedServer((asked) =>
      refuse && asked.method === 'initialize' ? asked.error(-32000, 'Go away') : soundly(asked),
    )
    const client = await meet(server, { revisions: ['2025-11-25'] })
    refuse = true
    server.end()
    await client.closed
    expect(client.closeReason).toMatchObject({ rpcCode: -32000 })
  })

  it('does not settle `closed`, and calls made meanwhile wait for the new one', async () => {
    const clock = fakeClock()
    const server = playedServer(soundly)
    const client = await meet(server, { clock })
    let over = false
    void client.closed.then(() => (over = true))
    const before = client.connection
    server.refusals.push(cut('no'))
    server.end()
    await turn()
    const call = client.callTool('act')
    await clock.advance(30_000)
    expect(await call).toMatchObject(DONE)
    expect(over).toBe(false)
    expect(client.connection).not.toBe(before)
    await client.close()
    expect(over).toBe(true)
  })
})
