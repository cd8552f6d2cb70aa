import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { oracleSink } from '../../test/support/schema-oracle.ts'
import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { ClientOptions } from '../client/options.ts'
import { REVISIONS } from '../protocol/revision.ts'
import { scriptedServer, type Script, type ScriptedServerOptions } from './scripted-server.ts'

const legacy: ScriptedServerOptions = { revision: '2025-11-25' }
const raw = { maxMessageBytes: 1e6, note() {}, unreadable() {}, failed() {}, closed() {} }

describe('a scripted server', () => {
  it.each(REVISIONS)('shakes hands by itself, by the rules of %s', async (revision) => {
    const oracle = oracleSink()
    const server = scriptedServer({ 'tools/list': { result: { tools: [] } } }, { revision })
    const client = await connect(server, { wire: (event) => oracle.sink(event) })
    expect(client.server).toMatchObject({ revision, info: { name: 'scripted' } })
    expect(oracle.violations).toEqual([])
    expect(await client.listTools()).toEqual([])
    await client.close()
  })

  it('answers with results and errors as they stand, and -32601 to what it has no word for', async () => {
    const { client } = await playing({
      'tools/call': { result: { content: 'odd', x: 1 } },
      'x/refuse': { error: { code: -1, message: 'not today', data: [1] } },
    })
    await expect(client.callTool('any')).rejects.toMatchObject({ code: 'DP_PROTOCOL_RESULT' })
    const refused = client.request('tools/list')
    await expect(refused).rejects.toMatchObject({ rpcCode: -32601 })
    await client.close()
  })

  it('asks a function, with the message, and passes on what that throws', async () => {
    const { client } = await playing({
      async 'tools/call'({ params }) {
        await Promise.resolve()
        if (params?.['name'] === 'bad') throw new Error('out of cheese')
        return { result: { content: [{ type: 'text', text: JSON.stringify(params) }] } }
      },
    })
    expect((await client.callTool('good')).content).toMatchObject([
      { text: expect.stringContaining('"name":"good"') },
    ])
    await expect(client.callTool('bad')).rejects.toMatchObject({
      rpcCode: -32603,
      message: 'out of cheese',
    })
    await client.close()
  })

  it('is silent, or late by the clock it was given', async () => {
    const clock = fakeClock()
    const server = scriptedServer(
      { 'tools/list': 'silence', 'tools/call': { result: { content: [] }, afterMs: 500 } },
      { ...legacy, clock },
    )
    const client = await connect(server, { era: 'legacy', clock, timeouts: { idleMs: 1000 } })
    const [list, call] = [client.listTools().catch((error: unknown) => error), client.callTool('a')]
    await server.next('tools/call')
    await clock.advance(0)
    let answered = false
    void call.then(() => (answered = true))
    await clock.advance(499)
    expect(answered).toBe(false)
    await clock.advance(1)
    expect(await call).toEqual({ content: [] })
    await clock.advance(500)
    expect(await list).toMatchObject({ code: 'DP_TIMEOUT' })
    await client.close()
  })

  it('records what it saw, and waits for what has not come', async () => {
    const { client, server } = await playing({ 'tools/call': { result: { content: [] } } })
    const coming = [server.next('tools/call'), server.next('tools/call')]
    await client.callTool('one')
    await client.callTool('two')
    await client.callTool('three')
    const names = [...(await Promise.all(coming)), await server.next('tools/call')]
    expect(names.map(({ params }) => params?.['name'])).toEqual(['one', 'two', 'three'])
    expect(server.seen.map((message) => 'method' in message && message.method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'tools/call',
      'tools/call',
    ])
    expect(server.texts.map((text): unknown => JSON.parse(text))).toEqual(server.seen)
    await client.close()
  })

  it('asks the client, says things unasked, and ends', async () => {
    const heard: string[] = []
    const { client, server } = await playing(
      {},
      {
        answers: { roots: [{ uri: 'file:///a' }] },
        onNotification: (method) => void heard.push(method),
      },
    )
    expect(await server.ask('roots/list')).toMatchObject({ result: { roots: [{}] } })
    expect(await server.ask('no/such')).toMatchObject({ error: { code: -32601 } })
    server.say('stray text')
    server.say({ jsonrpc: '2.0', method: 'notifications/x' })
    server.end()
    await client.closed
    expect(heard).toEqual(['notifications/x'])
    expect(client.closeReason).toBeUndefined()
  })

  it('ends at once with a reason, and tells those who wait', async () => {
    const { client, server } = await playing({ 'tools/call': 'silence' })
    const [call, next] = [client.callTool('a'), server.next('no/such')]
    await server.next('tools/call')
    server.end(new Error('power cut'))
    await expect(call).rejects.toThrow(/power cut/)
    await expect(next).rejects.toThrow('The connection ended, and no/such had not come.')
    expect(client.closeReason?.message).toBe('power cut')
  })

  it('can be asked for nothing before it is opened', () => {
    expect(() => scriptedServer({}).say('x')).toThrow(/connect a client to it first/)
  })

  it('takes no name of a prototype for a word of its script', async () => {
    const server = scriptedServer({}, legacy)
    const texts: string[] = []
    const link = await server.open({ ...raw, text: (text) => void texts.push(text) })
    link.write({ text: '{"jsonrpc":"2.0","id":1,"method":"constructor"}' })
    link.write({ text: 'no JSON' })
    link.write({ text: '[{"jsonrpc":"2.0","id":2,"method":"ping"},{"id":3,"method":"x"}]' })
    await expect.poll(() => texts.length).toBe(4)
    expect(texts.map((text) => JSON.parse(text))).toMatchObject([
      { error: { code: -32700 } },
      { id: 3, error: { code: -32600 } },
      { id: 1, error: { code: -32601 } },
      { id: 2, result: {} },
    ])
    expect(server.texts).toHaveLength(3)
    await link.close()
  })

  it('breaks the connection of a client that never stops', async () => {
    const server = scriptedServer({}, { maxSeen: 3 })
    const ends: (Error | undefined)[] = []
    const link = await server.open({
      ...raw,
      text() {},
      closed: (reason) => void ends.push(reason),
    })
    for (let count = 0; count < 9; count += 1) link.write({ text: '{}' })
    await expect.poll(() => ends).toEqual([expect.objectContaining({ code: 'DP_USAGE' })])
    expect(server.texts).toHaveLength(3)
  })
})

async function playing(
  script: Script,
  options: ClientOptions = {},
): Promise<{ client: Client; server: ReturnType<typeof scriptedServer> }> {
  const server = scriptedServer(script, legacy)
  return { server, client: await connect(server, { era: 'legacy', ...options }) }
}
