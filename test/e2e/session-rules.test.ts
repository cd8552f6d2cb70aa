/**
 * What holds for a conversation as a whole, told by its messages: how it begins and ends in the handshake era, and
 * that in the modern era nothing hangs on the connection. In memory; one end is often in the test's own hands.
 */
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import { connect } from '../../src/client/connect.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import type { ServerOptions } from '../../src/server/options.ts'
import { Server } from '../../src/server/server.ts'
import { elicit, sample } from '../../src/tools/context.ts'
import { defineTool } from '../../src/tools/define.ts'
import { resultToText } from '../../src/tools/content.ts'
import { memoryPair } from '../../src/transport/memory.ts'
import { rawEnd, turn, type RawEnd } from '../support/hostile.ts'
import { answerTo, LEGACY, MODERN, ofMethod, pairUp } from '../support/pair.ts'

const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } } as const

const whoAsks = defineTool({
  name: 'who-asks',
  run: (_args, { client }) =>
    `${client.info?.name ?? 'nobody'} ${client.revision} ${Object.keys(client.capabilities).join()}`,
})
const askPerson = defineTool({
  name: 'ask',
  run: async (_args, context) => JSON.stringify(await context.ask('who', elicit(FORM))),
})

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A client in the test's own hands, and the server that it speaks to. */
interface Opened extends RawEnd {
  readonly server: Server
  /** Asks and gives the whole answer. */
  ask(method: string, params?: JsonObject): Promise<JsonObject>
}

function serve(options: Partial<ServerOptions> = {}): Server {
  const server = new Server({ name: 's', version: '1', tools: [whoAsks, askPerson], ...options })
  servers.push(server)
  return server
}

function open(server: Server = serve()): Opened {
  const end = rawEnd()
  void server.accept(end.transport)
  let id = 0
  return Object.assign(end, {
    server,
    ask(method: string, params?: JsonObject) {
      id += 1
      const asked = id
      void end.say({
        jsonrpc: '2.0',
        id: asked,
        method,
        ...(params === undefined ? {} : { params }),
      })
      return end.find((message) => message['id'] === asked && message['method'] === undefined)
    },
  })
}

const hello = (revision: string, capabilities: JsonObject = {}): JsonObject => ({
  protocolVersion: revision,
  capabilities,
  clientInfo: { name: 'raw', version: '1' },
})
const envelope = (revision: string, more: JsonObject = {}): JsonObject => ({
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientCapabilities': {},
  ...more,
})
const call = (name: string, revision: string, more: JsonObject = {}): JsonObject => ({
  name,
  arguments: {},
  _meta: envelope(revision, more),
})
const textIn = (answer: JsonObject): JsonValue | undefined => {
  const { content } = Object(answer['result'])
  return Array.isArray(content) ? content[0].text : undefined
}

describe.each(LEGACY)('a session of %s', (revision) => {
  it('is asked nothing before the client said that it is ready, though its calls are answered [LIFE-06]', async () => {
    const end = open(serve({ revisions: [revision] }))
    await end.ask('initialize', hello(revision, { sampling: {}, elicitation: {} }))
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }]
    const dream = defineTool({
      name: 'dream',
      run: async (_args, context) =>
        (await context.ask('what', sample({ messages, maxTokens: 1 }))).model,
    })
    end.server.tools.add(dream)
    const early = await end.ask('tools/call', { name: 'dream' })
    expect(early['result']).toMatchObject({ isError: true })
    expect(end.heard.filter((message) => 'method' in Object(message))).toEqual([])

    void end.say({ jsonrpc: '2.0', method: 'notifications/initialized' })
    void end.ask('tools/call', { name: 'dream' })
    const asked = await end.find(({ method }) => method === 'sampling/createMessage')
    expect(asked).toMatchObject({ params: { maxTokens: 1 } })
  })

  it('begins with a message of its own, also where there are batches, and ends without one [RPC-12, LIFE-11]', async () => {
    const [near, far] = memoryPair()
    const server = serve()
    const accepted = server.accept(far)
    const sent: JsonValue[] = []
    const client = await connect(near, {
      revisions: [revision],
      wire: (event) => {
        if (event.type === 'message' && event.direction === 'out')
          sent.push(JSON.parse(event.text) as JsonValue) // a message is JSON
      },
    })
    await client.listTools()
    expect(sent.filter(Array.isArray)).toEqual([])
    expect(sent[0]).toMatchObject({ method: 'initialize' })
    const before = sent.length
    await client.close()
    await accepted // the server's side has ended as well
    expect(sent).toHaveLength(before)

    const next = open(server)
    expect(await next.ask('tools/list')).toMatchObject({ error: { code: -32602 } }) // nothing of the session is left
  })

  it('stays within what was agreed, on both sides [LIFE-07]', async () => {
    const pair = await pairUp(revision, { tools: [askPerson] }, { answers: { roots: [] } })
    const sent = pair.crossed.length
    await expect(pair.client.request('prompts/list')).rejects.toMatchObject({
      family: 'capability',
    })
    await expect(pair.client.request('server/discover')).rejects.toMatchObject({
      family: 'capability',
    })
    expect(pair.crossed).toHaveLength(sent)
    expect(await pair.client.callTool('ask')).toMatchObject({ isError: true })
    expect(ofMethod(pair, 'elicitation/create')).toEqual([])
  })

  it('never goes on with a cursor of the session before [PAGE-05]', async () => {
    const server = serve({ pageSize: 1 })
    for (const _ of ['first', 'second']) {
      const [near, far] = memoryPair()
      void server.accept(far)
      const cursors: unknown[] = []
      await using client = await connect(near, {
        revisions: [revision],
        wire: (event) => {
          if (event.type !== 'message' || event.direction === 'in') return
          const { method, params } = JSON.parse(event.text)
          if (method === 'tools/list') cursors.push(params?.cursor)
        },
      })
      expect(await client.listTools()).toHaveLength(2)
      expect(cursors).toEqual([undefined, expect.any(String)])
    }
  })
})

describe.each(MODERN)('requests of %s', (revision) => {
  it('are judged by what they say themselves, not by what came before them [RPC-23]', async () => {
    const end = open()
    const info = { 'io.modelcontextprotocol/clientInfo': { name: 'first', version: '1' } }
    const able = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
    const first = await end.ask('tools/call', call('who-asks', revision, { ...info, ...able }))
    expect(textIn(first)).toBe(`first ${revision} elicitation`)
    const asked = await end.ask('tools/call', call('ask', revision, able))
    expect(asked['result']).toMatchObject({ resultType: 'input_required' })

    const second = await end.ask('tools/call', call('who-asks', revision))
    expect(textIn(second)).toBe(`nobody ${revision} `)
    const refused = await end.ask('tools/call', call('ask', revision))
    expect(refused['error']).toMatchObject({ code: -32021 })
  })

  it('are refused one by one when their version is not served [VERS-05]', async () => {
    const end = open()
    const ask = (version: string): Promise<JsonObject> =>
      end.ask('tools/call', call('who-asks', version))
    expect(await ask(revision)).toHaveProperty('result')
    expect(await ask('1999-12-31')).toMatchObject({
      error: {
        code: -32022,
        data: { requested: '1999-12-31', supported: expect.arrayContaining([revision]) },
      },
    })
    expect(await ask(revision)).toHaveProperty('result')
  })

  it('are served beside a session of the handshake era, on the same link [VERS-07]', async () => {
    const end = open()
    const old = LEGACY.at(-1) ?? ''
    expect(await end.ask('initialize', hello(old))).toMatchObject({
      result: { protocolVersion: old },
    })
    void end.say({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect(textIn(await end.ask('tools/call', { name: 'who-asks' }))).toBe(`raw ${old} `)
    expect(textIn(await end.ask('tools/call', call('who-asks', revision)))).toBe(
      `nobody ${revision} `,
    )
    expect(textIn(await end.ask('tools/call', { name: 'who-asks' }))).toBe(`raw ${old} `)
  })

  it('that belong together may come over different links, mixed with those of others [RPC-24, RPC-25, RPC-27]', async () => {
    const server = serve()
    const able = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
    const [first, second] = [open(server), open(server)]
    const begun = await first.ask('tools/call', call('ask', revision, able))
    const { requestState, inputRequests } = Object(begun['result'])
    expect(Object.keys(inputRequests)).toEqual(['who'])
    first.end()
    expect(await second.ask('tools/call', call('ask', revision, able))).toHaveProperty('result')

    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } }
    const params = { ...call('ask', revision, able), requestState, inputResponses }
    expect(textIn(await second.ask('tools/call', params))).toContain('Ada')
    // Without the state and the answer the same link knows nothing of it.
    const again = await second.ask('tools/call', call('ask', revision, able))
    expect(again['result']).toMatchObject({ resultType: 'input_required' })
  })

  it('need no discover before them, and may discover at any time [LIFE-15]', async () => {
    const end = open()
    expect(textIn(await end.ask('tools/call', call('who-asks', revision)))).toContain('nobody')
    const once = await end.ask('server/discover', { _meta: envelope(revision) })
    const twice = await end.ask('server/discover', { _meta: envelope(revision) })
    expect(once['result']).toMatchObject({ supportedVersions: expect.arrayContaining([revision]) })
    expect(twice['result']).toEqual(once['result'])
  })

  it('learn from discover what the server serves, and only that [LIFE-16]', async () => {
    const discover = async (options: Partial<ServerOptions>): Promise<unknown> => {
      const end = open(serve(options))
      const answer = await end.ask('server/discover', { _meta: envelope(revision) })
      return Object(answer['result']).capabilities
    }
    expect(await discover({ tools: [] })).toEqual({ tools: { listChanged: true } })
    const bare = new Server({ name: 'bare', version: '1' })
    servers.push(bare)
    const answer = await open(bare).ask('server/discover', { _meta: envelope(revision) })
    expect(answer['result']).toMatchObject({ capabilities: {} })
    expect(answer['result']).not.toHaveProperty('capabilities.tools')
    const more = { resources: { subscribe: true }, extensions: { 'com.example/x': {} } }
    expect(await discover({ logging: true, capabilities: more })).toEqual({
      tools: { listChanged: true },
      logging: {},
      ...more,
    })
  })

  it('of every pattern work on one connection: call, question inside a result, listen and notice [RPC-28]', async () => {
    const grow = defineTool({
      name: 'grow',
      run: () => pair.server.tools.add(defineTool({ name: 'extra', run: () => 'new' })),
    })
    const answers = { elicitation: () => Promise.resolve({ action: 'decline' as const }) }
    const pair = await pairUp(revision, { tools: [whoAsks, askPerson, grow] }, { answers })
    expect(resultToText(await pair.client.callTool('who-asks'))).toContain(revision)
    expect(resultToText(await pair.client.callTool('ask'))).toBe('{"action":"decline"}')
    const changes = pair.client.changes({ tools: true })
    await pair.client.callTool('grow')
    expect(await changes.next()).toMatchObject({ value: { kind: 'tools' } })
    await changes.return?.()
  })

  it('carry the protocol meta themselves, their questions and answers do not [META-17]', async () => {
    const answers = { elicitation: () => Promise.resolve({ action: 'decline' as const }) }
    const pair = await pairUp(revision, { tools: [askPerson] }, { answers })
    await pair.client.callTool('ask')
    const asking = pair.crossed.find(({ message }) => message.result?.['inputRequests'])
    expect(asking?.message.result?.['inputRequests']).toMatchObject({
      who: { method: 'elicitation/create' },
    })
    expect(JSON.stringify(asking?.message.result?.['inputRequests'])).not.toContain('_meta')
    const retry = ofMethod(pair, 'tools/call').at(-1)
    expect(retry?.params?.['inputResponses']).toEqual({ who: { action: 'decline' } })
    expect(retry?.params?.['_meta']).toHaveProperty(
      'io.modelcontextprotocol/protocolVersion',
      revision,
    )
  })
})

describe.each([...LEGACY, ...MODERN])('between a client and a server of %s', (revision) => {
  it('the instructions of the server are handed out, for a model to read [LIFE-17]', async () => {
    const { client } = await pairUp(revision, { instructions: 'Add, do not multiply. 请' })
    expect(client.server.instructions).toBe('Add, do not multiply. 请')
  })

  it('no key of _meta is written but those of the specification, each well formed [META-01, META-02, META-03]', async () => {
    const steps = defineTool({ name: 'steps', run: (_args, ctx) => ctx.progress({ progress: 1 }) })
    const pair = await pairUp(
      revision,
      { tools: [whoAsks, steps], logging: true },
      { logLevel: 'debug' },
    )
    await pair.client.listTools()
    await pair.client.callTool('steps', {}, { onProgress: () => {} })
    const changes = pair.client.changes({ tools: true })
    await pair.client.callTool('who-asks') // whatever came before has been read by the server
    pair.server.tools.remove('steps')
    await changes.next()
    const keys = new Set<string>()
    for (const { message } of pair.crossed) {
      for (const holder of [message.params, message.result]) {
        for (const key of Object.keys(Object(holder?.['_meta']))) keys.add(key)
      }
    }
    const names = 'protocolVersion|clientInfo|clientCapabilities|logLevel|serverInfo|subscriptionId'
    const own = new RegExp(`^(progressToken|io\\.modelcontextprotocol/(${names}))$`)
    expect([...keys].filter((key) => !own.test(key))).toEqual([])
    expect(keys).toContain('progressToken')
  })

  it('a cancellation without an id cancels nothing [CANC-08]', async () => {
    let go: () => void = () => {}
    const wait = defineTool({
      name: 'wait',
      run: () => new Promise<string>((resolve) => (go = () => resolve('not cancelled'))),
    })
    const pair = await pairUp(revision, { tools: [wait, whoAsks] })
    const waiting = pair.client.callTool('wait')
    pair.unjudged() // only one of the schemas lets the id be absent
    pair.client.notify('notifications/cancelled', { reason: 'which one?' })
    await pair.client.callTool('who-asks')
    go()
    expect(resultToText(await waiting)).toBe('not cancelled')
    expect(answerTo(pair, 'tools/call')).not.toHaveProperty('error')
  })

  it('each text arrives as it was sent, and the lifecycle is that of its revision [STDIO-19]', async () => {
    const [near, far] = memoryPair()
    const texts: { readonly [side: string]: string[] } = { client: [], server: [] }
    const keep = (side: string) => (event: WireEvent) => {
      if (event.type === 'message') texts[side]?.push(event.text)
    }
    void serve({ wire: keep('server') }).accept(far)
    await using connected = await connect(near, { revisions: [revision], wire: keep('client') })
    await connected.callTool('who-asks')
    await turn()
    expect(new Set(texts['server'])).toEqual(new Set(texts['client']))
    const opening = MODERN.includes(revision)
      ? ['server/discover']
      : ['initialize', 'notifications/initialized']
    const methods = texts['client']?.flatMap((text) => JSON.parse(text).method ?? [])
    expect(methods).toEqual([...opening, 'tools/call'])
  })
})
