/** A timer that ran out says where its value was set, also when somebody else than the client or the caller set it. */
import { expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { playedServer } from '../support/played-server.ts'
import { meet, settle } from '../support/recovery.ts'

const silent = (method: string): ReturnType<typeof playedServer> =>
  playedServer((asked) => (asked.method === method ? undefined : false))

it('names the place that the start limit of a client came from', async () => {
  const clock = fakeClock()
  const server = silent('initialize')
  const timeouts = { startMs: 500, setBy: { start: 'servers.json:7 startup_timeout' } }
  const failure = connect(server.transport, { era: 'legacy', clock, timeouts }).catch(
    (error: unknown) => error,
  )
  await server.until('initialize', 1)
  await clock.advance(600)
  expect(await failure).toMatchObject({
    timer: 'start',
    ms: 500,
    setBy: 'servers.json:7 startup_timeout',
  })
})

it.each([
  ['idle', { timeoutMs: 70, limitsSetBy: { idle: 'servers.json:9 timeout' } }, 70],
  ['total', { totalTimeoutMs: 80, limitsSetBy: { total: 'servers.json:9 timeout' } }, 80],
] as const)('names the place that the %s limit of a call came from', async (timer, options, ms) => {
  const clock = fakeClock()
  const server = silent('tools/call')
  const client = await meet(server, { clock })
  const failure = client.callTool('act', {}, options).catch((error: unknown) => error)
  await settle()
  await clock.advance(200)
  expect(await failure).toMatchObject({ timer, ms, setBy: 'servers.json:9 timeout' })
})

it('names the place that the limits of a client came from', async () => {
  const clock = fakeClock()
  const server = silent('tools/call')
  const timeouts = { idleMs: 60, setBy: { idle: 'MCP_TIMEOUT' } }
  const client = await meet(server, { clock, timeouts })
  const failure = client.callTool('act').catch((error: unknown) => error)
  await settle()
  await clock.advance(200)
  expect(await failure).toMatchObject({ timer: 'idle', ms: 60, setBy: 'MCP_TIMEOUT' })
})

it('is not waited for when connecting is given up: a server that is silent is asked nothing more', async () => {
  const clock = fakeClock()
  const server = playedServer(() => undefined, { perRequest: false })
  const stop = new AbortController()
  const failure = connect(server.transport, { clock, signal: stop.signal }).catch(
    (error: unknown) => error,
  )
  await server.until('server/discover', 1)
  stop.abort()
  expect(await failure).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
  expect([server.opens, server.open]).toEqual([1, 0])
})
