/** A server behind HTTP without a network: what a test asks, as each era would ask it. */
import type { JsonObject } from '../../../src/base/json.ts'
import { httpHandler, type HttpHandler, type HttpServerOptions } from '../../../src/server/http.ts'
import type { Server } from '../../../src/server/server.ts'
import { FakeReply, fakeRequest, notification, request, type RequestParts } from '../fake-http.ts'

export const MODERN = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
}

export interface Handled {
  readonly handler: HttpHandler
  /** Sends a request and gives its reply, whole or not. */
  readonly send: (parts: RequestParts) => FakeReply
  readonly ask: (parts: RequestParts) => Promise<FakeReply>
  /** Opens a session and says that the client is ready; gives the headers of what follows. */
  readonly session: (
    version?: string,
    more?: Record<string, string>,
  ) => Promise<Record<string, string>>
}

export function handled(server: Server, options: HttpServerOptions = {}): Handled {
  const handler = httpHandler(server, options)
  const send = (parts: RequestParts): FakeReply => {
    const reply = new FakeReply()
    handler.handle(fakeRequest(parts), reply)
    return reply
  }
  const ask = async (parts: RequestParts): Promise<FakeReply> => {
    const reply = send(parts)
    await reply.whole()
    return reply
  }
  return {
    handler,
    send,
    ask,
    async session(version = '2025-11-25', more = {}) {
      const opened = await ask({ json: initialize(version), headers: more })
      const headers = { ...more, 'mcp-session-id': opened.headers['mcp-session-id'] ?? '' }
      await ask({ json: notification('notifications/initialized'), headers })
      return headers
    },
  }
}

export function initialize(version: string, capabilities: JsonObject = {}): JsonObject {
  const clientInfo = { name: 'c', version: '1' }
  return request('init', 'initialize', { protocolVersion: version, capabilities, clientInfo })
}

/** A modern request with everything that belongs to it, to be spoiled by the test. */
export function modern(
  id: string | number,
  method: string,
  params: JsonObject = {},
): { readonly json: JsonObject; readonly headers: Record<string, string> } {
  const { name, uri } = params
  const named = typeof name === 'string' ? name : typeof uri === 'string' ? uri : undefined
  return {
    json: request(id, method, {
      ...params,
      _meta: { ...META, ...(params['_meta'] as JsonObject | undefined) },
    }), // an object where a test gives one
    headers: {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(named === undefined ? {} : { 'mcp-name': named }),
    },
  }
}
