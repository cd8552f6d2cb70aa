/**
 * A small HTTP server of the handshake era as plain objects, for tests that make it misbehave in one way: what is not
 * told otherwise is done as the protocol wants it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject } from '../../../src/base/json.ts'
import { bodyOf, serveHttp, type TestServer } from './servers.ts'

/** One request as the server got it. */
export interface Seen {
  readonly verb: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** The message that was posted. */
  readonly message: JsonObject | undefined
}

export interface SmallServer extends TestServer {
  /** Everything that was asked, in order. */
  readonly seen: readonly Seen[]
  /** Messages of one method. */
  of(method: string): readonly Seen[]
}

/** Answers a request, or gives false to have it answered as usual. */
export type Misbehaviour = (
  seen: Seen,
  response: ServerResponse,
  usual: JsonObject | undefined,
) => boolean | void

export async function smallServer(misbehave: Misbehaviour = () => false): Promise<SmallServer> {
  const seen: Seen[] = []
  const server = await serveHttp((request, response) => {
    void bodyOf(request).then((body) => {
      const message: JsonObject | undefined = body === '' ? undefined : JSON.parse(body)
      const { method = '', url = '', headers } = request
      const one = { verb: method, path: url, headers, message }
      seen.push(one)
      const usual = message === undefined ? undefined : answerTo(message)
      if (misbehave(one, response, usual) === true) return
      if (method !== 'POST') response.writeHead(405).end()
      else if (usual === undefined) response.writeHead(202).end()
      else sendJson(response, usual)
    })
  })
  return {
    ...server,
    seen,
    of: (method) => seen.filter(({ message }) => message?.['method'] === method),
  }
}

export function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

/** The head of an event stream. */
export function startEvents(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' })
}

/** Name and arguments of the tool that a request calls. */
export function callIn({ message }: Seen): { readonly name: unknown; readonly args: unknown } {
  const params = Object(message?.['params'])
  return {
    name: message?.['method'] === 'tools/call' ? params.name : undefined,
    args: params.arguments,
  }
}

function answerTo({ id, method, params }: JsonObject): JsonObject | undefined {
  if (id === undefined || typeof method !== 'string') return undefined
  const result = resultOf(method, Object(params))
  if (result !== undefined) return { jsonrpc: '2.0', id, result }
  return { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }
}

function resultOf(method: string, params: JsonObject): JsonObject | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params['protocolVersion'],
        capabilities: { tools: {} },
        serverInfo: { name: 'small', version: '1' },
      }
    case 'tools/list':
      return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }
    case 'tools/call':
      return { content: [{ type: 'text', text: JSON.stringify(params['arguments'] ?? {}) }] }
    case 'ping':
      return {}
    default:
      return undefined
  }
}
