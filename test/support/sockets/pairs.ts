/** Both ends of a socket in one process, as the link contract wants them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Transport } from '../../../src/jsonrpc/link.ts'
import type { TransportPair } from '../../../src/testing/link-contract.ts'
import { serveUnixSocket } from '../../../src/transport/node/socket-server.ts'
import { webSocket } from '../../../src/transport/node/websocket.ts'
import { serveWebSocket } from '../../../src/transport/node/websocket-server.ts'
import { unixSocket } from '../../../src/transport/node/socket.ts'

/** A path of its own for a socket, and what removes its folder. */
export async function socketPlace(): Promise<{
  readonly path: string
  readonly folder: string
  remove(): Promise<void>
}> {
  const folder = await mkdtemp(join(tmpdir(), 'dp-socket-'))
  const path =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\${folder.replaceAll(/[^\w-]/g, '-')}`
      : join(folder, 'mcp.sock')
  return { path, folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

export async function unixPair(): Promise<TransportPair> {
  const place = await socketPlace()
  const door = visitors('unixSocket server')
  const server = await serveUnixSocket(door.accept, { path: place.path })
  return {
    near: unixSocket(place.path),
    far: door.first,
    async dispose() {
      await server.close()
      await place.remove()
    },
  }
}

export async function webSocketPair(): Promise<TransportPair> {
  const door = visitors('webSocket server')
  const server = await serveWebSocket(door.accept)
  return { near: webSocket(server.url), far: door.first, dispose: () => server.close() }
}

/** An `accept` whose first visitor is a transport that can be opened before anybody has come. */
function visitors(name: string): {
  readonly first: Transport
  readonly accept: (transport: Transport) => Promise<void>
} {
  let come = (_transport: Transport): void => {}
  let leave = (): void => {}
  const visitor = new Promise<Transport>((resolve) => (come = resolve))
  const gone = new Promise<void>((resolve) => (leave = resolve))
  return {
    first: {
      name,
      async open(port, signal) {
        const transport = await visitor
        return transport.open(
          {
            maxMessageBytes: port.maxMessageBytes,
            text: (text, facts, reading) => port.text(text, facts, reading),
            unreadable: (piece) => port.unreadable(piece),
            failed: (id, reason) => port.failed(id, reason),
            note: (note) => port.note(note),
            closed(reason) {
              port.closed(reason)
              leave()
            },
          },
          signal,
        )
      },
    },
    accept(transport) {
      come(transport)
      return gone
    },
  }
}
