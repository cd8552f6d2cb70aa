/** Servers on this machine for tests of HTTP: of Node, and of bytes as they stand. */
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../fixtures/tls')
const pem = (file: string): string => readFileSync(join(folder, file), 'utf8')

/** A certificate for server.test, localhost and 127.0.0.1, its key, and who signed it. */
export const TLS: { readonly cert: string; readonly key: string; readonly ca: string } = {
  cert: pem('server.pem'),
  key: pem('server.key'),
  ca: pem('ca.pem'),
}

export interface TestServer {
  /** Without a path and without a slash at its end. */
  readonly url: string
  readonly port: number
  /** Connections that were made so far. */
  readonly connections: readonly Socket[]
  /** Settles when none of them is open. */
  quiet(): Promise<void>
  close(): Promise<void>
}

/** A server that answers each request by `listener`. */
export function serveHttp(listener: http.RequestListener): Promise<TestServer> {
  return start(http.createServer({ keepAliveTimeout: 60_000 }, listener), 'http')
}

/** The same over TLS. */
export function serveHttps(
  listener: http.RequestListener,
  options: https.ServerOptions = {},
): Promise<TestServer> {
  const { cert, key } = TLS
  return start(https.createServer({ cert, key, ...options }, listener), 'https')
}

/** A server that writes what it likes to each connection. */
export function serveBytes(onConnection: (socket: Socket) => void): Promise<TestServer> {
  return start(net.createServer(onConnection), 'http')
}

/** A server that writes the same bytes whatever it is asked, and then ends the connection. */
export function serveAnswer(answer: string): Promise<TestServer> {
  return serveBytes((socket) => {
    socket.once('data', () => socket.end(answer, 'latin1'))
  })
}

async function start(server: net.Server, scheme: string): Promise<TestServer> {
  const connections: Socket[] = []
  server.on('connection', (socket: Socket) => {
    connections.push(socket)
    // Clients under test may go as they like.
    socket.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of a server that listens on TCP
  const quiet = async (): Promise<void> => {
    for (const socket of connections) {
      if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
    }
  }
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    connections,
    quiet,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of connections) socket.destroy()
      await closed
    },
  }
}

/** The body of a request, as text. */
export async function bodyOf(request: http.IncomingMessage): Promise<string> {
  let body = ''
  request.setEncoding('utf8')
  for await (const chunk of request) body += String(chunk)
  return body
}
