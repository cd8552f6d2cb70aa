/**
 * The client against servers made with the official SDKs, in every revision that each of them speaks. The servers
 * are `test/support/peers/sdk1-server.mjs` and `sdk2-server.mjs`; they offer the same.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { Answers } from '../../src/client/options.ts'
import { dialectFor } from '../../src/protocol/dialects/index.ts'
import { eraOf, REVISIONS, type Revision } from '../../src/protocol/revision.ts'
import type { LoggingMessage } from '../../src/protocol/types/logging.ts'
import { resultToText } from '../../src/tools/content.ts'
import { judgedWire } from '../support/judged-wire.ts'
import { failureOf, leaveAll, meet } from '../support/odd-peer.ts'

const LEGACY = REVISIONS.filter((revision) => eraOf(revision) === 'legacy')
const PEERS = [
  ...LEGACY.map((revision) => ['sdk1-server', revision] as const),
  ...REVISIONS.map((revision) => ['sdk2-server', revision] as const),
]

const answers: Answers = {
  roots: [{ uri: 'file:///data', name: 'Data' }],
  sampling: () =>
    Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'so be it' }, model: 'm' }),
  elicitation: ({ message }) =>
    Promise.resolve({ action: 'accept', content: { name: `${message} 王`, age: 36 } }),
}

/** Whether a server of that revision may ask a person, by request or inside a result. */
const asksPeople = (revision: Revision): boolean =>
  dialectFor(revision).methods.has('elicitation/create') || eraOf(revision) === 'modern'

afterEach(() => wire.check())
const wire = judgedWire()
afterAll(() => wire.report('the SDK servers'))

describe.each(PEERS)('%s in revision %s', (peer, revision) => {
  const canAsk = asksPeople(revision)
  const logs: LoggingMessage[] = []
  let client: Client
  let notesBefore = 0
  beforeAll(async () => {
    notesBefore = wire.notes.length
    const onLog = (message: LoggingMessage): void => void logs.push(message)
    const options = {
      revisions: [revision],
      answers,
      wire: wire.sink,
      logLevel: 'info',
      onLog,
    } as const
    client = (await meet(peer, '', options)).client
  })
  afterAll(leaveAll)

  const text = async (name: string, args = {}): Promise<string> =>
    resultToText(await client.callTool(name, args))

  it('is met in this revision and tells who it is', () => {
    expect(client.server).toMatchObject({
      revision,
      era: eraOf(revision),
      instructions: 'Ask me anything.',
    })
    expect(client.server.info?.name).toBe(peer.slice(0, 4))
  })

  it('lists tools whose schemas can be checked', async () => {
    const tools = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'elicit', 'sum']))
    const error = await failureOf(client.callTool('echo', { text: 7 }))
    expect(error).toMatchObject({ code: 'DP_SCHEMA_ARGUMENTS' })
  })

  it('answers calls at once, each to its caller', async () => {
    const words = Array.from({ length: 30 }, (_, index) => `字 ${index}\n"\\`)
    expect(await Promise.all(words.map((word) => text('echo', { text: word })))).toEqual(words)
  })

  it('gives structured content that fits its schema', async () => {
    await client.listTools()
    const result = await client.callTool('sum', { a: 2, b: 3.5 })
    expect(result.structuredContent).toEqual({ sum: 5.5 })
  })

  it('fails as a tool, which is a result and no error', async () => {
    const result = await client.callTool('fail')
    expect(result).toMatchObject({ isError: true })
    expect(resultToText(result)).toContain('this tool always fails')
  })

  it('tells of its progress', async () => {
    const heard: unknown[] = []
    const onProgress = (progress: unknown): void => void heard.push(progress)
    await client.callTool('progress', { steps: 3 }, { onProgress })
    expect(heard).toMatchObject([1, 2, 3].map((progress) => ({ progress, total: 3 })))
  })

  it('stops a call that was given up, and hears why [CANC-01]', async () => {
    const gaveUp = new AbortController()
    const onProgress = (): void => gaveUp.abort('changed my mind')
    const error = await failureOf(
      client.callTool('wait', {}, { signal: gaveUp.signal, onProgress }),
    )
    expect(error).toMatchObject({ family: 'cancelled' })
    expect(await text('was-cancelled')).toContain('changed my mind')
  })

  it('logs at the level that was asked for', async () => {
    logs.length = 0
    await client.callTool('log')
    expect(logs).toMatchObject([{ level: 'warning', data: { n: 1 }, logger: 'peer' }])
  })

  it('says that its list has changed, to who listens', async () => {
    const since = wire.messages.length
    const changes = client.changes({ tools: true })
    await client.callTool('grow')
    expect(await changes.next()).toEqual({ done: false, value: { kind: 'tools' } })
    expect((await client.listTools()).map(({ name }) => name)).toContain('extra-1')
    await changes.return?.()
    const sent = wire.messages.slice(since).filter(({ direction }) => direction === 'out')
    const listens = sent.filter(({ message }) => message['method'] === 'subscriptions/listen')
    const ends = sent.filter(({ message }) => message['method'] === 'notifications/cancelled')
    const expected = eraOf(revision) === 'modern' ? listens.map(({ message }) => message['id']) : []
    expect(ends.map(({ message }) => paramOf(message, 'requestId'))).toEqual(expected)
    expect(listens).toHaveLength(eraOf(revision) === 'modern' ? 1 : 0)
    expect(await text('echo', { text: 'still there' })).toBe('still there')
  })

  it('asks for the roots and for a message of the model', async () => {
    expect(JSON.parse(await text('roots'))).toEqual({ roots: answers.roots })
    expect(JSON.parse(await text('sample'))).toMatchObject({
      role: 'assistant',
      content: { type: 'text', text: 'so be it' },
    })
  })

  it.runIf(canAsk)('asks a person', async () => {
    const answer = { action: 'accept', content: { name: 'Who? 王', age: 36 } }
    expect(JSON.parse(await text('elicit'))).toEqual(answer)
  })

  it.runIf(canAsk && peer === 'sdk2-server')(
    'asks twice in one call, the second after the first',
    async () => {
      const since = wire.messages.length
      expect(JSON.parse(await text('ask-twice'))).toMatchObject({
        first: { name: 'Who? 王', age: 36 },
        second: answers.roots,
      })
      const crossed = wire.messages.slice(since)
      const calls = crossed.filter(({ message }) => message['method'] === 'tools/call')
      expect(calls).toHaveLength(eraOf(revision) === 'modern' ? 3 : 1)
      expect(new Set(calls.map(({ message }) => message['id'])).size).toBe(calls.length)
    },
  )

  it.runIf(!canAsk)('cannot ask a person, and is not told that it could', async () => {
    expect(await client.callTool('elicit')).toMatchObject({ isError: true })
  })

  it.runIf(peer === 'sdk1-server')('tells of an unknown tool in a result', async () => {
    expect(await client.callTool('no-such-tool')).toMatchObject({ isError: true })
  })

  it.runIf(peer === 'sdk2-server')('tells of an unknown tool with an error', async () => {
    const error = await failureOf(client.callTool('no-such-tool'))
    expect(error).toMatchObject({ family: 'rpc', rpcCode: -32602 })
  })

  it('was one process through all of this: calls, one given up, questions, a list heard of [RPC-26]', () => {
    const notes = wire.notes.slice(notesBefore)
    expect(notes.filter((kind) => kind === 'spawn')).toHaveLength(1)
    expect(notes).not.toContain('exit')
  })
})

describe('left to itself, the client', () => {
  afterEach(leaveAll)

  it('meets version 1 of the SDK in the newest revision of the handshake era', async () => {
    const { client } = await meet('sdk1-server', '', { wire: wire.sink })
    expect(client.server.revision).toBe(LEGACY.at(-1))
  })

  it('meets version 2 of the SDK in the modern era, without a handshake', async () => {
    const since = wire.messages.length
    // Long enough for a busy machine to start the server; after it the client would shake hands.
    const timeouts = { probeMs: 15_000 }
    const { client } = await meet('sdk2-server', '', { timeouts, wire: wire.sink })
    expect(client.server.revision).toBe(REVISIONS.at(-1))
    const methods = wire.messages.slice(since).map(({ message }) => message['method'])
    expect(methods).not.toContain('initialize')
  })

  it('meets version 2 of the SDK by a handshake when told to', async () => {
    const { client } = await meet('sdk2-server', '', { era: 'legacy', wire: wire.sink })
    expect(client.server.revision).toBe(LEGACY.at(-1))
  })

  it('does not meet version 1 of the SDK in the modern era', async () => {
    const error = await failureOf(meet('sdk1-server', '', { era: 'modern', wire: wire.sink }))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_VERSION' })
  })
})

function paramOf(message: { readonly [name: string]: unknown }, name: string): unknown {
  return Object(message['params'])[name]
}
