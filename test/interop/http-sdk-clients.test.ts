/**
 * The server over HTTP against clients made with the official SDKs, in every revision that each of them speaks, and over the
 * old transport. What crosses is judged by the official schemas.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dialectFor } from '../../src/protocol/dialects/index.ts'
import { eraOf, REVISIONS, type Revision } from '../../src/protocol/revision.ts'
import { serveHttp } from '../../src/server/node/serve-http.ts'
import type { ServedHttp } from '../../src/server/node/served-http.ts'
import { resultToText } from '../../src/tools/content.ts'
import { judgedWire } from '../support/judged-wire.ts'
import { failureOf } from '../support/odd-peer.ts'
import { strangerOfSdk1, strangerOfSdk2, type Stranger } from '../support/sdk-clients.ts'
import { welcomingServer } from '../support/welcoming-server.ts'

const LEGACY = REVISIONS.filter((revision) => eraOf(revision) === 'legacy')
const MODERN = REVISIONS.filter((revision) => eraOf(revision) === 'modern')

interface Meeting {
  readonly title: string
  readonly revision: Revision
  readonly serves?: readonly Revision[]
  readonly path?: string
  readonly start: (at: URL) => Promise<Stranger>
}

const MEETINGS: readonly Meeting[] = [
  // Version 1 always offers its newest, so that the server decides.
  ...LEGACY.map((revision) => ({
    title: `version 1 with a server of ${revision}`,
    revision,
    serves: [revision],
    start: (at: URL) => strangerOfSdk1({ at }),
  })),
  ...LEGACY.map((revision) => ({
    title: `version 2 as a client of ${revision}`,
    revision,
    start: (at: URL) => strangerOfSdk2({ at, offers: [revision] }),
  })),
  ...MODERN.map((revision) => ({
    title: `version 2 pinned to ${revision}`,
    revision,
    start: (at: URL) => strangerOfSdk2({ at, mode: { pin: revision } }),
  })),
  ...MODERN.map((revision) => ({
    title: `version 2, which found ${revision} by itself,`,
    revision,
    start: (at: URL) => strangerOfSdk2({ at, mode: 'auto' }),
  })),
  ...LEGACY.slice(0, 1).flatMap((revision) => [
    {
      title: `version 1 over the old transport in ${revision}`,
      revision,
      serves: [revision],
      path: '/sse',
      start: (at: URL) => strangerOfSdk1({ at }),
    },
    {
      title: `version 2 over the old transport in ${revision}`,
      revision,
      path: '/sse',
      start: (at: URL) => strangerOfSdk2({ at, offers: [revision] }),
    },
  ]),
]

describe.each(MEETINGS)('$title', ({ title, revision, serves = [], path = '/mcp', start }) => {
  const canAsk =
    dialectFor(revision).methods.has('elicitation/create') || eraOf(revision) === 'modern'
  const wire = judgedWire()
  let served: ServedHttp
  let client: Stranger
  beforeAll(async () => {
    served = await serveHttp(welcomingServer(serves, wire.sink), { legacySse: true })
    client = await start(new URL(path, served.url))
  })
  afterAll(async () => {
    await client.close()
    await served.close()
  })

  const text = async (name: string, args = {}): Promise<string> =>
    resultToText(await client.callTool(name, args))

  it('lists every tool', async () => {
    const names = (await client.listTools()).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['echo', 'elicit', 'fail', 'grow', 'wait']))
  })

  it('gets answers to calls at once, each to its caller', async () => {
    const words = Array.from({ length: 30 }, (_, index) => `字 ${index}\n"\\`)
    expect(await Promise.all(words.map((word) => text('echo', { text: word })))).toEqual(words)
  })

  it('gets structured content where the list told of its schema, and text in any case', async () => {
    const tool = (await client.listTools()).find(({ name }) => name === 'sum')
    const result = await client.callTool('sum', { a: 2, b: 3.5 })
    expect(result.content).toEqual([{ type: 'text', text: '{"sum":5.5}' }])
    expect(result.structuredContent).toEqual(tool?.outputSchema && { sum: 5.5 })
  })

  it('sees a failed tool as a result, and an unknown one as an error', async () => {
    expect(await client.callTool('fail')).toMatchObject({ isError: true })
    expect(await failureOf(client.callTool('no-such-tool'))).toMatchObject({ code: -32602 })
  })

  it('hears of progress on the stream of its call', async () => {
    const heard: unknown[] = []
    const onProgress = (progress: unknown): void => {
      heard.push(progress)
      void client.callTool('proceed')
    }
    const result = await client.callTool('progress', { steps: 3 }, { onProgress })
    expect(resultToText(result)).toBe('done')
    expect(heard).toMatchObject([1, 2, 3].map((progress) => ({ progress, total: 3 })))
  })

  it('gives up a call, which ends on the server [HTTP-81, HTTP-84]', async () => {
    const gaveUp = new AbortController()
    const onProgress = (): void => gaveUp.abort('changed my mind')
    await failureOf(client.callTool('wait', {}, { signal: gaveUp.signal, onProgress }))
    // The next request may be there before the end of the stream, or before the notice.
    await expect.poll(() => text('was-cancelled')).not.toBe('not yet')
  })

  it('is told that the list has changed, and finds the new tool on it', async () => {
    const changed = client.nextChange()
    expect(await text('grow')).toBe('grown')
    await changed
    const names = (await client.listTools()).map(({ name }) => name)
    expect(names).toContain(`extra-${names.length - 1}`)
  })

  it('answers two questions within one call', async () => {
    expect(JSON.parse(await text('ask-twice'))).toEqual({
      roots: [{ uri: 'file:///data', name: 'Data' }],
      content: { type: 'text', text: 'so be it' },
    })
  })

  it.runIf(canAsk)('is asked a person', async () => {
    expect(JSON.parse(await text('elicit'))).toEqual({
      action: 'accept',
      content: { name: '王', age: 36 },
    })
  })

  it('leaves, and nothing of it is open any more but a session that it did not end', async () => {
    await client.close()
    await expect.poll(() => served.handler.sessions).toBeLessThanOrEqual(1)
    await served.close()
    expect(served.handler.sessions).toBe(0)
  })

  it('was sent nothing that breaks the schema of its revision', () => {
    wire.report(title)
    expect(wire.ours).toEqual([])
    const asked = wire.messages.filter(({ direction }) => direction === 'in')
    const handshakes = asked.filter(({ message }) => message['method'] === 'initialize')
    expect(handshakes).toHaveLength(eraOf(revision) === 'modern' ? 0 : 1)
    expect(JSON.stringify(wire.messages)).toContain(`"${revision}"`)
  })
})

describe('a listen stream of version 2', () => {
  it('ends gracefully when the server closes [SUB-09]', async () => {
    const wire = judgedWire()
    const served = await serveHttp(welcomingServer([], wire.sink))
    const mode = { pin: MODERN.at(-1) ?? '' }
    const client = await strangerOfSdk2({ at: new URL(served.url), mode })
    await client.callTool('leave')
    expect(await client.streamEnded).toBe('graceful')
    await client.close()
    await served.close()
    expect(wire.ours).toEqual([])
  })
})
