/**
 * Too much of everything, in memory: storms of notices, floods of questions and requests, calls that never end. What
 * is bounded stays at its bound, what is refused is told so, and what was there before goes on.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isJsonObject, type JsonObject } from '../../src/base/json.ts'
import { Server } from '../../src/server/server.ts'
import { defineTool } from '../../src/tools/define.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { liveBytes } from '../support/heap.ts'
import { answered, connected, plain } from '../support/hostile-client.ts'
import { rawEnd, turn, type RawEnd } from '../support/hostile.ts'
import { failureOf } from '../support/odd-peer.ts'

const MANY = 20_000
/** For machines that are slow or busy. */
const LONG = { timeout: 30_000, interval: 5 }
const told = (method: string, params: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  method,
  params,
})

/** Says something many times, and waits whenever it is asked to. */
async function storm(
  end: RawEnd,
  times: number,
  message: (at: number) => JsonObject,
): Promise<void> {
  for (let at = 0; at < times; at += 1) await end.say(message(at))
}

describe('a client', () => {
  it('has one change to tell after a storm of twenty thousand notices', async () => {
    const { client, end } = await connected('legacy', () => {})
    const changes = client.changes({ tools: true })
    await storm(end, MANY, () => told('notifications/tools/list_changed'))
    expect(await changes.next()).toEqual({ value: { kind: 'tools' }, done: false })
    const second = changes.next().then(() => 'another')
    expect(await Promise.race([second, turn().then(() => 'none')])).toBe('none')
    await changes.return?.()
  })

  it.each([
    ['progress of nobody', 'notifications/progress', { progressToken: 'x', progress: 1 }],
    ['cancellations of nothing', 'notifications/cancelled', { requestId: 77 }],
    ['log messages that nobody hears', 'notifications/message', { level: 'error', data: 'd' }],
    ['changes of unknown resources', 'notifications/resources/updated', { uri: 'u' }],
    ['notices of an unknown kind', 'notifications/x', {}],
  ])('keeps nothing of twenty thousand %s', async (_, method, params) => {
    const { client, end } = await connected('legacy', ({ id }, self) => {
      if (id !== undefined) void self.say(answered(id, plain))
    })
    await storm(end, 1000, () => told(method, params))
    const before = liveBytes().heap
    await storm(end, MANY, () => told(method, params))
    expect(await client.callTool('x')).toMatchObject(plain)
    expect(liveBytes().heap - before).toBeLessThan(2_000_000)
  })

  it('ends a call that reports progress for ever when its whole time is over [LIFE-20]', async () => {
    const clock = fakeClock()
    const { client, end } = await connected('legacy', () => {}, { clock })
    const call = failureOf(client.callTool('x'))
    const { id } = await end.find(({ method }) => method === 'tools/call')
    for (let minute = 0; minute < 10; minute += 1) {
      for (let at = 0; at < 3; at += 1) {
        await clock.advance(20_000)
        void end.say(
          told('notifications/progress', { progressToken: id ?? null, progress: minute * 3 + at }),
        )
        await turn()
      }
    }
    expect(await call).toMatchObject({ code: 'DP_TIMEOUT', timer: 'total', ms: 600_000 })
    expect(clock.pending).toBe(0)
  })

  it('refuses the 1,025th request that waits, before anything is sent, and sends it when there is room', async () => {
    const held: JsonObject[] = []
    const { client, end } = await connected('legacy', (message) => void held.push(message))
    const calls = Array.from({ length: 1024 }, () => client.callTool('x'))
    expect(await failureOf(client.callTool('one too many'))).toMatchObject({
      code: 'DP_TRANSPORT_OVERLOADED',
      sent: 'no',
    })
    await turn()
    const ids = held.filter(({ method }) => method === 'tools/call').map(({ id }) => id)
    expect(ids).toHaveLength(1024)
    void end.say(answered(ids.shift(), plain))
    await calls[0]
    const last = client.callTool('now there is room')
    await turn()
    void end.say(answered(held.at(-1)?.['id'], plain))
    expect(await last).toMatchObject(plain)
    for (const id of ids) void end.say(answered(id, plain))
    expect(await Promise.all(calls)).toHaveLength(1024)
  })

  it('leaves a server that asks in circles after ten rounds of answers [MRTR-14]', async () => {
    let asked = 0
    const ids = new Set<unknown>()
    const elicitation = () =>
      Promise.resolve({ action: 'accept' as const, content: { n: (asked += 1) } })
    const question = {
      method: 'elicitation/create',
      params: { message: 'm', requestedSchema: { type: 'object' } },
    }
    const { client } = await connected(
      'modern',
      ({ id }, end) => {
        if (id === undefined) return
        ids.add(id)
        void end.say(
          answered(id, {
            resultType: 'input_required',
            inputRequests: { q: question },
            requestState: 's',
          }),
        )
      },
      { answers: { elicitation } },
    )
    expect(await failureOf(client.callTool('x'))).toMatchObject({ code: 'DP_PROTOCOL_ROUNDS' })
    expect(asked).toBe(10)
    expect(ids.size).toBe(11)
  })

  it('answers none of more questions than one result may ask [MRTR-03]', async () => {
    let asked = 0
    const elicitation = () =>
      Promise.resolve({ action: 'accept' as const, content: { n: (asked += 1) } })
    const question = {
      method: 'elicitation/create',
      params: { message: 'm', requestedSchema: { type: 'object' } },
    }
    const inputRequests = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`q${at}`, question]),
    )
    const { client } = await connected(
      'modern',
      ({ id }, end) => {
        if (id !== undefined)
          void end.say(answered(id, { resultType: 'input_required', inputRequests }))
      },
      { answers: { elicitation } },
    )
    expect(await failureOf(client.callTool('x'))).toMatchObject({ code: 'DP_PROTOCOL_RESULT' })
    expect(asked).toBe(0)
  })

  it('works on a bounded number of a server’s questions, and refuses the rest at once', async () => {
    let open = 0
    const sampling = (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        open += 1
        signal.addEventListener('abort', () => reject(new Error('given up')), { once: true })
      })
    const { client, end } = await connected(
      'legacy',
      ({ id, method }, self) => {
        if (method === 'tools/call') void self.say(answered(id, plain))
      },
      { answers: { sampling } },
    )
    await storm(end, 3000, (id) => ({
      jsonrpc: '2.0',
      id,
      method: 'sampling/createMessage',
      params: { messages: [], maxTokens: 1 },
    }))
    expect(await client.callTool('x')).toMatchObject(plain)
    expect(open).toBe(1024)
    const refused = end.heard.filter((one) => isJsonObject(one) && isJsonObject(one['error']))
    expect(refused).toHaveLength(3000 - 1024)
  })
})

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A server with a tool that waits until it is cancelled, its session open, and how many wait. */
async function serving(): Promise<{ end: RawEnd; waiting: () => number }> {
  let waiting = 0
  const wait = defineTool({
    name: 'wait',
    run: (_, { signal }) =>
      new Promise<string>((resolve) => {
        if (signal.aborted) return resolve('too late')
        waiting += 1
        signal.addEventListener('abort', () => resolve(`${(waiting -= 1)}`), { once: true })
      }),
  })
  const end = rawEnd()
  const server = new Server({ name: 's', version: '1', tools: [wait] })
  servers.push(server)
  void server.accept(end.transport)
  await turn()
  await initialize(end)
  return { end, waiting: () => waiting }
}

async function initialize(end: RawEnd): Promise<void> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'n', version: '1' },
  }
  void end.say({ jsonrpc: '2.0', id: 'init', method: 'initialize', params })
  await end.find(({ id }) => id === 'init')
}

const call = (id: number): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'wait' },
})
const cancel = (requestId: number): JsonObject => told('notifications/cancelled', { requestId })

describe('a server', () => {
  it('works on 1,024 calls of a client at once, answers the rest with a refusal, and a ping too', async () => {
    const { end, waiting } = await serving()
    await storm(end, 5000, call)
    void end.say({ jsonrpc: '2.0', id: 'p', method: 'ping' })
    expect(await end.find(({ id }) => id === 'p')).toHaveProperty('error')
    await vi.waitFor(() => expect(waiting()).toBe(1024), LONG)
    await storm(end, 5000, cancel)
    await turn()
    expect(waiting()).toBe(0)
    void end.say({ jsonrpc: '2.0', id: 'q', method: 'ping' })
    expect(await end.find(({ id }) => id === 'q')).toHaveProperty('result')
    const answers = end.heard.filter((one) => isJsonObject(one) && typeof one['id'] === 'number')
    expect(answers).toHaveLength(5000 - 1024)
  })

  it('answers none of the calls that are cancelled in the same breath, and keeps none [CANC-02]', async () => {
    const { end, waiting } = await serving()
    for (let at = 0; at < 3000; at += 1) {
      void end.say(call(at))
      await end.say(cancel(at))
      if (at % 100 === 0) await turn()
    }
    await vi.waitFor(() => expect(waiting()).toBe(0), LONG)
    void end.say({ jsonrpc: '2.0', id: 'q', method: 'ping' })
    expect(await end.find(({ id }) => id === 'q')).toHaveProperty('result')
    expect(end.heard).toHaveLength(2)
  })

  it('keeps nothing of twenty thousand cancellations of nothing [CANC-03]', async () => {
    const { end } = await serving()
    await storm(end, 1000, cancel)
    const before = liveBytes().heap
    await storm(end, MANY, cancel)
    void end.say({ jsonrpc: '2.0', id: 'q', method: 'ping' })
    await end.find(({ id }) => id === 'q')
    expect(liveBytes().heap - before).toBeLessThan(2_000_000)
  })

  it('does not begin a call that was cancelled while its arguments were checked [CANC-02]', async () => {
    let runs = 0
    let checked: (verdict: { value: object }) => void = () => {}
    const input = {
      '~standard': {
        version: 1,
        vendor: 'held',
        validate: () => new Promise<{ value: object }>((resolve) => void (checked = resolve)),
        jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
      },
    } as const
    const end = rawEnd()
    const act = defineTool({ name: 'act', input, run: () => `${(runs += 1)}` })
    const server = new Server({ name: 's', version: '1', tools: [act] })
    servers.push(server)
    void server.accept(end.transport)
    await turn()
    await initialize(end)
    const params = { name: 'act' }
    void end.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    await turn()
    void end.say(cancel(1))
    await turn()
    checked({ value: {} })
    await turn()
    expect(runs).toBe(0)
    void end.say({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })
    await turn()
    checked({ value: {} })
    expect(await end.find(({ id }) => id === 2)).toHaveProperty('result')
    expect(end.heard).toHaveLength(2)
  })
})
