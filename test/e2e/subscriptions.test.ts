/** Changes of the tool list, as broadcasts and on listen streams. */

import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/client/change-queue.ts'
import { defineTool, type ToolDefinition } from '../../src/tools/define.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { scriptedLink } from '../support/scripted-link.ts'
import { connect } from '../../src/client/connect.ts'
import { answerTo, LEGACY, MODERN, ofMethod, pairUp } from '../support/pair.ts'

const tool = (name: string): ToolDefinition => defineTool({ name, run: () => 'x' })
const turn = (): Promise<void> => new Promise(setImmediate)

describe.each([...LEGACY, ...MODERN])('changes at %s', (revision) => {
  it('reach who asked, and changes of one breath count once [TOOL-23]', async () => {
    const { client, server } = await pairUp(revision, { tools: [tool('a')] })
    const changes = client.changes({ tools: true })
    const first = changes.next()
    await turn()
    server.tools.add(tool('b'), tool('c'))
    server.tools.remove('a')
    expect(await first).toEqual({ value: { kind: 'tools' }, done: false })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['b', 'c'])
    server.tools.add(tool('d'))
    await turn()
    server.tools.add(tool('e'))
    await turn()
    expect(await changes.next()).toEqual({ value: { kind: 'tools' }, done: false })
    const third = changes.next()
    server.tools.add(tool('f'))
    expect((await third).done).toBe(false)
  })

  it('that came before anybody listened, or between two who did, are not told later [SUB-13]', async () => {
    const { client, server } = await pairUp(revision, { tools: [tool('a')] })
    server.tools.add(tool('b'))
    await turn()
    const heard: Change[][] = []
    for (const name of ['c', 'd']) {
      const changes = client.changes({ tools: true })
      heard.push([])
      const listening = (async () => {
        for await (const change of changes) heard.at(-1)?.push(change)
      })()
      await turn()
      expect(heard.at(-1)).toEqual([])
      server.tools.add(tool(name))
      await turn()
      await changes.return?.()
      await listening
      server.tools.remove(name)
      await turn()
    }
    expect(heard).toEqual([[{ kind: 'tools' }], [{ kind: 'tools' }]])
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('end when the loop is left, when the signal aborts, and when the client closes', async () => {
    const pair = await pairUp(revision, { tools: [tool('a')] })
    const controller = new AbortController()
    const aborted = pair.client.changes({ tools: true }, { signal: controller.signal }).next()
    const left = pair.client.changes({ tools: true })
    await turn()
    controller.abort()
    expect((await aborted).done).toBe(true)
    await left.return?.()
    expect((await left.next()).done).toBe(true)
    const closed = pair.client.changes({ tools: true }).next()
    await pair.client.close()
    expect((await closed).done).toBe(true)
  })
})

describe.each(MODERN)('listen streams at %s', (revision) => {
  it('begin with an acknowledgement of what is granted, and every message is tagged with their id [SUB-01, SUB-03, SUB-04, SUB-06]', async () => {
    const pair = await pairUp(revision, { tools: [tool('a')] })
    const changes = pair.client.changes({
      tools: true,
      prompts: true,
      resources: true,
      uris: ['file:///a'],
    })
    await turn()
    pair.server.tools.add(tool('b'))
    await changes.next()
    const [asked] = ofMethod(pair, 'subscriptions/listen')
    expect(asked?.params?.['notifications']).toEqual({
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ['file:///a'],
    })
    const tagged = pair.crossed
      .map(({ message }) => message)
      .filter(({ method }) => method?.startsWith('notifications/') === true)
    expect(tagged.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ])
    for (const { params } of tagged) {
      expect(params?.['_meta']).toEqual({ 'io.modelcontextprotocol/subscriptionId': asked?.id })
    }
    expect(tagged[0]?.params?.['notifications']).toEqual({ toolsListChanged: true })
  })

  it('tell the client what it was not granted, as a note [SUB-05]', async () => {
    const pair = await pairUp(revision, { tools: [tool('a')] })
    pair.client.changes({ tools: true, prompts: true })
    await turn()
    expect(pair.notes).toContain('subscription-gaps')
  })

  it('carry only what was asked for [SUB-02]', async () => {
    const pair = await pairUp(revision, { tools: [tool('a')] })
    pair.client.changes({ prompts: true })
    await turn()
    pair.server.tools.add(tool('b'))
    await turn()
    expect(ofMethod(pair, 'notifications/tools/list_changed')).toEqual([])
  })

  it('carry neither progress nor log messages: those of a call beside them belong to the call [SUB-12]', async () => {
    const talks = defineTool({
      name: 'talks',
      run(_args, ctx) {
        ctx.progress({ progress: 1 })
        ctx.log('info', 'half way')
        return 'done'
      },
    })
    const pair = await pairUp(revision, { tools: [talks], logging: true }, { logLevel: 'debug' })
    pair.client.changes({ tools: true })
    await turn()
    const progress: unknown[] = []
    await pair.client.callTool('talks', {}, { onProgress: (value) => progress.push(value) })
    expect(progress).toHaveLength(1)
    const [listen] = ofMethod(pair, 'subscriptions/listen')
    const said = ['progress', 'message'].flatMap((name) => ofMethod(pair, `notifications/${name}`))
    expect(said).toHaveLength(2)
    for (const { params } of said) {
      expect(params?.['_meta']).toBeUndefined()
      expect(params?.['progressToken']).not.toBe(listen?.id)
    }
  })

  it('may be several at once, each with its own id [SUB-07, STDIO-13]', async () => {
    const pair = await pairUp(revision, { tools: [tool('a')] })
    const [one, two] = [pair.client.changes({ tools: true }), pair.client.changes({ tools: true })]
    await turn()
    pair.server.tools.add(tool('b'))
    expect([await one.next(), await two.next()]).toEqual([
      { value: { kind: 'tools' }, done: false },
      { value: { kind: 'tools' }, done: false },
    ])
    const ids = ofMethod(pair, 'notifications/tools/list_changed').map(
      ({ params }) =>
        (params?.['_meta'] as { [key: string]: unknown } | undefined)?.[
          'io.modelcontextprotocol/subscriptionId'
        ],
    )
    expect(new Set(ids).size).toBe(2)
  })

  it('are ended by the client with a cancellation of their id, and then carry nothing [SUB-08, STDIO-14, CANC-06]', async () => {
    const pair = await pairUp(revision, { tools: [tool('a')] })
    const changes = pair.client.changes({ tools: true })
    await turn()
    await changes.return?.()
    await turn()
    const [asked] = ofMethod(pair, 'subscriptions/listen')
    expect(
      ofMethod(pair, 'notifications/cancelled').map(({ params }) => params?.['requestId']),
    ).toEqual([asked?.id])
    pair.server.tools.add(tool('b'))
    await turn()
    expect(ofMethod(pair, 'notifications/tools/list_changed')).toEqual([])
    expect(answerTo(pair, 'subscriptions/listen')).toBeUndefined()
  })

  it('are ended by the server with their response and then a cancellation [SUB-09, SUB-10, CANC-07, STDIO-11]', async () => {
    const pair = await pairUp(revision, { tools: [tool('a')] })
    const changes = pair.client.changes({ tools: true })
    await turn()
    const end = changes.next()
    await pair.server.close()
    expect((await end).done).toBe(true)
    const [asked] = ofMethod(pair, 'subscriptions/listen')
    const answer = answerTo(pair, 'subscriptions/listen')
    expect(answer?.result).toMatchObject({
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/subscriptionId': asked?.id },
    })
    const after = pair.crossed.slice(
      pair.crossed.findIndex(({ message }) => message === answer) + 1,
    )
    expect(after.map(({ message }) => [message.method, message.params?.['requestId']])).toEqual([
      ['notifications/cancelled', asked?.id],
    ])
  })

  it('are bounded per connection: one more is refused', async () => {
    const pair = await pairUp(revision, { tools: [tool('a')], maxSubscriptions: 2 })
    const open = [1, 2, 3].map(() => pair.client.changes({ tools: true }))
    expect((await open[2]?.next())?.done).toBe(true)
    expect(answerTo(pair, 'subscriptions/listen')?.error?.code).toBe(-32603)
  })

  it('have no time limit of their own [SUB-14]', async () => {
    const clock = fakeClock()
    const stuck = defineTool({ name: 'stuck', run: () => new Promise(() => {}) })
    const pair = await pairUp(revision, { tools: [stuck] }, { clock })
    const changes = pair.client.changes({ tools: true })
    const call = pair.client.callTool('stuck').catch((error: unknown) => error)
    await clock.advance(24 * 3600 * 1000)
    expect(await call).toMatchObject({ code: 'DP_TIMEOUT' })
    pair.server.tools.add(tool('b'))
    expect((await changes.next()).done).toBe(false)
  })
})

describe('a client on a listen stream of a careless server', () => {
  it('takes what is tagged with its own id, and nothing else [SUB-06, STDIO-13]', async () => {
    const link = scriptedLink()
    const connecting = connect(link.transport, { revisions: ['2026-07-28'] })
    await turn()
    void link.say({
      jsonrpc: '2.0',
      id: 1,
      result: {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true } },
        ttlMs: 0,
        cacheScope: 'private',
      },
    })
    const client = await connecting
    const heard: Change[] = []
    const listening = (async () => {
      for await (const change of client.changes({ tools: true })) heard.push(change)
    })()
    await turn()
    const id = link.written.at(-1)?.['id']
    const notice = (subscriptionId?: unknown): object => ({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      ...(subscriptionId === undefined
        ? {}
        : { params: { _meta: { 'io.modelcontextprotocol/subscriptionId': subscriptionId } } }),
    })
    for (const tag of [undefined, 'nobody', String(id), 999]) await link.say(notice(tag))
    await turn()
    expect(heard).toEqual([])
    await link.say(notice(id))
    await turn()
    expect(heard).toEqual([{ kind: 'tools' }])
    await link.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
    await listening
    expect(link.written.filter(({ method }) => method === 'notifications/cancelled')).toEqual([])
    await client.close()
  })
})
