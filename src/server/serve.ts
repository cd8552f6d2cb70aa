/**
 * One link of a server: which revision each request speaks, and who answers it.
 *
 * A request with an envelope is served by what the envelope says and by nothing else; `initialize` opens the legacy
 * era for this link. Both may be used side by side. // VERS-08, RPC-23
 */

import type { Clock } from '../base/clock.ts'
import { describeError, RpcRefusal, TransportError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Logger } from '../base/log.ts'
import type { Roster, Seated } from '../base/roster.ts'
import { Channel } from '../jsonrpc/channel.ts'
import type { InboundRequest } from '../jsonrpc/inbound-request.ts'
import type { Transport } from '../jsonrpc/link.ts'
import {
  INVALID_REQUEST,
  type Notification,
  type Request,
  type RequestId,
} from '../jsonrpc/message.ts'
import { Peer, type Answer, type EncodedError, type PeerOptions } from '../jsonrpc/peer.ts'
import type { Facts, WireSink } from '../jsonrpc/wire.ts'
import { cancellationOf } from '../protocol/cancellation.ts'
import { dialectFor, NEWEST_MODERN } from '../protocol/dialects/index.ts'
import { readClientCapabilities, readImplementation } from '../protocol/decode.ts'
import type { ClientFacts, Dialect } from '../protocol/dialect.ts'
import { envelopeRevision } from '../protocol/envelope.ts'
import { errorObject, invalidParams, noEnvelope, unsupportedVersion } from '../protocol/errors.ts'
import { checkHeaders } from '../protocol/headers.ts'
import { eraOf, isRevision, type Revision } from '../protocol/revision.ts'
import type { ChangeNotice } from './changes.ts'
import { dispatch } from './dispatch.ts'
import { ElicitationIds } from './elicitation-ids.ts'
import type { Sender } from './sender.ts'
import type { LinkState, Served } from './served.ts'
import { Subscriptions } from './subscriptions.ts'

/** What one link knows of its legacy session, once there is one. */
interface LegacySession {
  readonly dialect: Dialect
  readonly client: ClientFacts
  /** The client said `notifications/initialized`: until then the server starts nothing. // LIFE-06 */
  initialized: boolean
}

export interface ServeOptions {
  readonly wire: WireSink | undefined
  readonly maxMessageBytes: number | undefined
  /** Whether `initialize` opens a session on this link. Not where a link carries one request. // VERS-08 */
  readonly handshake: boolean
  /** Where it is to be found as soon as it can be told anything, for its group. */
  readonly links: Roster<ServedLink>
  readonly group: object | undefined
}

/** A link as the server sees it. */
export interface ServedLink extends Seated {
  /** Whom it was accepted for. */
  readonly group: object | undefined
  /** Tells a change to whoever asked for it on this link. */
  tell(notice: ChangeNotice): void
  /** Tells that a visit by URL is over, if this client was asked for it. // ELIC-16 */
  tellVisited(elicitationId: string): void
  /** Settles when the far side is gone, or the link was closed here; never rejects. */
  readonly ended: Promise<void>
  /** Lets go of the carrier, once it has ended. */
  release(): Promise<void>
  /** Ends it in order. */
  close(): Promise<void>
}

/** Opens one link and serves it until it has ended. Rejects when it cannot be opened. */
export async function serveLink(
  server: Served,
  transport: Transport,
  { wire, maxMessageBytes, handshake, links, group }: ServeOptions,
): Promise<ServedLink> {
  const { clock } = server.settings
  const channel = await Channel.open(transport, { wire, maxMessageBytes, clock })
  const conversation = new Conversation(server, channel, { handshake, group })
  links.add(conversation)
  return conversation
}

/** There may be thousands: it is what its peer asks, so that no closure is made for each question. */
class Conversation implements ServedLink, PeerOptions {
  /** Among the links of the server. */
  seat: number = -1
  readonly group: object | undefined
  readonly #server: Served
  readonly #channel: Channel
  readonly #peer: Peer
  readonly #subscriptions: Subscriptions
  readonly #link: LinkState
  readonly #handshake: boolean
  #session: LegacySession | undefined

  constructor(
    server: Served,
    channel: Channel,
    { handshake, group }: Pick<ServeOptions, 'handshake' | 'group'>,
  ) {
    this.group = group
    this.#server = server
    this.#channel = channel
    this.#handshake = handshake
    this.#subscriptions = new Subscriptions(server.settings)
    this.#peer = new Peer(channel, this)
    this.#link = {
      peer: this.#peer,
      subscriptions: this.#subscriptions,
      elicitations: new ElicitationIds(),
      logLevel: undefined,
      initialized: () => this.#session?.initialized === true,
    }
  }

  get clock(): Clock {
    return this.#server.settings.clock
  }

  get logger(): Logger {
    return this.#server.settings.logger
  }

  get maxActive(): number {
    return this.#server.settings.maxActive
  }

  get ended(): Promise<void> {
    return this.#peer.ended
  }

  release(): Promise<void> {
    return this.#channel.close()
  }

  tell(notice: ChangeNotice): void {
    this.#subscriptions.tell(notice)
    const session = this.#session
    if (session?.initialized !== true || session.dialect.traits.changes !== 'broadcast') return
    if (!('uri' in notice)) this.#say(notice.method)
    else if (this.#subscriptions.watches(notice)) this.#say(notice.method, { uri: notice.uri }) // RES-05
  }

  tellVisited(elicitationId: string): void {
    if (this.#link.elicitations.take(elicitationId))
      this.#say('notifications/elicitation/complete', { elicitationId })
  }

  async close(): Promise<void> {
    const reason = 'the server ends'
    await this.#subscriptions.endAll((requestId) =>
      this.#say('notifications/cancelled', { requestId, reason }),
    )
    await this.#channel.drained()
    await this.#peer.close()
  }

  /** A notification that may find nobody there. */
  #say(method: string, params?: JsonObject): void {
    try {
      this.#peer.notify(method, params)
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      this.#server.settings.logger.debug('a notification found nobody', {
        method,
        error: error.message,
      })
    }
  }

  onRequest(request: Request, inbound: InboundRequest): Answer | Promise<Answer> {
    const named = envelopeRevision(request)
    if (named !== undefined)
      return this.#dispatch(this.#modern(named, request, inbound), request, inbound)
    if (request.method === 'initialize' && this.#opensBy(request, inbound))
      return this.#initialize(request)
    const session = this.#session
    if (session !== undefined) return this.#dispatch(session.dialect, request, inbound)
    if (request.method === 'ping' && this.#handshake) return {} // PING-01
    inbound.memo = NEWEST_MODERN
    throw noEnvelope() // ERR-15
  }

  /** Throws for a handshake when no revision that is served has one. // VERS-19 */
  #opensBy({ params }: Request, inbound: InboundRequest): boolean {
    const { revisions } = this.#server.settings
    if (revisions.some((revision) => eraOf(revision) === 'legacy')) return this.#handshake
    inbound.memo = NEWEST_MODERN
    const offered = params?.['protocolVersion']
    throw unsupportedVersion(typeof offered === 'string' ? offered : '', revisions)
  }

  /** The dialect that an envelope names; decided anew for each request. // VERS-05 */
  #modern(named: string, request: Request, inbound: InboundRequest): Dialect {
    const { revisions } = this.#server.settings
    if (isRevision(named) && eraOf(named) === 'modern' && revisions.includes(named))
      return dialectFor(named)
    inbound.memo = NEWEST_MODERN
    // A header that names another version is the greater fault. // HTTP-88
    if (inbound.facts?.headers !== undefined) checkHeaders(request, inbound.facts.headers)
    throw unsupportedVersion(named, revisions.toReversed()) // ERR-08
  }

  #dispatch(dialect: Dialect, request: Request, inbound: InboundRequest): Answer | Promise<Answer> {
    inbound.memo = dialect
    const decoded = dialect.decodeRequest(request, inbound.facts)
    // A request with an envelope speaks for itself, any other for its session. // RPC-23
    const sender: Sender = decoded.enveloped ? decoded : (this.#session ?? decoded)
    return dispatch(this.#server, {
      dialect,
      sender,
      inbound: decoded,
      request: inbound,
      link: this.#link,
    })
  }

  #initialize(request: Request): Answer {
    if (this.#session !== undefined)
      throw new RpcRefusal(INVALID_REQUEST, 'This session is initialized already')
    const { params = {} } = request
    const offered = params['protocolVersion']
    if (typeof offered !== 'string') throw invalidParams('initialize needs a "protocolVersion"') // LIFE-02
    const revision = this.#legacyRevision(offered)
    const dialect = dialectFor(revision)
    const client: ClientFacts = {
      revision,
      era: dialect.era,
      info: readImplementation(params['clientInfo']),
      capabilities: readClientCapabilities(params['capabilities']),
    }
    this.#session = { dialect, client, initialized: false }
    this.#channel.settle(dialect.link)
    return dialect.welcome(this.#server.identity())
  }

  /** What was offered if it is served, else the newest that is. // VERS-02, VERS-19 */
  #legacyRevision(offered: string): Revision {
    const served = this.#server.settings.revisions.filter(
      (revision) => eraOf(revision) === 'legacy',
    )
    const newest = served.at(-1)
    if (newest === undefined) throw unsupportedVersion(offered, this.#server.settings.revisions)
    return isRevision(offered) && served.includes(offered) ? offered : newest
  }

  onNotification({ method, params }: Notification, facts: Facts | undefined): void {
    const session = this.#session
    if (method === 'notifications/initialized' && session !== undefined) session.initialized = true
    this.#server.heard(method, params, { client: session?.client, auth: facts?.auth })
  }

  belongsTo(notification: Notification): RequestId | undefined {
    return this.#session?.dialect.exchangeOf(notification)
  }

  cancels(notification: Notification): ReturnType<typeof cancellationOf> {
    return cancellationOf(notification)
  }

  cancel(requestId: RequestId, reason: string): void {
    this.#peer.notify('notifications/cancelled', { requestId, reason })
  }

  /** // STDIO-21 */
  answersMalformed(): boolean {
    return true
  }

  /** // RPC-08 */
  nullId(): boolean {
    return this.#session?.dialect.traits.unreadId !== 'none'
  }

  encodeError(error: unknown, { memo }: InboundRequest): EncodedError {
    if (!(error instanceof RpcRefusal)) {
      this.#server.settings.logger.error('a request failed unexpectedly', {
        error: describeError(error),
      })
    }
    const dialect = (memo as Dialect | undefined) ?? this.#session?.dialect // only this class writes memos
    return dialect?.encodeError(error) ?? { error: errorObject(error) }
  }
}
