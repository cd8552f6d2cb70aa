/**
 * Calls of 2025-11-25 that are refused until a person has visited a URL: made again afterwards, within bounds, and with
 * nothing ever fetched.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { RpcError } from '../../src/base/errors.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import type { Request } from '../../src/jsonrpc/message.ts'
import type { ElicitUrlParams } from '../../src/protocol/types/elicitation.ts'
import { scriptedServer, type ScriptedServer } from '../../src/testing/scripted-server.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { settle } from '../support/recovery.ts'

const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

const DONE: JsonObject = { content: [{ type: 'text', text: 'done' }] }
const callsOf = (server: ScriptedServer): readonly Request[] =>
  server.seen.filter(
    (message): message is Request => 'method' in message && message.method === 'tools/call',
  )

const VISIT: JsonObject = {
  mode: 'url',
  message: 'Sign in',
  url: 'https://example.org/in',
  elicitationId: 'e1',
}

/** A server that refuses a call until its visits are done. */
async function visited(
  visits: unknown,
  options: ClientOptions = {},
): Promise<{ client: Client; server: ScriptedServer; done: () => void }> {
  let open = true
  const server: ScriptedServer = scriptedServer(
    {
      'tools/call': () =>
        open
          ? {
              error: {
                code: -32042,
                message: 'Visit first',
                data: { elicitations: visits } as JsonObject,
              },
            }
          : { result: DONE },
    },
    { revision: '2025-11-25' },
  )
  const client = await connect(server, { era: 'legacy', ...options })
  clients.push(client)
  return { client, server, done: () => void (open = false) }
}

const complete = (elicitationId: unknown): JsonObject => ({
  jsonrpc: '2.0',
  method: 'notifications/elicitation/complete',
  params: { elicitationId: elicitationId as string },
})

describe('a call that is refused until a person has visited a URL', () => {
  it('is made again once the server says that each visit has ended [ELIC-16, ELIC-18, ERR-05]', async () => {
    const asked: ElicitUrlParams[] = []
    const second = { ...VISIT, elicitationId: 'e2', url: 'https://example.org/two' }
    const { client, server, done } = await visited([VISIT, second], {
      answers: {
        elicitationUrl: (params) => {
          asked.push(params)
          return Promise.resolve({ action: 'accept' })
        },
      },
    })
    const call = client.callTool('t')
    await server.next('tools/call')
    await settle()
    expect(asked).toEqual([VISIT, second])
    done()
    server.say(complete('e2'))
    await settle()
    expect(callsOf(server)).toHaveLength(1)
    server.say(complete('e1'))
    expect(await call).toMatchObject(DONE)
    const [first, last] = callsOf(server)
    expect(last?.params).toEqual({ ...first?.params, _meta: { progressToken: last?.id } })
  })

  it('is made again when the person says that they are done, and who waits for that learns when the server was faster [ELIC-17]', async () => {
    const sayDone: (() => void)[] = []
    const signals: AbortSignal[] = []
    const { client, server, done } = await visited([VISIT], {
      answers: {
        elicitationUrl: () => Promise.resolve({ action: 'accept' }),
        elicitationDone: (params, { signal }) => {
          expect(params.elicitationId).toBe('e1')
          signals.push(signal)
          return new Promise((resolve) => sayDone.push(resolve))
        },
      },
    })
    const call = client.callTool('t')
    await server.next('tools/call')
    await settle()
    sayDone[0]?.()
    await settle()
    expect(callsOf(server)).toHaveLength(2)
    done()
    server.say(complete('e1'))
    expect(await call).toMatchObject(DONE)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })

  it('takes no notice of ends that it does not wait for [ELIC-17]', async () => {
    const heard: string[] = []
    const { client, server } = await visited([VISIT], {
      answers: { elicitationUrl: () => Promise.resolve({ action: 'accept' }) },
      onNotification: (method) => heard.push(method),
    })
    const controller = new AbortController()
    const call = client.callTool('t', {}, { signal: controller.signal })
    await server.next('tools/call')
    await settle()
    for (const id of ['e2', 'E1', '', 1, null, { e1: 1 }, '__proto__']) server.say(complete(id))
    await settle()
    expect(callsOf(server)).toHaveLength(1)
    expect(heard).toHaveLength(7)
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'DP_CANCELLED' })
    server.say(complete('e1'))
    await settle()
    expect([heard.length, callsOf(server).length]).toEqual([8, 1])
  })

  it.each(['decline', 'cancel'] as const)(
    'stays refused when the person answers %s, and names the URLs for whoever wants to try later [ELIC-17]',
    async (action) => {
      const { client, server } = await visited([VISIT], {
        answers: { elicitationUrl: () => Promise.resolve({ action }) },
      })
      await expect(client.callTool('t')).rejects.toMatchObject({
        rpcCode: -32042,
        data: { elicitations: [VISIT] },
      })
      expect(callsOf(server)).toHaveLength(1)
    },
  )

  it('waits no longer than the call may take in all', async () => {
    const clock = fakeClock()
    const { client, server } = await visited([VISIT], {
      clock,
      answers: { elicitationUrl: () => Promise.resolve({ action: 'accept' }) },
    })
    const call = client.callTool('t').catch((error: unknown) => error)
    await server.next('tools/call')
    await settle()
    await clock.advance(600_000)
    expect(await call).toMatchObject({ code: 'DP_TIMEOUT', cause: expect.any(RpcError) })
    expect(clock.pending).toBe(0)
  })

  it('is refused only so often', async () => {
    const { client, server } = await visited([VISIT], {
      maxRounds: 3,
      answers: {
        elicitationUrl: () => Promise.resolve({ action: 'accept' }),
        elicitationDone: () => Promise.resolve(),
      },
    })
    await expect(client.callTool('t')).rejects.toMatchObject({ code: 'DP_PROTOCOL_ROUNDS' })
    expect(callsOf(server)).toHaveLength(4)
  })

  it.each([
    undefined,
    null,
    [],
    {},
    [null],
    [{ ...VISIT, mode: 'form' }],
    [{ ...VISIT, elicitationId: undefined }],
    [{ ...VISIT, url: 5 }],
    Array.from({ length: 65 }, () => VISIT),
  ])('fails as it is when it does not say how (%#) [ERR-05]', async (visits) => {
    let asked = 0
    const { client } = await visited(visits, {
      answers: {
        elicitationUrl: () => {
          asked += 1
          return Promise.resolve({ action: 'accept' })
        },
      },
    })
    await expect(client.callTool('t')).rejects.toMatchObject({ rpcCode: -32042 })
    expect(asked).toBe(0)
  })

  it('fails as it is where nobody was declared who could go [ELIC-01]', async () => {
    const { client } = await visited([VISIT])
    await expect(client.callTool('t')).rejects.toMatchObject({ rpcCode: -32042 })
  })
})
