/**
 * The client against a server in another language that shares no code with it: `examples/text-b-server.py`, in
 * every revision that it speaks. Without python3 there is nothing to meet, and one line says so.
 */
import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { eraOf, REVISIONS } from '../../src/protocol/revision.ts'
import { resultToText } from '../../src/tools/content.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import { judgedWire } from '../support/judged-wire.ts'
import { failureOf } from '../support/odd-peer.ts'

const python = spawnSync('python3', ['--version']).status === 0
if (!python) console.log('There is no python3: the tests with the server in Python are left out.')

const wire = judgedWire()
afterEach(() => wire.check())
afterAll(() => wire.report('the server in Python'))

function meet(options: ClientOptions = {}): Promise<Client> {
  const transport = stdio({ command: 'python3', args: ['examples/text-b-server.py'] })
  return connect(transport, { wire: wire.sink, ...options })
}

describe.runIf(python)('the server in Python', () => {
  it('is met in the newest revision of the handshake era', async () => {
    await using client = await meet()
    expect(client.server).toMatchObject({
      era: 'legacy',
      revision: REVISIONS.filter((revision) => eraOf(revision) === 'legacy').at(-1),
      info: { name: 'text-b-server' },
    })
  })

  it.each(REVISIONS.filter((revision) => eraOf(revision) === 'legacy'))(
    'lists, computes and tells the weather in revision %s',
    async (revision) => {
      await using client = await meet({ revisions: [revision] })
      expect(client.server.revision).toBe(revision)
      const names = (await client.listTools()).map(({ name }) => name)
      expect(names).toEqual(['calculator', 'weather'])
      expect(resultToText(await client.callTool('calculator', { expr: '23*7' }))).toBe('161')
      const weather = await client.callTool('weather', { city: '北京' })
      expect(resultToText(weather)).toBe('北京 今天晴，25℃（mock）')
    },
  )

  it('is not met by a client of the modern era alone, and the reason says so', async () => {
    const error = await failureOf(meet({ era: 'modern' }))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_VERSION' })
  })

  it('tells a failed tool from an unknown one and from an unknown method', async () => {
    await using client = await meet()
    const failed = await client.callTool('calculator', { expr: '1/0' })
    expect(failed).toMatchObject({ isError: true, content: [{ text: 'Division by zero.' }] })
    const unknown = await failureOf(client.callTool('constructor'))
    expect(unknown).toMatchObject({ family: 'rpc', rpcCode: -32602 })
    const undeclared = await failureOf(client.request('prompts/list'))
    expect(undeclared).toMatchObject({ code: 'DP_CAPABILITY_MISSING' })
    expect(await client.request('ping')).toEqual({})
  })

  it('answers 50 calls at once, one after the other, each to its caller', async () => {
    await using client = await meet()
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) => client.callTool('calculator', { expr: `${n}*${n}` })),
    )
    expect(results.map(resultToText)).toEqual(results.map((_, n) => String(n * n)))
  })

  it('ends when its input ends, without a signal', async () => {
    const client = await meet()
    const since = wire.notes.length
    await client.close()
    expect(wire.notes.slice(since)).toContain('exit')
    expect(wire.notes.slice(since)).not.toContain('stop')
  })
})
