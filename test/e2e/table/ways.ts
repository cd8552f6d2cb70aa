/**
 * The ways from a client to a server: every transport, as rows of the table. Each puts the table's server at one end and
 * gives the transport that leads to it; all but one have both ends in this process, over real sockets.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Transport } from '../../../src/jsonrpc/link.ts'
import type { Era } from '../../../src/protocol/revision.ts'
import { httpHandler } from '../../../src/server/http.ts'
import { serveHttp } from '../../../src/server/node/serve-http.ts'
import { http as fetchHttp } from '../../../src/transport/http/fetch-client.ts'
import { fetchExchange } from '../../../src/transport/http/fetch-exchange.ts'
import { memoryPair } from '../../../src/transport/memory.ts'
import { http, sse } from '../../../src/transport/node/http-client.ts'
import { serveUnixSocket } from '../../../src/transport/node/socket-server.ts'
import { unixSocket } from '../../../src/transport/node/socket.ts'
import { stdio } from '../../../src/transport/node/stdio-client.ts'
import { serveWebSocket } from '../../../src/transport/node/websocket-server.ts'
import { webSocket } from '../../../src/transport/node/websocket.ts'
import { bundleFile } from '../../support/bundle.ts'
import { tableServer } from './table-server.ts'

/** A way to a server that is there. */
export interface OpenWay {
  readonly transport: Transport
  close(): Promise<void>
}

export interface Way {
  readonly name: string
  readonly eras: readonly Era[]
  open(): Promise<OpenWay>
}

const BOTH: readonly Era[] = ['legacy', 'modern']

export const WAYS: readonly Way[] = [
  { name: 'memory', eras: BOTH, open: inMemory },
  { name: 'stdio', eras: BOTH, open: overStdio },
  { name: 'Unix socket', eras: BOTH, open: overUnixSocket },
  { name: 'WebSocket', eras: BOTH, open: overWebSocket },
  { name: 'Streamable HTTP', eras: BOTH, open: overHttp },
  { name: 'Streamable HTTP by fetch', eras: BOTH, open: overFetch },
  { name: 'HTTP+SSE', eras: ['legacy'], open: overOldSse },
]

function inMemory(): Promise<OpenWay> {
  const server = tableServer()
  const [near, far] = memoryPair()
  void server.accept(far)
  return Promise.resolve({ transport: near, close: () => server.close() })
}

async function overStdio(): Promise<OpenWay> {
  const main = await bundleFile(join(import.meta.dirname, 'table-server-main.ts'))
  return {
    transport: stdio({ command: process.execPath, args: [main] }),
    close: () => Promise.resolve(),
  }
}

async function overUnixSocket(): Promise<OpenWay> {
  const server = tableServer()
  const folder = await mkdtemp(join(tmpdir(), 'table-'))
  const path = join(folder, 's')
  const listener = await serveUnixSocket((transport) => server.accept(transport), { path })
  return {
    transport: unixSocket(path),
    async close() {
      await closeAll(listener, server)
      await rm(folder, { recursive: true })
    },
  }
}

async function overWebSocket(): Promise<OpenWay> {
  const server = tableServer()
  const listener = await serveWebSocket((transport) => server.accept(transport))
  return { transport: webSocket(listener.url), close: () => closeAll(listener, server) }
}

async function overHttp(): Promise<OpenWay> {
  const server = tableServer()
  const listener = await serveHttp(server)
  return { transport: http(listener.url), close: () => closeAll(listener, server) }
}

/** The handler as a function from `Request` to `Response`, behind a client that has nothing but `fetch`. */
function overFetch(): Promise<OpenWay> {
  const server = tableServer()
  const handler = httpHandler(server, { allowedHosts: ['table.test'] })
  const url = 'http://table.test/mcp'
  const transport = fetchHttp(url, {
    exchange: fetchExchange((input, init) => handler.fetch(new Request(input, init))),
  })
  return Promise.resolve({ transport, close: () => closeAll(handler, server) })
}

async function overOldSse(): Promise<OpenWay> {
  const server = tableServer()
  const listener = await serveHttp(server, { legacySse: true })
  return {
    transport: sse(new URL('/sse', listener.url)),
    close: () => closeAll(listener, server),
  }
}

async function closeAll(...parts: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of parts) await part.close()
}
