/**
 * A server as an attacker finds it: everything that it can offer, behind a real socket, with two principals that it knows.
 * What runs in it is counted, so that a test can say that nothing ran.
 */
import { afterEach } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { serveHttp } from '../../src/server/node/serve-http.ts'
import type { ServedHttp, ServeHttpOptions } from '../../src/server/node/served-http.ts'
import type { ServerOptions } from '../../src/server/options.ts'
import type { Server } from '../../src/server/server.ts'
import { attackedServer, type Attacked } from './attacked-server.ts'
import { notification } from './fake-http.ts'
import { initialize, modern, MODERN } from './http/handled.ts'
import { RawHttp } from './http/raw-http.ts'
import { JSON_BOTH } from './principals.ts'
import { readEvents } from './read-events.ts'

export const TASKS: JsonObject = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

const servers: Server[] = []
const listening: ServedHttp[] = []
const raws: RawHttp[] = []
afterEach(async () => {
  for (const raw of raws.splice(0)) raw.close()
  for (const one of listening.splice(0)) await one.close()
  for (const server of servers.splice(0)) await server.close()
})

/** A server with something of every kind. Closed by itself after the test. */
export function attacked(options: Partial<ServerOptions> = {}): Attacked {
  const made = attackedServer(options)
  servers.push(made.server)
  return made
}

/** What a place adds to it. */
export interface Place extends Attacked {
  readonly served: ServedHttp
  readonly port: number
  /** A message as a well-behaved client of one era posts it. */
  readonly post: (json: unknown, headers?: Record<string, string>) => Promise<Heard>
  /** A modern request, whole. */
  readonly ask: (
    method: string,
    params?: JsonObject,
    headers?: Record<string, string>,
  ) => Promise<Heard>
  /** Opens a session; gives the headers of what follows. */
  readonly session: (
    headers?: Record<string, string>,
    version?: string,
  ) => Promise<Record<string, string>>
  readonly raw: () => Promise<RawHttp>
}

/** What came back for a POST. */
export interface Heard {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly messages: readonly JsonObject[]
  /** The last message: an answer, if it was a request. */
  readonly answer: JsonObject
  readonly result: JsonObject
  readonly error: JsonObject
  /** Text of the first block of a tool's result, or of the first contents of a resource. */
  readonly said: unknown
}

/** The same behind a socket. Closed by itself after the test. */
export async function place(
  http: ServeHttpOptions = {},
  options: Partial<ServerOptions> = {},
): Promise<Place> {
  const made = attacked(options)
  const served = await serveHttp(made.server, http)
  listening.push(served)
  const post: Place['post'] = async (json, headers = {}) => {
    const response = await fetch(served.url, {
      method: 'POST',
      headers: { ...JSON_BOTH, ...headers },
      body: typeof json === 'string' ? json : JSON.stringify(json),
    })
    return heardOf(response, await response.text())
  }
  return {
    ...made,
    served,
    port: served.port,
    post,
    ask(method, params = {}, headers = {}) {
      const parts = modern(1, method, params)
      if (typeof params['taskId'] === 'string')
        headers = { 'mcp-name': params['taskId'], ...headers }
      return post(parts.json, { ...parts.headers, ...headers })
    },
    async session(headers = {}, version = '2025-11-25') {
      const opened = await post(initialize(version, { elicitation: {} }), headers)
      const id = opened.headers.get('mcp-session-id') ?? ''
      const all = { ...headers, 'mcp-session-id': id }
      await post(notification('notifications/initialized'), all)
      return all
    },
    async raw() {
      const raw = await RawHttp.open(served.port)
      raws.push(raw)
      return raw
    },
  }
}

/** The envelope of a modern request, with capabilities. */
export function envelope(capabilities: JsonObject = {}): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
}

function heardOf({ status, headers }: Response, text: string): Heard {
  const events = headers.get('content-type')?.startsWith('text/event-stream') === true
  const texts = events
    ? readEvents(text)
        .map(({ data }) => data)
        .filter((data) => data !== '')
    : [text]
  const messages = texts.map(objectIn)
  const answer = messages.at(-1) ?? {}
  const result = Object(answer['result'])
  return {
    status,
    headers,
    text,
    messages,
    answer,
    result,
    error: Object(answer['error']),
    said: result.content?.[0]?.text ?? result.contents?.[0]?.text,
  }
}

function objectIn(text: string): JsonObject {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {} // a refusal in words
  }
}
