/**
 * Calls that take more than one round, because of questions inside of results: bounded, given up when their caller gives up,
 * and never mixed with one another.
 */
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import type { Request } from '../../src/jsonrpc/message.ts'
import {
  scriptedServer,
  type Script,
  type ScriptedServer,
} from '../../src/testing/scripted-server.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { settle } from '../support/recovery.ts'

const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

const DONE: JsonObject = { content: [{ type: 'text', text: 'done' }] }
const FORM = {
  method: 'elicitation/create',
  params: { message: 'Name?', requestedSchema: { type: 'object', properties: {} } },
}

async function modern(
  script: Script,
  options: ClientOptions = {},
): Promise<{ client: Client; server: ScriptedServer }> {
  const server = scriptedServer(script, { revision: '2026-07-28' })
  const client = await connect(server, { era: 'modern', ...options })
  clients.push(client)
  return { client, server }
}

const callsOf = (server: ScriptedServer): readonly Request[] =>
  server.seen.filter(
    (message): message is Request => 'method' in message && message.method === 'tools/call',
  )
const asking = (more: JsonObject): { result: JsonObject } => ({
  result: { resultType: 'input_required', ...more },
})

describe('a call that is asked back', () => {
  it('goes on without a question at once, with the state byte for byte [MRTR-05, MRTR-07, MRTR-08]', async () => {
    const state = ' {"a":\u00e4\u2028\ud83d\ude00 "} '
    const { client, server } = await modern({
      'tools/call': ({ params }) =>
        params?.['requestState'] === undefined ? asking({ requestState: state }) : { result: DONE },
    })
    expect(await client.callTool('t', { a: 1 })).toMatchObject(DONE)
    const [first, second] = callsOf(server)
    expect(second?.params).toMatchObject({ name: 't', arguments: { a: 1 }, requestState: state })
    expect(second?.params?.['inputResponses']).toBeUndefined()
    expect(second?.id).not.toBe(first?.id)
  })

  it('sends no state where none came, and the last one where several came [MRTR-06, MRTR-07]', async () => {
    const states = ['one', undefined, 'three']
    const { client, server } = await modern(
      {
        'tools/call': () => {
          if (states.length === 0) return { result: DONE }
          const requestState = states.shift()
          return asking({
            inputRequests: { q: FORM },
            ...(requestState === undefined ? {} : { requestState }),
          })
        },
      },
      { answers: { elicitation: () => Promise.resolve({ action: 'decline' }) } },
    )
    await client.callTool('t')
    expect(callsOf(server).map(({ params }) => params?.['requestState'])).toEqual([
      undefined,
      'one',
      undefined,
      'three',
    ])
  })

  it('is not mixed with another one that runs beside it [MRTR-08]', async () => {
    const { client, server } = await modern(
      {
        'tools/call': ({ params }) => {
          const { n } = Object(params?.['arguments'])
          const state = params?.['requestState']
          if (state === undefined)
            return asking({
              requestState: `state ${n}`,
              inputRequests: {
                [`q${n}`]: { ...FORM, params: { ...FORM.params, message: `Name ${n}?` } },
              },
            })
          return {
            result: {
              content: [],
              structuredContent: { n, state, answers: params?.['inputResponses'] ?? null },
            },
          }
        },
      },
      {
        answers: {
          elicitation: async ({ message }) => {
            for (let at = 0; at < message.length % 3; at += 1) await settle()
            return { action: 'accept', content: { said: message } }
          },
        },
      },
    )
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, n) => client.callTool('t', { n })),
    )
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(
      Array.from({ length: 30 }, (_, n) => ({
        n,
        state: `state ${n}`,
        answers: { [`q${n}`]: { action: 'accept', content: { said: `Name ${n}?` } } },
      })),
    )
    expect(new Set(callsOf(server).map(({ id }) => id)).size).toBe(60)
  })

  it('ends after so many rounds, with an error that says so [MRTR-14]', async () => {
    const { client, server } = await modern(
      { 'tools/call': asking({ requestState: 'again' }) },
      { maxRounds: 3 },
    )
    await expect(client.callTool('t')).rejects.toMatchObject({ code: 'DP_PROTOCOL_ROUNDS' })
    expect(callsOf(server)).toHaveLength(4)
  })

  it('is given up between two rounds when its caller gives up, whatever who answers does [MRTR-14]', async () => {
    const controller = new AbortController()
    const signals: AbortSignal[] = []
    const { client, server } = await modern(
      { 'tools/call': asking({ inputRequests: { q: FORM } }) },
      {
        answers: {
          elicitation: (_, { signal }) => {
            signals.push(signal)
            return new Promise(() => undefined)
          },
        },
      },
    )
    const call = client.callTool('t', {}, { signal: controller.signal })
    await server.next('tools/call')
    await settle()
    controller.abort('enough')
    await expect(call).rejects.toMatchObject({ code: 'DP_CANCELLED', reason: 'enough' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(callsOf(server)).toHaveLength(1)
  })

  it('has one limit of time over all of its rounds, answers counted in [LIFE-18]', async () => {
    const clock = fakeClock()
    let round = 0
    const { client, server } = await modern(
      {
        'tools/call': () => asking({ requestState: `${(round += 1)}`, inputRequests: { q: FORM } }),
      },
      {
        clock,
        maxRounds: 1000,
        answers: {
          elicitation: () =>
            new Promise((resolve) => void clock.after(1000, () => resolve({ action: 'accept' }))),
        },
      },
    )
    const call = client.callTool('t', {}, { totalTimeoutMs: 4500 }).catch((error: unknown) => error)
    for (let at = 0; at < 12; at += 1) {
      await settle()
      await clock.advance(500)
    }
    expect(await call).toMatchObject({ code: 'DP_TIMEOUT', timer: 'total', ms: 4500 })
    expect(callsOf(server)).toHaveLength(5)
  })

  it('may take as long as it likes where its caller sets no limit', async () => {
    const { client } = await modern(
      {
        'tools/call': ({ params }) =>
          params?.['inputResponses'] === undefined
            ? asking({ inputRequests: { q: FORM } })
            : { result: DONE },
      },
      { answers: { elicitation: () => settle().then(() => ({ action: 'accept' })) } },
    )
    const options = { totalTimeoutMs: Number.POSITIVE_INFINITY }
    expect(await client.callTool('t', {}, options)).toMatchObject(DONE)
  })

  it('leaves no timer and no listener behind', async () => {
    const clock = fakeClock()
    const controller = new AbortController()
    const { client } = await modern(
      {
        'tools/call': ({ params }) =>
          params?.['inputResponses'] === undefined
            ? asking({ inputRequests: { q: FORM } })
            : { result: DONE },
      },
      { clock, answers: { elicitation: () => Promise.resolve({ action: 'accept' }) } },
    )
    const { signal } = controller
    let listeners = 0
    const [add, remove] = [
      signal.addEventListener.bind(signal),
      signal.removeEventListener.bind(signal),
    ]
    Object.assign(signal, {
      addEventListener: (...args: Parameters<typeof add>) => {
        listeners += 1
        add(...args)
      },
      removeEventListener: (...args: Parameters<typeof remove>) => {
        listeners -= 1
        remove(...args)
      },
    })
    for (let at = 0; at < 20; at += 1) await client.callTool('t', {}, { signal })
    expect(listeners).toBeLessThanOrEqual(1)
    expect(clock.pending).toBeLessThanOrEqual(1)
  })

  it.each(['surprise', '', 'Complete', 5, {}, []])(
    'fails when its result is of the unknown type %j [RPC-20]',
    async (resultType) => {
      const { client } = await modern({
        'tools/call': { result: { ...DONE, resultType } },
      })
      await expect(client.callTool('t')).rejects.toMatchObject({
        code: 'DP_PROTOCOL_RESULT',
        requirement: 'RPC-20',
      })
    },
  )

  it.each([undefined, null])(
    'reads a result of no type (%j) as complete [RPC-19]',
    async (resultType) => {
      const result = resultType === undefined ? DONE : { ...DONE, resultType }
      const { client } = await modern({ 'tools/call': { result } })
      expect(await client.callTool('t')).toMatchObject(DONE)
    },
  )
})
