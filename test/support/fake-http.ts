/**
 * HTTP without a network: requests that a test makes up, replies that it looks at, and an endpoint with a conversation behind
 * it that the test holds in its hand.
 */
import type { JsonObject } from '../../src/base/json.ts'
import { silentLogger } from '../../src/base/log.ts'
import { Channel } from '../../src/jsonrpc/channel.ts'
import type { LinkTraits } from '../../src/jsonrpc/link.ts'
import type { Notification } from '../../src/jsonrpc/message.ts'
import type { InboundRequest } from '../../src/jsonrpc/inbound-request.ts'
import { Peer } from '../../src/jsonrpc/peer.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import { cancellationOf } from '../../src/protocol/cancellation.ts'
import { Endpoint } from '../../src/transport/http/endpoint.ts'
import type { EndpointOptions, EndpointRules } from '../../src/transport/http/endpoint-options.ts'
import type {
  HeaderFields,
  ReplyStream,
  RequestBody,
  ServerReply,
  ServerRequest,
} from '../../src/transport/http/server-request.ts'
import { fakeClock, type FakeClock } from './fake-clock.ts'
import { readEvents, type ReadEvent } from './read-events.ts'

export interface RequestParts {
  readonly method?: string
  readonly target?: string
  readonly port?: number | undefined
  /** By lower-case name; added to those of a well-behaved client, undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Sent as JSON. */
  readonly json?: unknown
  readonly body?: RequestBody
}

export const PORT = 3000

/** A request of a well-behaved client, changed as the test wants it. */
export function fakeRequest(parts: RequestParts = {}): ServerRequest {
  const { method = 'POST', target = '/mcp', port = PORT } = parts
  const headers: Record<string, string | undefined> = {
    host: `localhost:${PORT}`,
    accept: 'application/json, text/event-stream',
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    ...parts.headers,
  }
  return {
    method,
    target,
    remote: '127.0.0.1',
    port,
    header: (name) => headers[name],
    headersWith: (prefix) =>
      Object.fromEntries(
        Object.entries(headers).filter(
          (entry): entry is [string, string] =>
            entry[0].startsWith(prefix) && entry[1] !== undefined,
        ),
      ),
    readBody(_maxBytes, done) {
      done(parts.body ?? { kind: 'text', text: JSON.stringify(parts.json) ?? '' })
    },
  }
}

/** What became of a request. */
export class FakeReply implements ServerReply {
  status: number | undefined
  headers: HeaderFields = {}
  /** All that was written. */
  text = ''
  /** `open` while a stream goes on. */
  state: 'waiting' | 'open' | 'ended' | 'cut' = 'waiting'
  /** What the reader has not taken, as the test says. */
  unsent = 0
  readonly #watchers = new Set<() => void>()
  #onGone: (() => void) | undefined

  answer(status: number, headers: HeaderFields, body = ''): void {
    if (this.state !== 'waiting') throw new Error('There is a reply already.')
    this.status = status
    this.headers = headers
    this.text = body
    this.#become('ended')
  }

  stream(status: number, headers: HeaderFields): ReplyStream {
    if (this.state !== 'waiting') throw new Error('There is a reply already.')
    this.status = status
    this.headers = headers
    this.#become('open')
    const write = (text: string): void => {
      if (this.state !== 'open') throw new Error('The stream has ended.')
      this.text += text
      this.#look()
    }
    const unsent = (): number => this.unsent
    return {
      get unsent() {
        return unsent()
      },
      write,
      end: () => this.#become('ended'),
      cut: () => this.#become('cut'),
    }
  }

  onGone(listener: () => void): void {
    this.#onGone = listener
  }

  /** The far side leaves. */
  leave(): void {
    this.#onGone?.()
  }

  /** The JSON of a whole reply. */
  get json(): JsonObject {
    return JSON.parse(this.text) as JsonObject // a test that asks for it expects an object
  }

  /** The events so far. */
  get events(): readonly ReadEvent[] {
    return readEvents(this.text)
  }

  /** The messages among them. */
  get messages(): readonly JsonObject[] {
    return this.events
      .filter(({ data }) => data !== '')
      .map(({ data }) => JSON.parse(data) as JsonObject) // every event with data is a message
  }

  /** Settles as soon as something holds. */
  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve()
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return
        this.#watchers.delete(look)
        resolve()
      }
      this.#watchers.add(look)
    })
  }

  /** Settles when the reply is whole. */
  whole(): Promise<void> {
    return this.until(() => this.state === 'ended' || this.state === 'cut')
  }

  #become(state: FakeReply['state']): void {
    this.state = state
    this.#look()
  }

  #look(): void {
    for (const look of this.#watchers) look()
  }
}

/** All that a session may do. */
const TRAITS: LinkTraits = {
  batches: false,
  sessions: true,
  standaloneStream: true,
  resumable: true,
  primesStreams: true,
  closingCancels: false,
  versionHeader: 'v',
}

/** One conversation behind the endpoint, from the server's side. */
export interface Talk {
  readonly channel: Channel
  readonly peer: Peer
  readonly handshake: boolean
  readonly heard: Notification[]
}

export interface Stage {
  readonly endpoint: Endpoint
  readonly clock: FakeClock
  readonly talks: readonly Talk[]
  readonly wire: WireEvent[]
  /** Sends a request and gives its reply, whole or not. */
  readonly send: (parts: RequestParts) => FakeReply
  /** The same, when the reply is whole. */
  readonly ask: (parts: RequestParts) => Promise<FakeReply>
  /** Opens a session and gives its id. */
  readonly open: (headers?: RequestParts['headers']) => Promise<string>
}

export interface StageOptions extends EndpointOptions {
  readonly traits?: Partial<LinkTraits>
  /** Answers what is not `open`, which settles the traits. Default: the params, back again. */
  readonly onRequest?: (
    method: string,
    request: InboundRequest,
    talk: Talk,
  ) => JsonObject | Promise<JsonObject>
  /** Whether there are sessions. Default true. */
  readonly sessions?: boolean
}

/** An endpoint in which the method `open` opens a session, a `version` header `alone` means no session, and all else echoes. */
export function stage(options: StageOptions = {}): Stage {
  const { traits, onRequest = () => ({}), sessions = true, ...rest } = options
  const clock = fakeClock()
  const talks: Talk[] = []
  const wire: WireEvent[] = []
  const rules: EndpointRules = {
    sessions,
    speaks: (version) => version !== 'unknown',
    route(reading, version) {
      if (version === 'alone') return 'alone'
      if (version === 'unknown') return { status: 400, reason: 'no such version' }
      const opens =
        'kind' in reading && reading.kind === 'request' && reading.message.method === 'open'
      return opens ? 'opening' : 'session'
    },
    async serve(transport, handshake) {
      const channel = await Channel.open(transport, {
        wire: (event) => void wire.push(event),
        clock,
      })
      const heard: Notification[] = []
      const peer: Peer = new Peer(channel, {
        clock,
        cancels: cancellationOf,
        answersMalformed: () => true,
        onNotification: (notification) => void heard.push(notification),
        onRequest(request, inbound) {
          if (request.method !== 'open') return onRequest(request.method, inbound, talk)
          channel.settle({ ...TRAITS, ...traits })
          return {}
        },
      })
      const talk: Talk = { channel, peer, handshake, heard }
      talks.push(talk)
      await peer.ended
      await channel.close()
    },
  }
  const endpoint = new Endpoint(rules, rest, { clock, random: counting(), logger: silentLogger })
  const send = (parts: RequestParts): FakeReply => {
    const reply = new FakeReply()
    endpoint.handle(fakeRequest(parts), reply)
    return reply
  }
  const ask = async (parts: RequestParts): Promise<FakeReply> => {
    const reply = send(parts)
    await reply.whole()
    return reply
  }
  return {
    endpoint,
    clock,
    talks,
    wire,
    send,
    ask,
    async open(headers = {}) {
      const reply = await ask({ json: request(0, 'open'), headers })
      return reply.headers['mcp-session-id'] ?? ''
    },
  }
}

export function request(id: string | number, method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }
}

export function notification(method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }
}

/** Bytes that differ from call to call. */
function counting(): (bytes: number) => Uint8Array {
  let count = 0
  return (bytes) => {
    count += 1
    const out = new Uint8Array(bytes)
    new DataView(out.buffer).setUint32(0, count)
    return out
  }
}
