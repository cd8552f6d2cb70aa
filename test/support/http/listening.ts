/** An endpoint behind Node's server on a free port, closed by itself after each test. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import {
  nodeListener,
  type NodeListenerOptions,
} from '../../../src/transport/node/http-listener.ts'
import { stage, type Stage, type StageOptions } from '../fake-http.ts'
import { RawHttp } from './raw-http.ts'

/** The servers of the test that runs. */
export const servers: Server[] = []
const raws: RawHttp[] = []
afterEach(async () => {
  for (const raw of raws.splice(0)) raw.close()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

export interface Behind extends Stage {
  readonly port: number
  readonly url: string
  readonly openRaw: () => Promise<RawHttp>
}

/** An endpoint behind Node's server. `wrap` stands before it, as a framework does. */
export async function behind(
  options: StageOptions = {},
  wrap: (listener: RequestListener) => RequestListener = (listener) => listener,
  listening: NodeListenerOptions = {},
): Promise<Behind> {
  const set = stage(options)
  const listener = nodeListener(set.endpoint, listening)
  const server = createServer({ maxHeaderSize: 16 * 1024 }, wrap(listener))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    ...set,
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    openRaw: async () => {
      const raw = await RawHttp.open(port)
      raws.push(raw)
      return raw
    },
  }
}

export const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': 'alone',
}

export function head(
  port: number,
  more: readonly string[] = [],
  host = `127.0.0.1:${port}`,
): string[] {
  return [
    'POST /mcp HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/json',
    'Mcp-Protocol-Version: alone',
    ...more,
  ]
}

export function post(
  url: string,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify(message),
  })
}
