/**
 * A server behind HTTP: what the protocol knows about a POST that the transport does not. // VERS-08
 *
 * A message with an envelope stands for itself, `initialize` begins a session, and all else belongs to the session that it
 * names. Everything that is HTTP's own is decided below, in `transport/http`. Loaded with the first handler.
 */

import type { TextReading } from '../jsonrpc/link.ts'
import { PROTOCOL_VERSION_KEY, metaOf } from '../protocol/meta.ts'
import { eraOf, isRevision, type Revision } from '../protocol/revision.ts'
import { Endpoint } from '../transport/http/endpoint.ts'
import type { EndpointOptions, EndpointRules, Route } from '../transport/http/endpoint-options.ts'
import { WRONG_VERSION } from '../transport/http/endpoint-refusals.ts'
import { fetchHandler } from '../transport/http/fetch-handler.ts'
import type { Server } from './server.ts'

/** An endpoint, and the same for those who speak in `Request` and `Response`. */
export interface HttpServing {
  readonly endpoint: Endpoint
  readonly fetch: (request: Request) => Promise<Response>
}

/** Puts a server on an endpoint. Its links belong to `group`. */
export function serveEndpoint(
  server: Server,
  options: EndpointOptions,
  group: object,
): HttpServing {
  const { clock, random, logger } = server.settings
  const rules = new Rules(server, group)
  const endpoint = new Endpoint(rules, options, { clock, random, logger: logger.module('http') })
  return { endpoint, fetch: fetchHandler(endpoint, clock) }
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
