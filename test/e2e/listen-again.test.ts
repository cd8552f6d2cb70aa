/** Changes over links and streams that break: heard again as soon as that is possible, and nothing missed without a word. */
import { describe, expect, it } from 'vitest'
import { HttpError, TransportError } from '../../src/base/errors.ts'
import type { Change, ChangeFilter } from '../../src/client/change-queue.ts'
import type { Client } from '../../src/client/client.ts'
import { fakeClock } from '../support/fake-clock.ts'
import {
  playedServer,
  type Asked,
  type PlayedOptions,
  type PlayedServer,
} from '../support/played-server.ts'
import { cut, forgetful, meet, settle, soundly, turn } from '../support/recovery.ts'

const NOTICE = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
const highest = (): Uint8Array => new Uint8Array([255, 255])

/** What a listener has heard, and whether it was told of an end. */
function listening(
  client: Client,
  filter: ChangeFilter,
): { readonly heard: Change[]; readonly over: Promise<void>; readonly ended: () => boolean } {
  const heard: Change[] = []
  let ended = false
  const over = (async () => {
    for await (const change of client.changes(filter)) heard.push(change)
    ended = true
  })()
  return { heard, over, ended: () => ended }
}

describe('who listens for changes', () => {
  const NOTICE = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

  it('is told of everything once after a session was begun anew, subscribed again, and goes on [RES-05, SUB-13]', async () => {
    const server = forgetful({
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
    })
    const client = await meet(server)
    const heard: Change[] = []
    const listening = (async () => {
      for await (const change of client.changes({ tools: true, uris: ['a:1'] })) heard.push(change)
    })()
    await server.until('resources/subscribe', 1)
    server.forget()
    await client.listTools()
    await server.until('resources/subscribe', 2)
    await turn()
    expect(heard).toEqual([{ kind: 'tools' }, { kind: 'resource', uri: 'a:1' }])
    heard.length = 0
    server.say(NOTICE)
    await turn()
    expect(heard).toEqual([{ kind: 'tools' }])
    await client.close()
    await listening
  })
})

describe('a session with listeners', () => {
  it('is unsubscribed from a resource only when the last listener for it leaves [RES-05]', async () => {
    const server = playedServer(soundly, { capabilities: { resources: { subscribe: true } } })
    const client = await meet(server)
    const [one, two] = [client.changes({ uris: ['a:1'] }), client.changes({ uris: ['a:1', 'a:2'] })]
    await settle()
    await one.return?.()
    await settle()
    expect(server.of('resources/unsubscribe')).toEqual([])
    await two.return?.()
    await settle()
    expect(server.of('resources/unsubscribe').map(({ params }) => params['uri'])).toEqual([
      'a:1',
      'a:2',
    ])
  })

  it('tells them of its end when it is not opened again', async () => {
    const server = playedServer(soundly, { reopens: false })
    const client = await meet(server)
    const listener = listening(client, { tools: true })
    server.end()
    await listener.over
    expect(listener.heard).toEqual([])
  })
})

/** A modern server whose listen streams are in the hands of the test. */
function streaming(
  options: PlayedOptions = {},
): PlayedServer & { readonly streams: readonly Asked[]; grant(): void } {
  const streams: Asked[] = []
  const server = playedServer(
    (asked) => {
      if (asked.method !== 'subscriptions/listen') return soundly(asked)
      return streams.push(asked)
    },
    { revision: '2026-07-28', capabilities: { tools: { listChanged: true } }, ...options },
  )
  const grant = (): void => {
    const stream = streams.at(-1)
    stream?.say('notifications/subscriptions/acknowledged', {
      notifications: stream.params['notifications'] ?? null,
      _meta: { 'io.modelcontextprotocol/subscriptionId': stream.id },
    })
  }
  return Object.assign(server, { streams, grant })
}

function tell(stream: Asked | undefined): void {
  stream?.say(NOTICE.method, { _meta: { 'io.modelcontextprotocol/subscriptionId': stream.id } })
}

const broken = new TransportError('DP_TRANSPORT_CLOSED', 'The stream broke.', { sent: 'yes' })

describe('a listen stream that breaks', () => {
  it('is asked for again under a new id, and everything that was asked for is told once it is there [SUB-11, SUB-13]', async () => {
    const clock = fakeClock()
    const server = streaming()
    const client = await meet(server, { clock, random: highest }, 'modern')
    const { heard } = listening(client, { tools: true, uris: ['a:1'] })
    await settle()
    server.grant()
    tell(server.streams[0])
    await settle()
    expect(heard).toEqual([{ kind: 'tools' }])
    server.streams[0]?.fail(broken)
    await settle()
    expect(server.streams).toHaveLength(1)
    await clock.advance(250)
    expect(server.streams).toHaveLength(2)
    expect(server.streams[1]?.id).not.toBe(server.streams[0]?.id)
    expect(server.streams[1]?.params['notifications']).toEqual(
      server.streams[0]?.params['notifications'],
    )
    expect(heard).toHaveLength(1)
    server.grant()
    await settle()
    expect(heard.slice(1)).toEqual([{ kind: 'tools' }, { kind: 'resource', uri: 'a:1' }])
    tell(server.streams[1])
    await settle()
    expect(heard).toHaveLength(4)
    expect(server.opens).toBe(1)
  })

  it('is asked for with longer and longer pauses while it breaks at once, and soon again when it had held', async () => {
    const clock = fakeClock()
    const server = streaming()
    const client = await meet(server, { clock, random: highest }, 'modern')
    const listener = listening(client, { tools: true })
    await settle()
    const pauses: number[] = []
    for (const held of [0, 0, 0, 0, 0, 0, 0, 0, 0, 60_000, 0]) {
      server.grant()
      await settle()
      await clock.advance(held)
      const { length } = server.streams
      const began = clock.now()
      server.streams.at(-1)?.fail(broken)
      while (server.streams.length === length) {
        await settle()
        await clock.advance(250)
      }
      pauses.push(clock.now() - began)
    }
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 250, 500])
    expect(listener.ended()).toBe(false)
  })

  it('ends the listening when it cannot be had five times in a row', async () => {
    const clock = fakeClock()
    const server = playedServer(
      (asked) => (asked.method === 'subscriptions/listen' ? asked.fail(cut('no')) : soundly(asked)),
      { revision: '2026-07-28' },
    )
    const client = await meet(server, { clock }, 'modern')
    const listener = listening(client, { tools: true })
    for (let at = 0; at < 20; at += 1) {
      await settle()
      await clock.advance(10_000)
    }
    await listener.over
    expect(server.of('subscriptions/listen')).toHaveLength(6)
    expect(clock.pending).toBe(0)
  })

  it.each([
    ['the server ended it in order', (stream: Asked) => stream.result({ resultType: 'complete' })],
    ['the server refuses it', (stream: Asked) => stream.error(-32603, 'Busy')],
    [
      'its kind of request is refused',
      (stream: Asked) =>
        stream.fail(new HttpError('DP_TRANSPORT_HTTP', 'No.', { status: 403, sent: 'yes' })),
    ],
    [
      'the server says so by a notice',
      (stream: Asked) => stream.say('notifications/cancelled', { requestId: stream.id }),
    ],
  ])('is not asked for again when %s [SUB-09, SUB-10]', async (_, end) => {
    const clock = fakeClock()
    const server = streaming()
    const client = await meet(server, { clock }, 'modern')
    const listener = listening(client, { tools: true })
    await settle()
    server.grant()
    for (const stream of server.streams) end(stream)
    await listener.over
    await clock.advance(60_000)
    expect(server.streams).toHaveLength(1)
  })

  it('is not asked for again when nobody listens any more, or where nothing is opened again', async () => {
    const clock = fakeClock()
    const server = streaming()
    const client = await meet(server, { clock, random: highest }, 'modern')
    const changes = client.changes({ tools: true })
    await settle()
    server.streams[0]?.fail(broken)
    await settle()
    await changes.return?.()
    await clock.advance(60_000)
    expect([server.streams.length, clock.pending]).toEqual([1, 0])
    const lasting = streaming({ reopens: false })
    const other = listening(await meet(lasting, { clock }, 'modern'), { tools: true })
    await settle()
    lasting.streams[0]?.fail(broken)
    await other.over
    expect(lasting.streams).toHaveLength(1)
  })

  it('is left behind when its server speaks another version, so that the old link can go', async () => {
    const clock = fakeClock()
    let over = false
    const streams: Asked[] = []
    const server = playedServer(
      (asked) => {
        if (asked.method === 'subscriptions/listen') return streams.push(asked)
        if (!over || asked.link > 1) return soundly(asked)
        return asked.error(-32022, 'Unsupported', { supported: ['2026-07-28'], requested: 'x' })
      },
      { revision: '2026-07-28' },
    )
    const client = await meet(server, { clock }, 'modern')
    const listener = listening(client, { tools: true })
    await settle()
    over = true
    await client.listTools()
    await settle()
    await clock.advance(1000)
    expect([streams.length, server.open]).toEqual([2, 1])
    expect(listener.ended()).toBe(false)
  })

  it('is asked for on the new link when the old one was lost, as after a restart of a process [SUB-11, STDIO-12]', async () => {
    const server = streaming({ perRequest: false, reopens: false })
    const client = await meet(server, { reconnect: true }, 'modern')
    const { heard } = listening(client, { tools: true })
    await settle()
    server.grant()
    server.end(new TransportError('DP_TRANSPORT_EXIT', 'It crashed.', { exitCode: 1 }))
    await server.until('subscriptions/listen', 2)
    await settle()
    expect(heard).toEqual([])
    server.grant()
    await settle()
    expect(heard).toEqual([{ kind: 'tools' }])
    expect(server.streams.map(({ link }) => link)).toEqual([1, 2])
    tell(server.streams[1])
    await turn()
    expect(heard).toHaveLength(2)
  })
})
