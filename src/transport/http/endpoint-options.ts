/** What an endpoint can be told, what it must be told, and the defaults. */

import type { Clock, Random } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import type { TextReading, Transport } from '../../jsonrpc/link.ts'
import type { AuthFacts } from '../../jsonrpc/wire.ts'
import { MemoryEventStore, type EventStore } from './event-store.ts'
import type { GuardOptions } from './guard-options.ts'
import { Pulse } from './pulse.ts'
import type { ServerRequest } from './server-request.ts'
import type { SessionLimits } from './sessions.ts'
import type { SsePaths } from './sse-endpoint.ts'
import type { Refusal } from './visit.ts'
import type { World } from './world.ts'

/** Where a POSTed message belongs: to the session it names, to a new one, to none; or why it is refused. */
export type Route = 'session' | 'opening' | 'alone' | Refusal

/** What the owner of an endpoint knows of the protocol. */
export interface EndpointRules {
  /** Whether there may be sessions at all. */
  readonly sessions: boolean
  /** Called once for each POST. `version` is the header of that name, `inSession` whether a session was named. */
  route(reading: TextReading, version: string | undefined, inSession: boolean): Route
  /** Whether a session may be spoken to in this version. // HTTP-37 */
  speaks(version: string): boolean
  /** Serves a link until it is gone. `handshake` is false for one request that stands for itself. */
  serve(transport: Transport, handshake: boolean): Promise<void>
}

/** Looks at the credentials of a request. Nothing means that nobody is let in, and so does a throw. */
export type Authenticate = (
  request: ServerRequest,
) => AuthFacts | undefined | Promise<AuthFacts | undefined>

export interface EndpointOptions extends GuardOptions {
  /** The one path that is served. Default: any, as under a router that has looked at it. */
  readonly path?: string | undefined
  /** Also serves clients of the old HTTP+SSE transport, on two further paths. Default false. // HSSE-06 */
  readonly legacySse?: boolean | SsePaths | undefined
  /** Default: everybody is let in, and nobody is known. */
  readonly authenticate?: Authenticate | undefined
  /** The value of `WWW-Authenticate` for whoever is not let in. Default `Bearer`. */
  readonly challenge?: string | undefined
  /** Longest body, in bytes. Default 4 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** Requests and streams that may be open in all. Default 4,096. */
  readonly maxOpen?: number | undefined
  /** Requests of one session that may be open. Default 256. */
  readonly maxSessionStreams?: number | undefined
  /** Sessions at once. Idle ones make room for new ones, the longest idle first. Default 10,000. */
  readonly maxSessions?: number | undefined
  /** Time without any request or open stream after which a session ends, in ms. Default 30 min. */
  readonly sessionIdleMs?: number | undefined
  /** Time after which a session ends, whatever happens in it, in ms. Default 8 h. */
  readonly sessionMaxMs?: number | undefined
  /** Bytes that may wait for the reader of a stream before it is cut off. Default 1 MiB. */
  readonly maxUnsentBytes?: number | undefined
  /** Silence on a stream after which it gets a comment, in ms. Default 15 s. // HTTP-80 */
  readonly keepAliveMs?: number | undefined
  /** How long the client of a broken stream is asked to wait before it comes again, in ms. Default 1 s. // HTTP-16 */
  readonly retryMs?: number | undefined
  /** Where events of streams are kept that may be taken up again. Default: a bounded memory of this process. */
  readonly eventStore?: EventStore | undefined
}

/** What an endpoint needs of its surroundings. */
export interface EndpointParts {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

const MEBIBYTE = 1024 * 1024
const MINUTE = 60_000

export function maxBodyOf(options: EndpointOptions): number {
  return options.maxBodyBytes ?? 4 * MEBIBYTE
}

export function maxOpenOf(options: EndpointOptions): number {
  return options.maxOpen ?? 4096
}

export function worldOf(options: EndpointOptions, { clock, logger }: EndpointParts): World {
  return {
    pulse: new Pulse(clock),
    load: { open: 0 },
    store: options.eventStore ?? new MemoryEventStore(),
    logger,
    maxUnsentBytes: options.maxUnsentBytes ?? MEBIBYTE,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    retryMs: options.retryMs ?? 1000,
    maxSessionStreams: options.maxSessionStreams ?? 256,
  }
}

export function sessionLimitsOf(options: EndpointOptions): SessionLimits {
  return {
    maxSessions: options.maxSessions ?? 10_000,
    sessionIdleMs: options.sessionIdleMs ?? 30 * MINUTE,
    sessionMaxMs: options.sessionMaxMs ?? 8 * 60 * MINUTE,
  }
}
