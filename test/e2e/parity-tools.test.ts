/** Version 0.8 against the text that it began with: its items that are about tools. */
import { describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { connect } from '../../src/client/connect.ts'
import { calculator } from '../../src/servers/calculator.ts'
import { calculatorServer } from '../../src/servers/demo-servers.ts'
import { resultToText } from '../../src/tools/content.ts'
import { memoryPair } from '../../src/transport/memory.ts'
import { messages, scripted, withShell } from '../support/parity.ts'
import { shakesHands } from '../support/scripted-far-side.ts'

// Some tests start a process, on machines that may be busy.
vi.setConfig({ testTimeout: 30_000 })

describe('tools', () => {
  it('are listed over all pages, without the bad ones and without end (item 21)', async () => {
    const tool = (name: string): JsonObject => ({ name, inputSchema: { type: 'object' } })
    const pages: Record<string, JsonObject> = {
      first: { tools: [tool('a'), { no: 'name' }], nextCursor: 'second' },
      second: { tools: [tool('b'), tool('a')], nextCursor: 'second' },
    }
    const client = await scripted(
      shakesHands(({ method, params }, { answer }) => {
        const { cursor = 'first' } = Object(params) as { cursor?: string } // of a request of ours
        if (method === 'tools/list') answer(pages[cursor] ?? {})
      }),
    )
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['a', 'b'])
    await client.close()
  })

  it('keep everything that a server says of them (item 22)', async () => {
    const tool = {
      name: 'a',
      title: 'A',
      inputSchema: { type: 'object', 'x-y': 1 },
      annotations: { readOnlyHint: true },
      later: [1],
    }
    const client = await scripted(
      shakesHands(
        ({ method }, { answer }) => void (method === 'tools/list' && answer({ tools: [tool] })),
      ),
    )
    expect(await client.listTools()).toEqual([tool])
    await client.close()
  })

  it('are the same value at home and over a wire (item 23)', async () => {
    const [near, far] = memoryPair()
    void calculatorServer({ version: '1' }).accept(far)
    await using client = await connect(near, { era: 'modern' })
    const [listed] = await client.listTools()
    expect(listed).toEqual(calculator().tool)
  })

  it('get checked arguments, always an object, and a token for progress (item 24)', async () => {
    await withShell([], async (client, events) => {
      await client.listTools()
      await expect(client.callTool('echo', { text: 7 })).rejects.toMatchObject({
        code: 'DP_SCHEMA_ARGUMENTS',
      })
      await client.callTool('fail')
      const calls = messages(events, 'out').filter(({ method }) => method === 'tools/call')
      expect(calls).toHaveLength(1)
      expect(calls[0]?.['params']).toEqual({
        name: 'fail',
        arguments: {},
        _meta: { progressToken: calls[0]?.['id'] },
      })
    })
  })

  it('fail in two ways that stay apart: the protocol’s and their own (items 25, 26)', async () => {
    await withShell([], async (client) => {
      await expect(client.callTool('refuse')).rejects.toMatchObject({
        family: 'rpc',
        rpcCode: -32001,
        message: 'not today',
      })
      expect(await client.callTool('fail')).toMatchObject({ isError: true })
    })
  })

  it('give text in which nothing is missing, as one plain string (items 27, 28)', async () => {
    await withShell([], async (client) => {
      const text = resultToText(await client.callTool('mixed'))
      expect(text.split('\n')).toEqual([
        'one',
        '[image image/png, 3 B]',
        expect.stringContaining('hologram'),
        '{"a":1}',
      ])
      expect(resultToText(await client.callTool('fail'))).toBe('it cannot be done')
    })
  })

  it('of one name from two servers are both called, each through its own client (item 37)', async () => {
    await withShell([], (one) =>
      withShell(['--bytewise'], async (two) => {
        expect([one.connection === two.connection, one.server.info?.name]).toEqual([false, 'shell'])
        const words = await Promise.all([one, two].map((client) => client.callTool('words')))
        expect(words.map(resultToText)).toEqual(['[]', '["--bytewise"]'])
      }),
    )
  })
})
