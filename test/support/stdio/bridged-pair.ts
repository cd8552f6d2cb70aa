/** Both ends of stdio in one process: the client's end starts a bridge, the server's end is what the bridge leads to. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { LinkPort, Transport } from '../../../src/jsonrpc/link.ts'
import type { TransportPair } from '../../../src/testing/link-contract.ts'
import { stdio } from '../../../src/transport/node/stdio-client.ts'
import { stdioServer, type ServerHost } from '../../../src/transport/node/stdio-server.ts'

const BRIDGE = join(import.meta.dirname, 'bridge.mjs')

/** Two real pipes, with a process of the system between the ends. */
export async function bridgedPair(): Promise<TransportPair> {
  const folder = await mkdtemp(join(tmpdir(), 'deep-pilot-bridge-'))
  const paths = ['input', 'output'].map((name) => placeFor(folder, name))
  const doors = await Promise.all(paths.map(listenAt))
  const near = stdio({
    command: process.execPath,
    args: [BRIDGE, ...paths],
    name: 'stdio',
    stopEofMs: 2000,
    stopTermMs: 150,
    watch: false,
  })
  return {
    near,
    far: farEnd(doors),
    async dispose() {
      for (const { server } of doors) server.close()
      await rm(folder, { recursive: true })
    },
  }
}

function farEnd(doors: readonly Door[]): Transport {
  return {
    name: 'stdioServer',
    async open(port) {
      const [stdin, stdout] = await Promise.all(doors.map(({ visitor }) => visitor))
      if (stdin === undefined || stdout === undefined) throw new Error('two doors give two sockets')
      const host: ServerHost = {
        stdin,
        stdout,
        stderr: new PassThrough().resume(),
        on: () => undefined,
        off: () => undefined,
        exit: () => undefined,
      }
      const options = { host, guard: false, signals: false, lingerMs: false } as const
      return stdioServer(options).open(endingWith(port, stdout))
    },
  }
}

/** A process whose link has ended has nothing more to do: its output ends with it. */
function endingWith(port: LinkPort, stdout: Socket): LinkPort {
  return {
    maxMessageBytes: port.maxMessageBytes,
    text: (text, facts) => port.text(text, facts),
    unreadable: (piece) => port.unreadable(piece),
    failed: (id, reason) => port.failed(id, reason),
    note: (note) => port.note(note),
    closed(reason) {
      port.closed(reason)
      stdout.end()
    },
  }
}

interface Door {
  readonly server: Server
  readonly visitor: Promise<Socket>
}

function listenAt(path: string): Promise<Door> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true })
    const visitor = new Promise<Socket>((visited) => server.once('connection', visited))
    server.once('error', reject)
    server.listen(path, () => resolve({ server, visitor }))
  })
}

function placeFor(folder: string, name: string): string {
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\${folder.replaceAll(/[^\w-]/g, '-')}-${name}`
    : join(folder, name)
}
