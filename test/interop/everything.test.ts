/**
 * The client against the official everything server, which uses all that a server may do in the handshake era: it
 * speaks unasked, asks with ids of its own, reports progress, and answers in every kind of content.
 */
import { resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { Answers, ClientOptions } from '../../src/client/options.ts'
import type { LoggingMessage } from '../../src/protocol/types/logging.ts'
import { resultToText } from '../../src/tools/content.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import { judgedWire, type Crossed } from '../support/judged-wire.ts'
import { failureOf } from '../support/odd-peer.ts'

const program = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const wire = judgedWire()

const answers: Answers = {
  roots: [{ uri: 'file:///work/%E4%B8%AD%E6%96%87', name: '中文' }],
  sampling: ({ maxTokens, messages }) =>
    Promise.resolve({
      role: 'assistant',
      content: { type: 'text', text: `${messages.length} message, ${maxTokens} tokens` },
      model: 'no-model',
      stopReason: 'endTurn',
    }),
  elicitation: ({ requestedSchema }) =>
    Promise.resolve({
      action: 'accept',
      content: {
        name: 'Ada 王',
        check: true,
        number: 3.5,
        untitledMultipleSelectEnum: ['Guitar', 'Piano'],
        homepage: `https://example.org/?fields=${Object.keys(requestedSchema.properties).length}`,
      },
    }),
  elicitationUrl: () => Promise.resolve({ action: 'decline' }),
}

function meet(options: ClientOptions = {}): Promise<Client> {
  const transport = stdio({ command: process.execPath, args: [program], name: 'everything' })
  return connect(transport, { answers, wire: wire.sink, ...options })
}

afterEach(() => wire.check())
afterAll(() => wire.report('the everything server'))

describe('a connection with the everything server', () => {
  let client: Client
  beforeAll(async () => {
    client = await meet()
  })
  afterAll(() => client.close())

  const text = async (name: string, args = {}): Promise<string> =>
    resultToText(await client.callTool(name, args))

  it('knows who the server is and what it says of itself', () => {
    expect(client.server).toMatchObject({ era: 'legacy', info: { name: 'mcp-servers/everything' } })
    expect(client.server.instructions).toContain('Everything')
    expect(client.server.capabilities).toHaveProperty('resources.subscribe', true)
  })

  it('lists also the tools that only a client with roots, sampling and elicitation is offered', async () => {
    const names = (await client.listTools()).map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'echo',
        'get-roots-list',
        'trigger-sampling-request',
        'trigger-elicitation-request',
        'trigger-url-elicitation',
      ]),
    )
  })

  it('gets 50 answers to 50 calls at once, though they come in another order', async () => {
    const since = wire.messages.length
    const calls = Array.from({ length: 50 }, (_, index) =>
      index % 10 === 0
        ? text('trigger-long-running-operation', { duration: 0.1 + index / 1000, steps: 1 })
        : text('echo', { message: `第 ${index}` }),
    )
    const results = await Promise.all(calls)
    for (const [index, result] of results.entries()) {
      expect(result).toContain(index % 10 === 0 ? `Duration: ${0.1 + index / 1000}` : `第 ${index}`)
    }
    const crossed = wire.messages.slice(since)
    const asked = idsOf(crossed, 'out', ({ message }) => message['method'] === 'tools/call')
    const answered = idsOf(crossed, 'in', ({ message }) => 'result' in message)
    expect(answered).not.toEqual(asked)
    expect(new Set(answered)).toEqual(new Set(asked))
    expect(answered).toHaveLength(50)
  })

  it("answers the server's sampling request and gets its model's words back", async () => {
    const result = await text('trigger-sampling-request', { prompt: '你好', maxTokens: 7 })
    expect(result).toContain('1 message, 7 tokens')
    expect(result).toContain('"stopReason": "endTurn"')
  })

  it('fills in the form of the server, numbers and lists included', async () => {
    const result = await text('trigger-elicitation-request')
    expect(result).toContain('- Name: Ada 王')
    expect(result).toContain('- Favorite Number: 3.5')
    expect(result).toContain('fields=13')
    expect(result).toContain('"Piano"')
  })

  it('is asked to visit a URL and declines', async () => {
    const url = 'https://example.org/sign-in'
    const result = await text('trigger-url-elicitation', {
      url,
      message: 'Sign in',
      elicitationId: 'e1',
    })
    expect(result).toContain('decline')
  })

  it('gets the error that names a URL, with its code and data', async () => {
    const args = { url: 'https://example.org/', message: 'Sign in', errorPath: true }
    const error = await failureOf(client.callTool('trigger-url-elicitation', args))
    expect(error).toMatchObject({
      family: 'rpc',
      rpcCode: -32042,
      data: {
        elicitations: [{ mode: 'url', url: expect.stringMatching(/^https:/) }],
      },
    })
  })

  it('tells the roots when it is asked for them', async () => {
    expect(await text('get-roots-list')).toContain('中文\n   URI: file:///work/%E4%B8%AD%E6%96%87')
  })

  it('hears of the progress of a long operation, step by step', async () => {
    const heard: unknown[] = []
    const args = { duration: 0.4, steps: 4 }
    const result = await client.callTool('trigger-long-running-operation', args, {
      onProgress: (progress) => void heard.push(progress),
    })
    expect(resultToText(result)).toContain('Steps: 4')
    expect(heard).toMatchObject([1, 2, 3, 4].map((progress) => ({ progress, total: 4 })))
  })

  it('turns an image into a placeholder between its texts', async () => {
    expect((await text('get-tiny-image')).split('\n')).toEqual([
      expect.stringContaining('image you requested'),
      expect.stringMatching(/^\[image image\/png, \d\.\d KB\]$/),
      expect.stringContaining('MCP logo'),
    ])
  })

  it('names every resource link, none dropped', async () => {
    const lines = (await text('get-resource-links', { count: 4 })).split('\n').slice(1)
    expect(lines).toHaveLength(4)
    expect(lines[1]).toMatch(/^\[resource link Text Resource 2 \(demo:.*\/text\/2, text\/plain\): /)
    expect(lines[2]).toMatch(/^\[resource link Blob Resource 3 \(demo:.*\/blob\/3, text\/plain\): /)
  })

  it('shows an embedded text, and the size of an embedded blob', async () => {
    const asText = await text('get-resource-reference', { resourceType: 'Text', resourceId: 2 })
    expect(asText).toMatch(/\[resource demo:.*\/text\/2, text\/plain\]\nResource 2: /)
    const asBlob = await text('get-resource-reference', { resourceType: 'Blob', resourceId: 3 })
    expect(asBlob).toMatch(/\[resource demo:.*\/blob\/3, text\/plain, \d+ B\]/)
  })

  it('shows structured content once, though it comes as text too, and keeps it as a value', async () => {
    await client.listTools()
    const result = await client.callTool('get-structured-content', { location: 'Chicago' })
    expect(result.structuredContent).toMatchObject({ temperature: 36 })
    expect(resultToText(result)).toBe(JSON.stringify(result.structuredContent))
  })

  it('keeps the annotations of content', async () => {
    const args = { messageType: 'error', includeImage: true }
    const { content } = await client.callTool('get-annotated-message', args)
    expect(content).toMatchObject([
      { type: 'text', annotations: { priority: 1, audience: ['user', 'assistant'] } },
      { type: 'image', annotations: { priority: 0.5 } },
    ])
  })

  it('is told of an unknown tool, whichever way this server does it', async () => {
    const result = await client.callTool('no-such-tool')
    expect(result.isError).toBe(true)
    expect(resultToText(result)).toContain('no-such-tool not found')
  })
})

describe('with a fresh everything server', () => {
  it('answers requests of the server whose ids equal those of our own open requests [RPC-15]', async () => {
    await using client = await meet({ era: 'legacy' })
    const since = wire.messages.length
    const enough = new AbortController()
    const slow = Array.from({ length: 6 }, () =>
      failureOf(
        client.callTool(
          'trigger-long-running-operation',
          { duration: 60, steps: 1 },
          { signal: enough.signal },
        ),
      ),
    )
    // The server counts its own from 0, so that some of these meet a call of ours that is still open.
    for (let asked = 0; asked < 5; asked += 1) {
      const result = await client.callTool('trigger-sampling-request', { prompt: 'same id?' })
      expect(resultToText(result)).toContain('1 message, 100 tokens')
    }
    const crossed = wire.messages.slice(since)
    const sent = ({ message }: Crossed): boolean => message['method'] === 'tools/call'
    const open = idsOf(crossed, 'out', sent).slice(0, slow.length)
    const asked = ({ message }: Crossed): boolean => message['method'] === 'sampling/createMessage'
    const theirs = idsOf(crossed, 'in', asked)
    expect(theirs.filter((id) => open.includes(id)).length).toBeGreaterThanOrEqual(2)
    enough.abort()
    for (const error of await Promise.all(slow))
      expect(error).toMatchObject({ family: 'cancelled' })
  })

  it('hears that the list of tools has changed, and finds the new ones on it', async () => {
    await using client = await meet({ era: 'legacy' })
    const changes = client.changes({ tools: true })
    expect(await changes.next()).toEqual({ done: false, value: { kind: 'tools' } })
    const names = (await client.listTools()).map(({ name }) => name)
    expect(names).toContain('trigger-sampling-request')
    await changes.return?.()
  })

  it('hears log messages of the level that it asked for', async () => {
    let heard: (message: LoggingMessage) => void = () => {}
    const first = new Promise<LoggingMessage>((resolved) => {
      heard = resolved
    })
    await using client = await meet({ logLevel: 'info', onLog: (message) => heard(message) })
    expect(client.server.capabilities).toHaveProperty('logging')
    // The server asks for the roots by itself, and logs that it has them.
    expect(await first).toMatchObject({ level: 'info', data: expect.stringContaining('1 root(s)') })
  })

  it('leaves nothing open on closing: the call under way rejects and the process is gone', async () => {
    const client = await meet()
    const since = wire.notes.length
    const slow = failureOf(
      client.callTool('trigger-long-running-operation', { duration: 60, steps: 1 }),
    )
    await client.callTool('echo', { message: 'it runs' })
    await client.close()
    expect(await slow).toMatchObject({ family: 'transport', code: 'DP_TRANSPORT_CLOSED' })
    expect(wire.notes.slice(since)).toContain('exit')
    expect(client.closeReason).toBeUndefined()
    await client.close()
  })

  it('is not asked for what was not declared, and is not offered the tools for it', async () => {
    await using client = await meet({ answers: {} })
    const names = (await client.listTools()).map(({ name }) => name)
    expect(names).toContain('echo')
    expect(names).not.toContain('trigger-sampling-request')
    expect(names).not.toContain('get-roots-list')
  })
})

function idsOf(
  crossed: readonly Crossed[],
  direction: 'in' | 'out',
  wanted: (one: Crossed) => boolean,
): readonly unknown[] {
  return crossed
    .filter((one) => one.direction === direction && wanted(one))
    .map(({ message }) => message['id'])
}
