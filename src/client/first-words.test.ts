import { describe, expect, it } from 'vitest'
import { ProtocolError, TimeoutError, TransportError } from '../base/errors.ts'
import type { Link, LinkPort, Transport } from '../jsonrpc/link.ts'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { settle } from '../../test/support/recovery.ts'
import { connect } from './connect.ts'
import type { ClientOptions } from './options.ts'

/** A program that is no server: it does what it likes with each text it is sent. */
function program(hear: (text: string, port: LinkPort) => void): Transport {
  return {
    name: 'prog',
    open: (port) => {
      const link: Link = {
        backlogBytes: 0,
        backlogMessages: 0,
        write: ({ text }) => {
          queueMicrotask(() => hear(text, port))
          return { sent: 'yes' }
        },
        drained: () => Promise.resolve(),
        close: () => Promise.resolve(),
      }
      return Promise.resolve(link)
    },
  }
}

async function failure(transport: Transport, options: ClientOptions = {}): Promise<unknown> {
  return connect(transport, options).catch((error: unknown) => error)
}

describe('a program that is no server', () => {
  it.each(['auto', 'legacy', 'modern'] as const)(
    'is known by our request that comes back, in the era %s',
    async (era) => {
      const error = await failure(
        program((text, port) => void port.text(text)),
        { era },
      )
      expect(error).toBeInstanceOf(ProtocolError)
      expect(error).toMatchObject({
        server: 'prog',
        method: era === 'legacy' ? 'initialize' : 'server/discover',
        id: 1,
        detail: { kind: 'no-mcp', why: 'echo' },
        message: expect.stringContaining('"prog" repeats what it is sent, and speaks no MCP.'),
      })
    },
  )

  it('is not that which asks something of its own before the handshake', async () => {
    const clock = fakeClock()
    let isAsked = false
    const asking = program((_text, port) => {
      if (!isAsked) void port.text('{"jsonrpc":"2.0","id":1,"method":"roots/list"}')
      isAsked = true
    })
    const failing = failure(asking, { clock, timeouts: { startMs: 500 } })
    await settle()
    await clock.advance(2000)
    expect(await failing).toBeInstanceOf(TimeoutError)
  })

  it('is given up when it writes without end what is no message [STDIO-21]', async () => {
    const flooding = program((_text, port) => {
      for (let line = 0; line <= 10_000; line += 1) void port.text('y')
    })
    const error = await failure(flooding)
    expect(error).toBeInstanceOf(ProtocolError)
    expect(error).toMatchObject({
      requirement: 'STDIO-21',
      detail: { kind: 'no-mcp', why: 'flood', lines: 10_001, output: 'y' },
    })
  })

  it('is given up when that is few lines and long ones', async () => {
    const long = 'x'.repeat(600 * 1024)
    const flooding = program((_text, port) => {
      void port.text(long)
      void port.text(long)
    })
    expect(await failure(flooding)).toMatchObject({ detail: { why: 'flood', lines: 2 } })
  })

  it('that is silent after some words is told with the first of them', async () => {
    const clock = fakeClock()
    const greeting = program((_text, port) => void port.text('Hello there.'))
    const failing = failure(greeting, { clock, timeouts: { startMs: 500 } })
    await settle()
    await clock.advance(2000)
    expect(await failing).toMatchObject({
      family: 'timeout',
      timer: 'start',
      ms: 500,
      setBy: 'client',
      detail: { kind: 'no-mcp', why: 'silent', output: 'Hello there.' },
      message: expect.stringContaining(': "Hello there."'),
    })
  })

  it('that ended is told with how it ended, not with the request that it left open', async () => {
    const ended = new TransportError('DP_TRANSPORT_EXIT', 'The server "prog" ended.', {
      server: 'prog',
      exitCode: 3,
      detail: { kind: 'exited' },
    })
    const leaving = program((_text, port) => {
      void port.text('bye')
      queueMicrotask(() => port.closed(ended))
    })
    expect(await failure(leaving, { era: 'legacy' })).toMatchObject({
      code: 'DP_TRANSPORT_EXIT',
      exitCode: 3,
      method: 'initialize',
      message: 'The server "prog" ended. What it wrote to its output is no MCP message: "bye".',
      detail: { kind: 'exited', output: 'bye' },
    })
  })
})

describe('a server', () => {
  it('may print a banner before it answers [STDIO-21]', async () => {
    const info = { name: 'server', version: '1' }
    const banner = program((text, port) => {
      const { id, params } = JSON.parse(text) // of our own making
      if (id === undefined) return
      for (let line = 0; line < 1000; line += 1) void port.text('Downloading the internet')
      const result = {
        protocolVersion: params.protocolVersion,
        capabilities: {},
        serverInfo: info,
      }
      void port.text(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
    const client = await connect(banner, { era: 'legacy' })
    expect(client.server.info).toEqual(info)
    await client.close()
  })
})
