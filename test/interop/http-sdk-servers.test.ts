/**
 * The client over HTTP against servers made with the official SDKs: Streamable HTTP in both of its shapes, with answers
 * of JSON and on event streams, and the old transport. The servers are `test/support/peers/sdk1-http.mjs` and
 * `sdk2-http.mjs`; they offer what `sdk-servers.test.ts` meets over standard streams.
 */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { Answers, ClientOptions } from '../../src/client/options.ts'
import { eraOf, REVISIONS, type Revision } from '../../src/protocol/revision.ts'
import type { LoggingMessage } from '../../src/protocol/types/logging.ts'
import { resultToText } from '../../src/tools/content.ts'
import { http as httpByFetch } from '../../src/transport/http/fetch-client.ts'
import { http, sse } from '../../src/transport/node/http-client.ts'
import { HttpServerProcess } from '../support/http/server-process.ts'
import { judgedWire } from '../support/judged-wire.ts'
import { failureOf } from '../support/odd-peer.ts'

const LEGACY = REVISIONS.filter((revision) => eraOf(revision) === 'legacy')
const STREAMABLE = LEGACY.filter((revision) => revision !== '2024-11-05')
const MODERN = REVISIONS.filter((revision) => eraOf(revision) === 'modern')

type PeerName = 'sdk1-http' | 'sdk2-http'

/** A way to meet a server: which it is, where, in which revision, and what it cannot do there. */
interface Meeting {
  readonly peer: PeerName
  readonly path: string
  readonly revision: Revision
  /** Questions and reports within a call need an event stream. */
  readonly streams: boolean
  /** Changes are told where there is a stream for them: a session's own, or one that is asked for. */
  readonly changes: boolean
}

const on = (
  peer: PeerName,
  path: string,
  revisions: readonly Revision[],
  can: Pick<Meeting, 'streams' | 'changes'>,
): readonly Meeting[] => revisions.map((revision) => ({ peer, path, revision, ...can }))

const MEETINGS: readonly Meeting[] = [
  ...on('sdk1-http', '/mcp', STREAMABLE, { streams: true, changes: true }),
  ...on('sdk1-http', '/json', STREAMABLE.slice(-1), { streams: false, changes: true }),
  ...on('sdk1-http', '/stateless', STREAMABLE.slice(-1), { streams: false, changes: false }),
  ...on('sdk1-http', '/sse', LEGACY, { streams: true, changes: true }),
  ...on('sdk2-http', '/sessions', STREAMABLE, { streams: true, changes: true }),
  ...on('sdk2-http', '/mcp', STREAMABLE.slice(-1), { streams: false, changes: false }),
  ...on('sdk2-http', '/mcp', MODERN, { streams: true, changes: true }),
  ...on('sdk2-http', '/streams', MODERN, { streams: true, changes: true }),
  ...on('sdk2-http', '/modern', MODERN, { streams: true, changes: true }),
]

const answers: Answers = {
  roots: [{ uri: 'file:///data', name: 'Data' }],
  sampling: () =>
    Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'so be it' }, model: 'm' }),
  elicitation: ({ message }) =>
    Promise.resolve({ action: 'accept', content: { name: `${message} 王`, age: 36 } }),
}

const peers = new Map<PeerName, HttpServerProcess>()
const open: Client[] = []
const wire = judgedWire()

beforeAll(async () => {
  for (const name of ['sdk1-http', 'sdk2-http'] as const) {
    const file = join(import.meta.dirname, `../support/peers/${name}.mjs`)
    peers.set(name, await HttpServerProcess.start(file))
  }
})
afterAll(async () => {
  await Promise.all([...peers.values()].map((peer) => peer.stop()))
  wire.report('the SDK servers over HTTP')
})
afterEach(() => wire.check())

const peerOf = (name: PeerName): HttpServerProcess => {
  const peer = peers.get(name)
  if (peer === undefined) throw new Error(`${name} was not started.`)
  return peer
}
const urlOf = (name: PeerName, path: string): string => new URL(path, peerOf(name).url).href

async function meet(url: string, options: ClientOptions = {}, make = http): Promise<Client> {
  const client = await connect(make(url), { wire: wire.sink, ...options })
  open.push(client)
  return client
}
const leaveAll = async (): Promise<void> => {
  await Promise.all(open.splice(0).map((client) => client.close()))
}

describe.each(MEETINGS)(
  '$peer at $path in revision $revision',
  ({ peer, path, revision, streams, changes }) => {
    const modern = eraOf(revision) === 'modern'
    const logs: LoggingMessage[] = []
    let client: Client
    beforeAll(async () => {
      const onLog = (message: LoggingMessage): void => void logs.push(message)
      const options = { revisions: [revision], answers, logLevel: 'info', onLog } as const
      client = await meet(urlOf(peer, path), options)
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
    })

    it('answers calls at once, each to its caller', async () => {
      const words = Array.from({ length: 30 }, (_, index) => `字 ${index}\n"\\`)
      expect(await Promise.all(words.map((word) => text('echo', { text: word })))).toEqual(words)
    })

    it('gives structured content that fits its schema, and fails as a tool', async () => {
      await client.listTools()
      const { structuredContent } = await client.callTool('sum', { a: 2, b: 3.5 })
      expect(structuredContent).toEqual({ sum: 5.5 })
      expect(await client.callTool('fail')).toMatchObject({ isError: true })
    })

    it('carries an answer of a megabyte', async () => {
      const long = 'ü'.repeat(500_000)
      expect(await text('echo', { text: long })).toBe(long)
    })

    it.runIf(streams)('tells of its progress and logs', async () => {
      const heard: unknown[] = []
      const onProgress = (progress: unknown): void => void heard.push(progress)
      await client.callTool('progress', { steps: 3 }, { onProgress })
      expect(heard).toMatchObject([1, 2, 3].map((progress) => ({ progress, total: 3 })))
    })

    it.runIf(streams)('stops a call that was given up', async () => {
      const since = wire.messages.length
      const gaveUp = new AbortController()
      const onProgress = (): void => gaveUp.abort('changed my mind')
      const error = await failureOf(
        client.callTool('wait', {}, { signal: gaveUp.signal, onProgress }),
      )
      expect(error).toMatchObject({ family: 'cancelled' })
      await expect.poll(() => text('was-cancelled')).not.toBe('')
      // In the modern era the closed stream is the notice, before it is a message. // HTTP-84, HTTP-19
      const methods = wire.messages.slice(since).map(({ message }) => message['method'])
      expect(methods.includes('notifications/cancelled')).toBe(!modern)
    })

    it.runIf(streams)('asks for the roots and for a message of the model', async () => {
      expect(JSON.parse(await text('roots'))).toEqual({ roots: answers.roots })
      expect(JSON.parse(await text('sample'))).toMatchObject({
        content: { type: 'text', text: 'so be it' },
      })
    })

    it.runIf(changes)('says that its list has changed, to who listens', async () => {
      const listening = client.changes({ tools: true })
      await client.callTool('grow')
      expect(await listening.next()).toEqual({ done: false, value: { kind: 'tools' } })
      await listening.return?.()
      expect(await text('echo', { text: 'still there' })).toBe('still there')
    })
  },
)

describe('left to itself, the client', () => {
  afterEach(leaveAll)

  it('meets version 1 of the SDK in the newest revision of the handshake era [VERS-16]', async () => {
    const client = await meet(urlOf('sdk1-http', '/mcp'))
    expect(client.server.revision).toBe(LEGACY.at(-1))
  })

  it('meets version 2 of the SDK in the modern era, by the first question [VERS-14]', async () => {
    const since = wire.messages.length
    const client = await meet(urlOf('sdk2-http', '/mcp'))
    expect(client.server.revision).toBe(MODERN.at(-1))
    const sent = wire.messages.slice(since).filter(({ direction }) => direction === 'out')
    expect(sent.map(({ message }) => message['method'])).toEqual(['server/discover'])
  })

  it('finds the old transport behind an address that refuses to be posted to [VERS-17]', async () => {
    const client = await meet(urlOf('sdk1-http', '/sse'))
    expect(client.server.era).toBe('legacy')
    expect(resultToText(await client.callTool('echo', { text: 'found' }))).toBe('found')
  })

  it('tells both reasons when there is neither transport', async () => {
    const error = await failureOf(meet(urlOf('sdk1-http', '/nothing')))
    expect(error).toMatchObject({
      code: 'DP_TRANSPORT_HTTP',
      status: 404,
      cause: { code: 'DP_TRANSPORT_HTTP', status: 404 },
    })
  })

  it('does not meet version 1 of the SDK in the modern era', async () => {
    const error = await failureOf(meet(urlOf('sdk1-http', '/mcp'), { era: 'modern' }))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_VERSION' })
  })

  it('speaks by fetch as it does by Node’s own client', async () => {
    for (const [peer, path] of [
      ['sdk1-http', '/mcp'],
      ['sdk2-http', '/mcp'],
      ['sdk1-http', '/sse'],
    ] as const) {
      const client = await meet(urlOf(peer, path), {}, httpByFetch)
      expect(resultToText(await client.callTool('echo', { text: path }))).toBe(path)
    }
  })

  it('speaks the old transport alone when told to', async () => {
    const client = await meet(urlOf('sdk1-http', '/sse'), { era: 'legacy' }, sse)
    expect(resultToText(await client.callTool('echo', { text: 'old' }))).toBe('old')
  })
})

describe('a session of version 1 of the SDK', () => {
  afterEach(leaveAll)

  it('is ended when the client is closed [HTTP-33]', async () => {
    const client = await meet(urlOf('sdk1-http', '/mcp'))
    const before = Number((await peerOf('sdk1-http').trace())['deleted'])
    await client.close()
    expect((await peerOf('sdk1-http').trace())['deleted']).toBe(before + 1)
  })

  it('gives the answer of a call whose connection it has closed when the client comes for it [HTTP-16]', async () => {
    const client = await meet(urlOf('sdk1-http', '/mcp'), { revisions: ['2025-11-25'] })
    const before = Number((await peerOf('sdk1-http').trace())['resumed'])
    expect(resultToText(await client.callTool('poll'))).toBe('worth the wait')
    expect((await peerOf('sdk1-http').trace())['resumed']).toBeGreaterThan(before)
  })
})
