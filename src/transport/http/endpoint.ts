/**
 * The server's end of HTTP: from a request to the link it belongs to, whatever carries the request. // HTTP-01
 *
 * It checks what is HTTP's own (who may come in, who asks, kinds of media, sizes, sessions) and reads each body once. What
 * a message means for this it asks its owner: whether it stands for itself, and which versions are spoken. // HTTP-88
 */

import { describeError } from '../../base/errors.ts'
import { accepts, mediaTypeOf } from '../../formats/media-type.ts'
import { isBatch, readText } from '../../jsonrpc/channel.ts'
import type { Transport } from '../../jsonrpc/link.ts'
import type { AuthFacts } from '../../jsonrpc/wire.ts'
import {
  maxBodyOf,
  maxOpenOf,
  sessionLimitsOf,
  worldOf,
  type EndpointOptions,
  type EndpointParts,
  type EndpointRules,
} from './endpoint-options.ts'
import * as refusals from './endpoint-refusals.ts'
import { Guard, preflightHeaders } from './guard.ts'
import { idIn, type Posted } from './posted.ts'
import type { RequestBody, ServerReply, ServerRequest } from './server-request.ts'
import { SESSION_HEADER, SESSION_UNKNOWN, SessionLink } from './session-link.ts'
import { Sessions } from './sessions.ts'
import { SseEndpoint } from './sse-endpoint.ts'
import { StatelessLink } from './stateless-link.ts'
import { Visit } from './visit.ts'
import type { World } from './world.ts'

const VERSION_HEADER = 'mcp-protocol-version'
/** Headers that repeat what a message says begin with it. So does the one that names a session, which says nothing. */
const MIRROR_PREFIX = 'mcp-'

export class Endpoint {
  readonly #rules: EndpointRules
  readonly #options: EndpointOptions
  readonly #parts: EndpointParts
  readonly #guard: Guard
  readonly #world: World
  readonly #sessions: Sessions
  readonly #sse: SseEndpoint | undefined
  readonly #maxBodyBytes: number
  readonly #maxOpen: number
  /** The `Accept` and the type that were found good last: most requests have the same. */
  #accepted: string | undefined
  #typed: string | undefined
  #closed = false

  /** Throws `UsageError` for a host or an origin that could never match. */
  constructor(rules: EndpointRules, options: EndpointOptions, parts: EndpointParts) {
    const { legacySse = false } = options
    this.#rules = rules
    this.#options = options
    this.#parts = parts
    this.#guard = new Guard(options)
    this.#world = worldOf(options, parts)
    this.#sessions = new Sessions(this.#world, sessionLimitsOf(options), parts.random)
    this.#maxBodyBytes = maxBodyOf(options)
    this.#maxOpen = maxOpenOf(options)
    if (legacySse === false) return
    this.#sse = new SseEndpoint(legacySse === true ? {} : legacySse, {
      sessions: this.#sessions,
      serve: (link) => this.#serve(link, true),
    })
  }

  /** Sessions that live, those of the old transport among them. */
  get sessions(): number {
    return this.#sessions.size
  }

  /** Requests and streams that are open. */
  get open(): number {
    return this.#world.load.open
  }

  /** Takes one request and sees to its reply. Never throws. */
  handle(request: ServerRequest, reply: ServerReply): void {
    const verdict = this.#guard.check(request)
    const cors = verdict.kind === 'passed' ? verdict.cors : undefined
    const visit = new Visit(request, reply, cors)
    if (verdict.kind === 'refused') return visit.refuse(verdict)
    if (this.#closed) return visit.refuse(refusals.CLOSED)
    if (request.method === 'OPTIONS' && cors !== undefined)
      return visit.answer(204, undefined, preflightHeaders(request, cors))
    this.#identify(visit)
  }

  /** From now on requests are refused; those under way go on. */
  shut(): void {
    this.#closed = true
  }

  /** Ends every session, stream and timer. Requests that come later are refused. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#sessions.closeAll()
    this.#world.pulse.stop()
  }

  /** Nobody is let in whose credentials could not be checked. // HTTP-05 */
  #identify(visit: Visit): void {
    const { authenticate, challenge = 'Bearer' } = this.#options
    const failed = (error: unknown): void => this.#failed(visit, error)
    const letIn = (auth: AuthFacts | undefined): void => {
      if (auth === undefined) return visit.refuse(refusals.unknownCaller(challenge))
      visit.auth = auth
      this.#enter(visit)
    }
    try {
      if (authenticate === undefined) return this.#enter(visit)
      const auth = authenticate(visit.request)
      if (auth instanceof Promise) auth.then(letIn).catch(failed)
      else letIn(auth)
    } catch (error) {
      failed(error)
    }
  }

  #enter(visit: Visit): void {
    const { target, method } = visit.request
    const query = target.indexOf('?')
    const path = query < 0 ? target : target.slice(0, query)
    const sse = this.#sse
    if (sse !== undefined && path === sse.path) {
      if (method !== 'GET') return visit.refuse(refusals.ONLY_GET)
      return this.#acceptsEvents(visit) ? sse.open(visit) : visit.refuse(refusals.NO_EVENTS)
    }
    if (sse !== undefined && path === sse.messagesPath) {
      if (method !== 'POST') return visit.refuse(refusals.ONLY_POST)
      return this.#read(visit, (posted) => sse.post(visit, posted))
    }
    if (this.#options.path !== undefined && path !== this.#options.path)
      return visit.refuse(refusals.NOTHING_HERE)
    if (method !== 'POST') return this.#attend(visit)
    if (!this.#acceptsAnswers(visit)) return visit.refuse(refusals.NO_ANSWER)
    this.#read(visit, (posted) => this.#post(visit, posted))
  }

  /** GET and DELETE, which only a session has. // HTTP-21, HTTP-33 */
  #attend(visit: Visit): void {
    const { request } = visit
    const { sessions } = this.#rules
    const id = sessions ? request.header(SESSION_HEADER) : undefined
    const isGet = request.method === 'GET'
    if (id === undefined || (!isGet && request.method !== 'DELETE'))
      return visit.refuse(sessions ? refusals.NO_METHOD : refusals.ONLY_POST)
    const version = request.header(VERSION_HEADER)
    if (version !== undefined && !this.#rules.speaks(version))
      return visit.refuse(refusals.WRONG_VERSION)
    const session = this.#sessions.use(id, visit.auth?.principal)
    if (!(session instanceof SessionLink)) return visit.refuse(SESSION_UNKNOWN)
    if (isGet) {
      if (!this.#acceptsEvents(visit)) return visit.refuse(refusals.NO_EVENTS)
      if (this.#isFull) return visit.refuse(refusals.TOO_MANY_OPEN)
      return session.get(visit, request.header('last-event-id'))
    }
    void session.close()
    visit.answer(204)
  }

  /** Reads a message, or says why it cannot be read. */
  #read(visit: Visit, take: (posted: Posted) => void): void {
    const { request } = visit
    const type = request.header('content-type')
    if (type === undefined || type !== this.#typed) {
      if (mediaTypeOf(type) !== 'application/json') return visit.refuse(refusals.NO_JSON)
      this.#typed = type
    }
    const encoding = request.header('content-encoding')
    if (encoding !== undefined && encoding !== 'identity') return visit.refuse(refusals.ENCODED)
    request.readBody(this.#maxBodyBytes, (body) => {
      try {
        this.#take(visit, body, take)
      } catch (error) {
        this.#failed(visit, error)
      }
    })
  }

  #take(visit: Visit, body: RequestBody, take: (posted: Posted) => void): void {
    if (body.kind !== 'text')
      return visit.refuse(refusals.unreadBody(body.kind, this.#maxBodyBytes))
    if (this.#closed) return visit.refuse(refusals.CLOSED)
    const reading = readText(body.text)
    if (this.#isFull) return visit.refuse(refusals.about(refusals.TOO_MANY_OPEN, idIn(reading)))
    const headers = visit.request.headersWith(MIRROR_PREFIX)
    delete headers[SESSION_HEADER]
    take({ text: body.text, reading, headers })
  }

  #post(visit: Visit, posted: Posted): void {
    const { reading, headers } = posted
    const id = visit.request.header(SESSION_HEADER)
    const route = this.#rules.route(reading, headers[VERSION_HEADER], id !== undefined)
    if (typeof route === 'object') return visit.refuse(refusals.about(route, idIn(reading)))
    if (route === 'alone') return this.#postAlone(visit, posted)
    if (id !== undefined) {
      const session = this.#sessions.use(id, visit.auth?.principal)
      if (session instanceof SessionLink) return session.post(visit, posted)
      return visit.refuse(refusals.about(SESSION_UNKNOWN, idIn(reading))) // HTTP-31
    }
    if (route === 'opening') return this.#openSession(visit, posted)
    if (!isBatch(reading) && reading.kind === 'malformed')
      return visit.refuse(refusals.noMessage(reading))
    visit.refuse(refusals.about(refusals.NO_SESSION, idIn(reading)))
  }

  /** A request, or a notification: nothing else can be said without a session. */
  #postAlone(visit: Visit, posted: Posted): void {
    const { reading } = posted
    if (isBatch(reading)) return visit.refuse(refusals.NO_BATCH)
    if (reading.kind === 'malformed') return visit.refuse(refusals.noMessage(reading))
    if (reading.kind !== 'request' && reading.kind !== 'notification')
      return visit.refuse(refusals.NO_REQUEST)
    this.#serve(new StatelessLink(this.#world, visit, posted), false)
  }

  #openSession(visit: Visit, posted: Posted): void {
    if (!this.#sessions.makeRoom())
      return visit.refuse(refusals.about(refusals.TOO_MANY_SESSIONS, idIn(posted.reading)))
    const session = new SessionLink(this.#sessions.newId(), this.#sessions, { visit, posted })
    this.#sessions.add(session)
    this.#serve(session, true)
  }

  /** Hands a link to whoever serves it. One that cannot be served ends. */
  #serve(link: Transport & { close(): Promise<void> }, handshake: boolean): void {
    this.#rules.serve(link, handshake).catch((error: unknown) => {
      this.#parts.logger.error('a link could not be served', { error: describeError(error) })
      return link.close()
    })
  }

  get #isFull(): boolean {
    return this.#world.load.open >= this.#maxOpen
  }

  #acceptsEvents({ request }: Visit): boolean {
    return accepts(request.header('accept'), 'text/event-stream')
  }

  /** Which of the two an answer will be is not known before it is there. // HTTP-07 */
  #acceptsAnswers({ request }: Visit): boolean {
    const accept = request.header('accept')
    if (accept !== undefined && accept === this.#accepted) return true
    if (!accepts(accept, 'application/json') || !accepts(accept, 'text/event-stream')) return false
    this.#accepted = accept
    return true
  }

  /** A fault of this package or of `authenticate`: told to the log, not to the far side. */
  #failed(visit: Visit, error: unknown): void {
    this.#parts.logger.error('a request failed unexpectedly', { error: describeError(error) })
    visit.refuse(refusals.FAILED)
  }
}
