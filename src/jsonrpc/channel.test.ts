import { describe, expect, it } from 'vitest'
import { scriptedLink, type ScriptedLink } from '../../test/support/scripted-link.ts'
import { TransportError } from '../base/errors.ts'
import { Channel, type ChannelOptions, type Frame } from './channel.ts'
import type { WireEvent } from './wire.ts'

async function opened(
  options: ChannelOptions = {},
): Promise<{ link: ScriptedLink; channel: Channel; events: WireEvent[] }> {
  const link = scriptedLink()
  const events: WireEvent[] = []
  const channel = await Channel.open(link.transport, {
    wire: (event) => void events.push(event),
    ...options,
  })
  return { link, channel, events }
}

async function frames(channel: Channel): Promise<Frame[]> {
  const all: Frame[] = []
  for await (const frame of channel.inbound) all.push(frame)
  return all
}

const BATCHES = {
  batches: true,
  sessions: false,
  standaloneStream: false,
  resumable: false,
  primesStreams: false,
  closingCancels: false,
  versionHeader: undefined,
}
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('text into messages', () => {
  it('hands out frames in order and ends when the far side is gone', async () => {
    const { link, channel } = await opened()
    void link.say({ jsonrpc: '2.0', method: 'a' })
    void link.say({ jsonrpc: '2.0', id: 1, method: 'b' })
    link.end()
    expect((await frames(channel)).map(({ reading }) => reading.kind)).toEqual([
      'notification',
      'request',
    ])
  })

  it('reads text that is not JSON as a parse error and goes on [STDIO-21, ERR-01]', async () => {
    const { link, channel } = await opened()
    void link.say('hello there')
    void link.say({ jsonrpc: '2.0', method: 'a' })
    link.end()
    expect((await frames(channel)).map(({ reading }) => reading)).toMatchObject([
      { kind: 'malformed', code: -32700 },
      { kind: 'notification' },
    ])
  })

  it('refuses nesting beyond the limit before it is parsed, and goes on', async () => {
    const { link, channel } = await opened({ maxDepth: 8 })
    void link.say(
      `{"jsonrpc":"2.0","method":"a","params":{"x":${'['.repeat(20)}${']'.repeat(20)}}}`,
    )
    void link.say({ jsonrpc: '2.0', method: 'b' })
    link.end()
    expect((await frames(channel)).map(({ reading }) => reading.kind)).toEqual([
      'malformed',
      'notification',
    ])
  })

  it('refuses a batch where the revision has none [RPC-14]', async () => {
    const { link, channel } = await opened()
    void link.say([{ jsonrpc: '2.0', method: 'a' }])
    link.end()
    expect((await frames(channel)).map(({ reading }) => reading)).toMatchObject([
      { kind: 'malformed', code: -32600 },
    ])
  })

  it('takes a batch apart where the revision has them [RPC-11, STDIO-16]', async () => {
    const { link, channel } = await opened()
    channel.settle(BATCHES)
    void link.say([{ jsonrpc: '2.0', method: 'a' }, { jsonrpc: '2.0', id: 1, method: 'b' }, 5])
    link.end()
    expect((await frames(channel)).map(({ reading }) => reading.kind)).toEqual([
      'notification',
      'request',
      'malformed',
    ])
  })

  it.each([[0], [1001]])('refuses a batch of %i', async (size) => {
    const { link, channel } = await opened()
    channel.settle(BATCHES)
    void link.say(Array.from({ length: size }, () => ({ jsonrpc: '2.0', method: 'a' })))
    link.end()
    expect((await frames(channel)).map(({ reading }) => reading.kind)).toEqual(['malformed'])
  })

  it('answers a batch with one array when its last answer is there', async () => {
    const { link, channel } = await opened()
    channel.settle(BATCHES)
    void link.say([
      { jsonrpc: '2.0', id: 1, method: 'a' },
      { jsonrpc: '2.0', id: 2, method: 'b' },
    ])
    link.end()
    const [first, second] = await frames(channel)
    const open = await opened()
    open.channel.send({ text: '{"id":2}' }, second?.batch)
    expect(open.link.texts).toEqual([])
    open.channel.send({ text: '{"id":1}' }, first?.batch)
    expect(open.link.texts).toEqual(['[{"id":2},{"id":1}]'])
  })

  it('tells an oversize message by the id at its start or its end', async () => {
    const { link, channel } = await opened()
    const none = new Uint8Array(0)
    const texts: [string, string][] = [
      ['{"jsonrpc":"2.0","id":7,"result":{"x":"aaa', 'aaa"}}'],
      ['{"result":{"id":99,"x":"aaa', 'aaa"},"jsonrpc":"2.0","id":"seven"}'],
      ['{"result":{"id":99,"x":"aaa', 'aaa"}}'],
      ['{"jsonrpc":"2.0","id":8,"method":"m","params":{"x":"', '"}}'],
    ]
    for (const [head, tail] of texts) {
      link.unreadable({ reason: 'too-large', size: 9e7, head: bytes(head), tail: bytes(tail) })
    }
    link.unreadable({ reason: 'too-large', size: 9e7, head: bytes('garbage'), tail: none })
    link.end()
    expect((await frames(channel)).map(({ reading }) => reading)).toMatchObject([
      { kind: 'too-large', id: 7, answer: true },
      { kind: 'too-large', id: 'seven', answer: true },
      { kind: 'too-large', id: undefined },
      { kind: 'too-large', id: 8, answer: false },
      { kind: 'too-large', id: undefined },
    ])
  })

  it('reads bytes that are not UTF-8 as a parse error [RPC-02]', async () => {
    const { link, channel, events } = await opened()
    link.unreadable({
      reason: 'not-utf8',
      size: 2,
      head: new Uint8Array([0xff, 0xfe]),
      tail: new Uint8Array(0),
    })
    link.end()
    expect((await frames(channel)).map(({ reading }) => reading)).toMatchObject([
      { kind: 'malformed', code: -32700 },
    ])
    expect(events.find((event) => event.type === 'note')).toMatchObject({
      note: { kind: 'not-utf8' },
    })
  })

  it('asks the link to stop reading when the reader lags, and to go on when it caught up', async () => {
    const { link, channel } = await opened({ maxQueued: 2 })
    expect(link.say({ jsonrpc: '2.0', method: 'a' })).toBeUndefined()
    const full = link.say({ jsonrpc: '2.0', method: 'b' })
    expect(full).toBeInstanceOf(Promise)
    const reading = frames(channel)
    await full
    link.end()
    expect(await reading).toHaveLength(2)
  })
})

describe('messages out', () => {
  it('refuses when too much waits for a carrier that takes nothing, and says that nothing was sent', async () => {
    const { link, channel } = await opened({ maxBacklogBytes: 100, maxBacklogMessages: 10 })
    link.backlogMessages = 10
    expect(() => channel.send({ text: '{}' })).toThrow(
      expect.objectContaining({ code: 'DP_TRANSPORT_OVERLOADED', sent: 'no' }),
    )
    link.backlogMessages = 0
    link.backlogBytes = 101
    expect(() => channel.send({ text: '{}' })).toThrow(
      expect.objectContaining({ code: 'DP_TRANSPORT_OVERLOADED' }),
    )
    expect(link.texts).toEqual([])
  })

  it('refuses after the end with the reason and the exit facts', async () => {
    const { link, channel } = await opened()
    link.end(new TransportError('DP_TRANSPORT_EXIT', 'gone', { exitCode: 3, stderr: 'why' }))
    expect(() => channel.send({ text: '{}' })).toThrow(
      expect.objectContaining({
        code: 'DP_TRANSPORT_EXIT',
        exitCode: 3,
        stderr: 'why',
        sent: 'no',
      }),
    )
  })

  it('rejects an open that fails and tells the wire why', async () => {
    const events: WireEvent[] = []
    const failure = new TransportError('DP_TRANSPORT_SPAWN', 'no such command')
    const transport = { name: 'x', open: () => Promise.reject(failure) }
    await expect(
      Channel.open(transport, { wire: (event) => void events.push(event) }),
    ).rejects.toBe(failure)
    expect(events.map(({ type }) => type)).toEqual(['open', 'close'])
  })
})

describe('the wire tap', () => {
  it('hands out one ordered stream with the exact text of both directions', async () => {
    const { link, channel, events } = await opened()
    const odd = '{ "jsonrpc" : "2.0",  "method":"a" }'
    void link.say(odd)
    channel.send({ text: '{"b":1}' })
    channel.note({ kind: 'remark' })
    await channel.close()
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [0, 'open'],
      [1, 'message'],
      [2, 'message'],
      [3, 'note'],
      [4, 'close'],
    ])
    expect(events.filter((event) => event.type === 'message')).toMatchObject([
      { direction: 'in', text: odd, reading: { kind: 'notification' } },
      { direction: 'out', text: '{"b":1}' },
    ])
  })

  it('still shows what the far side says while it is being closed, and ends with the close', async () => {
    const { link, channel, events } = await opened()
    const closing = channel.close()
    void link.say({ jsonrpc: '2.0', method: 'late' })
    await closing
    link.note({ kind: 'after' })
    expect(events.map(({ type }) => type)).toEqual(['open', 'message', 'close'])
  })

  it('carries chain ids and facts of what is sent', async () => {
    const { channel, events } = await opened()
    channel.send({ text: '{}', chain: { call: 'k1', attempt: 1 }, facts: { header: 'x' } })
    expect(events.at(-1)).toMatchObject({
      chain: { call: 'k1', attempt: 1 },
      facts: { header: 'x' },
    })
  })
})
