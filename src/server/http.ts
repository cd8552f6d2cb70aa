/**
 * A server behind HTTP: what the protocol knows about a POST that the transport does not. // VERS-08
 *
 * A message with an envelope stands for itself, `initialize` begins a session, and all else belongs to the session that it
 * names. Everything that is HTTP's own is decided below, in `transport/http`.
 */

import type { TextReading } from '../jsonrpc/link.ts'
import { PROTOCOL_VERSION_KEY, metaOf } from '../protocol/meta.ts'
import { eraOf, isRevision, type Revision } from '../protocol/revision.ts'
import { Endpoint } from '../transport/http/endpoint.ts'
import type { EndpointOptions, EndpointRules, Route } from '../transport/http/endpoint-options.ts'
import { WRONG_VERSION } from '../transport/http/endpoint-refusals.ts'
import { fetchHandler } from '../transport/http/fetch-handler.ts'
import type { ServerReply, ServerRequest } from '../transport/http/server-request.ts'
import type { Server } from './server.ts'

export interface HttpServerOptions extends Omit<EndpointOptions, 'anyHost'> {
  /**
   * Accepts any `Host` when `allowedHosts` is not given. For a server behind something else that looks at it; a browser on
   * the machine can otherwise be made to call it by any page. Default false.
   */
  readonly dangerouslyOpen?: boolean | undefined
}

/** A server that answers HTTP requests, in every revision that it serves. */
export interface HttpHandler {
  /** Answers one request. For runtimes and frameworks that speak in `Request` and `Response`. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Takes one request from a carrier of another kind: `nodeListener` calls this. Never throws. */
  handle(request: ServerRequest, reply: ServerReply): void
  /** Sessions that live. */
  readonly sessions: number
  /** Ends sessions and streams in order; requests that come later are refused. May be called more than once. */
  close(): Promise<void>
}

/**
 * Puts a server behind HTTP. Closed by default: only calls to this machine by its own names, and no pages but its own. One
 * server may have several handlers, and other links beside them.
 */
export function httpHandler(server: Server, options: HttpServerOptions = {}): HttpHandler {
  const { dangerouslyOpen = false, ...rest } = options
  const { clock, random, logger } = server.settings
  const group = {}
  const endpoint = new Endpoint(
    new Rules(server, group),
    { ...rest, anyHost: dangerouslyOpen && rest.allowedHosts === undefined },
    { clock, random, logger: logger.module('http') },
  )
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    endpoint.shut()
    await server.close(group)
    await endpoint.close()
  }
  return {
    fetch: fetchHandler(endpoint, clock),
    handle: (request, reply) => endpoint.handle(request, reply),
    get sessions() {
      return endpoint.sessions
    },
    close: () => (closing ??= close()),
  }
}

class Rules implements EndpointRules {
  readonly sessions: boolean
  readonly #server: Server
  readonly #group: object
  readonly #legacy: ReadonlySet<string>

  constructor(server: Server, group: object) {
    const { revisions } = server.settings
    this.#server = server
    this.#group = group
    this.#legacy = new Set<Revision>(revisions.filter((one) => eraOf(one) === 'legacy'))
    this.sessions = this.#legacy.size > 0
  }

  speaks(version: string): boolean {
    return this.#legacy.has(version)
  }

  route(reading: TextReading, version: string | undefined, inSession: boolean): Route {
    if (!this.sessions || hasEnvelope(reading) || namesModern(version)) return 'alone'
    if (isOpening(reading)) return inSession ? 'session' : 'opening'
    if (version === undefined || this.speaks(version)) return 'session'
    // A version that nobody knows is no sign of a session, unless one is named. // HTTP-37, VERS-05
    return inSession || isRevision(version) ? WRONG_VERSION : 'alone'
  }

  serve(...[transport, handshake]: Parameters<EndpointRules['serve']>): Promise<void> {
    return this.#server.accept(transport, { handshake, group: this.#group })
  }
}

/** Whether a message says by itself who sends it. // META-06 */
function hasEnvelope(reading: TextReading): boolean {
  if (!('kind' in reading)) return false
  if (reading.kind !== 'request' && reading.kind !== 'notification') return false
  return metaOf(reading.message.params)?.[PROTOCOL_VERSION_KEY] !== undefined
}

function namesModern(version: string | undefined): boolean {
  return isRevision(version) && eraOf(version) === 'modern'
}

function isOpening(reading: TextReading): boolean {
  return 'kind' in reading && reading.kind === 'request' && reading.message.method === 'initialize'
}
