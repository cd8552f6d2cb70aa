/** A server on a free port of this machine that hands each request over whole, for stand-ins of providers. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WholeRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface LocalHttp {
  /** Without a slash at its end. */
  readonly url: string
  /** Ends what is under way as well. */
  close(): Promise<void>
}

/** A failure of `answer` becomes a 500 with its message. */
export async function localHttp(
  answer: (request: WholeRequest, response: ServerResponse) => void | Promise<void>,
): Promise<LocalHttp> {
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming
      const body = Buffer.concat(parts).toString('utf8')
      Promise.resolve(answer({ method, path, headers, body }, response)).catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
        response.end(String(error))
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port, not on a path
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
