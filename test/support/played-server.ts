/**
 * A server as a client meets it over HTTP, in memory and in the hands of a test: a stream for each request, headers, single
 * requests that fail while the link goes on, and links that are opened one after the other.
 */
import type { Sent } from '../../src/base/errors.ts'
import { HttpError } from '../../src/base/errors.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { JsonText } from '../../src/base/json.ts'
import type { Link, LinkPort, Outbound, Transport } from '../../src/jsonrpc/link.ts'
import type { RequestId } from '../../src/jsonrpc/message.ts'
import { dialectFor } from '../../src/protocol/dialects/index.ts'
import type { Revision } from '../../src/protocol/revision.ts'
import type { ServerCapabilities } from '../../src/protocol/types/common.ts'

/** One message of the client. */
export interface Heard {
  readonly method: string
  readonly id: RequestId | undefined
  readonly params: JsonObject
  /** Mirror headers that came with it. */
  readonly headers: Readonly<Record<string, string>>
  /** Which link it came by, counted from 1. */
  readonly link: number
}

export interface Asked extends Heard {
  readonly id: RequestId
  result(result: JsonObject): void
  error(code: number, message: string, data?: JsonObject): void
  /** No answer comes: what carried the request failed. */
  fail(error: Error): void
  /** Says something on the stream of this request. */
  say(method: string, params?: JsonObject): void
}

export interface PlayedServer {
  readonly transport: Transport
  /** Everything that came, in order. */
  readonly heard: readonly Heard[]
  /** Requests of one method that came. */
  of(method: string): readonly Heard[]
  /** How often it was opened. */
  readonly opens: number
  /** Links that are open. */
  readonly open: number
  /** Says something on the newest link. */
  say(message: JsonObject): void
  /** Ends the newest link. */
  end(reason?: Error): void
  /** Resolves once so many requests of the method have come. */
  until(method: string, count: number): Promise<void>
  /** What receipts say. Default `yes`. */
  sent: Sent
  /** Thrown by the next openings, the first first. */
  readonly refusals: Error[]
}

export interface PlayedOptions {
  readonly revision?: Revision
  readonly capabilities?: ServerCapabilities
  /** Default true. */
  readonly perRequest?: boolean
  /** Default true. */
  readonly reopens?: boolean
  readonly name?: string
}

/** `answer` is asked about everything but the opening and notifications; give false for "as usual". */
export function playedServer(
  answer: (asked: Asked) => unknown,
  options: PlayedOptions = {},
): PlayedServer {
  const { revision = '2025-11-25', capabilities = { tools: { listChanged: true } } } = options
  const dialect = dialectFor(revision)
  const heard: Heard[] = []
  const waits: { method: string; count: number; resolve: () => void }[] = []
  const ports: LinkPort[] = []
  const closed = new Set<LinkPort>()
  const of = (method: string): readonly Heard[] => heard.filter((one) => one.method === method)

  const take = (port: LinkPort, link: number, outbound: Outbound): void => {
    const message = JSON.parse(outbound.text) as JsonObject // the client writes JSON objects
    const { id, method, params } = message
    if (typeof method !== 'string') return
    const one: Heard = {
      method,
      id: id as RequestId | undefined, // the client writes nothing else
      params: (params ?? {}) as JsonObject, // likewise
      headers: outbound.facts?.headers ?? {},
      link,
    }
    heard.push(one)
    for (const wait of waits) if (of(wait.method).length >= wait.count) wait.resolve()
    if (one.id === undefined) return
    const say = (told: object): void => {
      if (!closed.has(port)) void port.text(JSON.stringify({ jsonrpc: '2.0', ...told }))
    }
    const asked: Asked = {
      ...one,
      id: one.id,
      result: (result) => say({ id, result }),
      error: (code, text, data) =>
        say({ id, error: { code, message: text, ...(data && { data }) } }),
      fail: (error) => port.failed(asked.id, error),
      say: (notice, told) => say({ method: notice, ...(told && { params: told }) }),
    }
    queueMicrotask(() => {
      if (answer(asked) === false) usual(asked)
    })
  }

  const usual = (asked: Asked): void => {
    const self = {
      info: { name: 'played', version: '1' },
      capabilities,
      revisions: [revision],
      ttlMs: 0,
      cacheScope: 'private',
    } as const
    if (asked.method === (dialect.era === 'modern' ? 'server/discover' : 'initialize')) {
      const outcome = { kind: 'complete', result: dialect.welcome(self) } as const
      const written = dialect.encodeResult(asked.method, outcome, self)
      return asked.result(
        written instanceof JsonText ? (JSON.parse(written.text) as JsonObject) : written,
      ) // a result is an object
    }
    if (asked.method === 'ping') return asked.result({})
    asked.error(-32601, `Nobody plays ${asked.method}`)
  }

  const server: PlayedServer = {
    heard,
    of,
    sent: 'yes',
    refusals: [],
    get opens() {
      return ports.length
    },
    get open() {
      return ports.length - closed.size
    },
    say: (message) => void ports.at(-1)?.text(JSON.stringify(message)),
    end: (reason) => {
      const port = ports.at(-1)
      if (port === undefined || closed.has(port)) return
      closed.add(port)
      port.closed(reason)
    },
    until: (method, count) =>
      new Promise((resolve) => {
        if (of(method).length >= count) resolve()
        else waits.push({ method, count, resolve })
      }),
    transport: {
      name: options.name ?? 'played',
      reopens: options.reopens ?? true,
      open(port) {
        const refusal = server.refusals.shift()
        if (refusal !== undefined) return Promise.reject(refusal)
        ports.push(port)
        const link = ports.length
        const made: Link = {
          perRequest: options.perRequest ?? true,
          backlogMessages: 0,
          backlogBytes: 0,
          write(outbound) {
            if (closed.has(port)) return { sent: 'no' }
            const receipt = { sent: server.sent }
            queueMicrotask(() => take(port, link, outbound))
            return receipt
          },
          drained: () => Promise.resolve(),
          abandon: () => dialect.link.closingCancels,
          close() {
            if (closed.has(port)) return Promise.resolve()
            closed.add(port)
            port.closed()
            return Promise.resolve()
          },
        }
        return Promise.resolve(made)
      },
    },
  }
  return server
}

/** What a carrier says when the server does not know the session any more. */
export function sessionLost(): HttpError {
  return new HttpError('DP_TRANSPORT_SESSION', 'The session is gone.', { status: 404, sent: 'yes' })
}
