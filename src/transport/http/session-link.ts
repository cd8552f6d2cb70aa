/**
 * One legacy session as a link: many HTTP requests, one conversation. // HTTP-28
 *
 * Each message goes out on exactly one stream: that of the POST it belongs to, or the one that a client opens for what
 * belongs to no request (HTTP-24). It knows no method; what the agreed revision allows it is told by traits. There are
 * thousands of these at once, so that what most never need is made when it is needed.
 */

import { describeError, TransportError } from '../../base/errors.ts'
import { isBatch } from '../../jsonrpc/channel.ts'
import type {
  Link,
  LinkPort,
  LinkTraits,
  Outbound,
  Receipt,
  Transport,
} from '../../jsonrpc/link.ts'
import type { RequestId } from '../../jsonrpc/message.ts'
import type { Facts } from '../../jsonrpc/wire.ts'
import { readEventId, replayEnded, type Place } from './outlet.ts'
import { expectsAnswer, factsOf, idIn, type Posted } from './posted.ts'
import { SessionPost } from './session-post.ts'
import { STANDALONE, StandaloneStream, type StandaloneOwner } from './standalone-stream.ts'
import type { Refusal, Visit } from './visit.ts'
import type { World } from './world.ts'

export const SESSION_HEADER = 'mcp-session-id'
/** // HTTP-31 */
export const SESSION_UNKNOWN: Refusal = {
  status: 404,
  reason: 'There is no such session, or it has ended: begin a new one with initialize',
}
const UNKNOWN_EVENT: Refusal = {
  status: 400,
  reason: 'Last-Event-ID names no event that is kept here: what was missed cannot be told again',
}
const SENT: Receipt = { sent: 'yes' }
const KEPT: Receipt = { sent: 'maybe' }
const NOT_SENT: Receipt = { sent: 'no' }

const TOO_MANY: Refusal = {
  status: 429,
  reason: 'Too many requests of this session are being answered: wait for one of them',
  headers: { 'retry-after': '1' },
}
const NO_STREAM: Refusal = {
  status: 405,
  reason: 'The agreed revision has no stream to be opened by GET',
  headers: { allow: 'POST, DELETE' },
}
const TWO_STREAMS: Refusal = {
  status: 409,
  reason: 'The stream of this session is open already: end that connection first',
}

/** The POST that opens a session. */
export interface Opening {
  readonly visit: Visit
  readonly posted: Posted
}

/** Whoever keeps sessions. */
export interface SessionKeeper {
  readonly world: World
  /** Called once: nothing of the session is left. */
  remove(session: SessionLink): void
}

export class SessionLink implements Link, Transport, StandaloneOwner {
  readonly id: string
  /** Who opened it: nobody else is let in. */
  readonly principal: string | undefined
  /** Clock times, in ms. */
  readonly openedAt: number
  usedAt: number
  readonly #keeper: SessionKeeper
  #first: Opening | undefined
  #port: LinkPort | undefined
  #traits: LinkTraits | undefined
  #posts: SessionPost[] | undefined
  #standalone: StandaloneStream | undefined
  #serial = 0
  #welcomed = false
  #closed = false

  /** `first` is the POST that opens it: handed over as soon as the conversation can hear it. */
  constructor(id: string, keeper: SessionKeeper, first: Opening) {
    const now = keeper.world.pulse.clock.now()
    this.id = id
    this.principal = first.visit.auth?.principal
    this.openedAt = now
    this.usedAt = now
    this.#keeper = keeper
    this.#first = first
  }

  get name(): string {
    return 'http'
  }

  get world(): World {
    return this.#keeper.world
  }

  get perRequest(): boolean {
    return true
  }

  /** A stream that is not read is cut off, so that nothing piles up behind this. */
  get backlogMessages(): number {
    return 0
  }

  get backlogBytes(): number {
    return 0
  }

  get resumable(): boolean {
    return this.#traits?.resumable === true
  }

  get primes(): boolean {
    return this.#traits?.primesStreams === true && this.resumable
  }

  /** Whether a request is being answered or the standalone stream is open. */
  get busy(): boolean {
    return (this.#posts?.length ?? 0) > 0 || this.#standalone?.outlet.attached === true
  }

  open(port: LinkPort): Promise<Link> {
    const first = this.#first
    this.#first = undefined
    this.#port = port
    if (first !== undefined) this.post(first.visit, first.posted)
    return Promise.resolve(this)
  }

  settle(traits: LinkTraits): void {
    this.#traits = traits
  }

  /** One POSTed text. */
  post(visit: Visit, posted: Posted): void {
    const port = this.#port
    if (port === undefined || this.#closed) return visit.refuse(SESSION_UNKNOWN)
    const { text, reading } = posted
    if (!expectsAnswer(reading, this.#traits?.batches === true))
      return this.#hear(visit, posted, port)
    const posts = (this.#posts ??= [])
    if (posts.length >= this.world.maxSessionStreams)
      return visit.refuse({ ...TOO_MANY, id: idIn(reading) })
    this.#serial += 1
    const post = new SessionPost(this.#serial.toString(36), visit, this)
    posts.push(post)
    void port.text(text, factsOf(posted, post.name, visit.auth), reading)
  }

  /** A GET: the standalone stream, or one that broke. // HTTP-20, HTTP-21, HTTP-26 */
  get(visit: Visit, lastEventId: string | undefined): void {
    if (this.#closed) return visit.refuse(SESSION_UNKNOWN)
    if (lastEventId !== undefined && this.resumable)
      return this.#resume(visit, readEventId(lastEventId))
    if (this.#traits?.standaloneStream !== true) return visit.refuse(NO_STREAM)
    this.#standalone ??= new StandaloneStream(this)
    if (this.#standalone.outlet.attached) return visit.refuse(TWO_STREAMS)
    this.#standalone.listen(visit)
  }

  write({ text, kind, id, facts }: Outbound): Receipt {
    if (this.#closed) return NOT_SENT
    if (kind === 'answer') return this.#answer(text, facts)
    const asked = kind === 'request' ? id : undefined
    const exchange = facts?.exchange
    if (exchange === undefined) return this.#sayAlone(text, asked)
    if (this.#postOf(exchange)?.say(text) === true) return SENT
    this.dropped(asked)
    return NOT_SENT
  }

  drained(): Promise<void> {
    return Promise.resolve()
  }

  /** A question that nobody was told yet needs no notice that it is given up. */
  abandon(id: RequestId): boolean {
    return this.#standalone?.retract(id) === true
  }

  unanswered(_id: RequestId, facts: Facts | undefined): void {
    this.#take(facts)?.drop()
  }

  pauseStream(facts: Facts | undefined, retryMs: number): boolean {
    return this.#postOf(facts?.exchange)?.pause(retryMs) === true
  }

  /** A message found nobody; a question among them fails at once. */
  dropped(id: RequestId | undefined): void {
    this.#port?.note({
      kind: 'undelivered',
      direction: 'out',
      ...(id === undefined ? {} : { data: { id } }),
    })
    if (id !== undefined) this.#port?.failed(id, unheard())
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    this.#closed = true
    for (const post of this.#posts ?? []) post.end(SESSION_UNKNOWN)
    this.#posts = undefined
    this.#standalone?.end()
    this.world.store.forget(this.id)
    this.#keeper.remove(this)
    this.#port?.closed()
    return Promise.resolve()
  }

  /** A notification, or an answer to a question of ours. // HTTP-09 */
  #hear(visit: Visit, posted: Posted, port: LinkPort): void {
    const { text, reading } = posted
    const full = port.text(text, factsOf(posted, undefined, visit.auth), reading)
    if (!isBatch(reading) && reading.kind === 'malformed')
      return visit.refuse({ status: 400, reason: reading.reason, code: reading.code })
    if (full === undefined) return visit.answer(202)
    const accept = (): void => visit.answer(202)
    full.then(accept, accept)
  }

  #answer(text: string, facts: Facts | undefined): Receipt {
    const post = this.#take(facts)
    if (post === undefined) return NOT_SENT
    // The answers to a batch have one status, whatever the last of them would have.
    const status = text.startsWith('[') ? 200 : (facts?.status ?? 200)
    const heard = post.answer(text, status, this.#welcome())
    if (!heard) this.dropped(undefined)
    // What was refused in place of a welcome begins no session.
    if (!this.#welcomed) void this.close()
    return heard ? SENT : NOT_SENT
  }

  /** The first answer tells the id, if the opening went well. // HTTP-28 */
  #welcome(): { readonly [SESSION_HEADER]: string } | undefined {
    if (this.#welcomed || this.#traits?.sessions !== true) return undefined
    this.#welcomed = true
    return { [SESSION_HEADER]: this.id }
  }

  #sayAlone(text: string, asked: RequestId | undefined): Receipt {
    if (this.#traits?.standaloneStream !== true) {
      this.dropped(asked)
      return NOT_SENT
    }
    this.#standalone ??= new StandaloneStream(this)
    return this.#standalone.say(text, asked) ? SENT : KEPT
  }

  #postOf(exchange: string | undefined): SessionPost | undefined {
    return this.#posts?.find(({ name }) => name === exchange)
  }

  /** The POST that came with these facts; it waits no longer. */
  #take(facts: Facts | undefined): SessionPost | undefined {
    const posts = this.#posts
    const at = posts?.findIndex(({ name }) => name === facts?.exchange) ?? -1
    if (posts === undefined || at < 0) return undefined
    const post = posts[at]
    const last = posts.pop()
    if (last !== undefined && at < posts.length) posts[at] = last
    if (posts.length === 0) this.#posts = undefined
    return post
  }

  #resume(visit: Visit, place: Place | undefined): void {
    this.#takeUp(visit, place).then(
      (found) => {
        if (!found) visit.refuse(UNKNOWN_EVENT)
      },
      (error: unknown) => {
        this.world.logger.error('a store of events failed', { error: describeError(error) })
        visit.refuse({ status: 500, reason: 'The events of this stream cannot be read' })
      },
    )
  }

  /** Only this session's own streams are looked at, and each alone. // HTTP-27 */
  async #takeUp(visit: Visit, place: Place | undefined): Promise<boolean> {
    if (place === undefined) return false
    const alone = place.stream === STANDALONE
    const outlet = alone ? this.#standalone?.outlet : this.#postOf(place.stream)?.outlet
    if (outlet === undefined) return replayEnded(this, visit, place)
    if (!(await outlet.resume(visit, place.seq))) return false
    if (alone) this.#standalone?.go()
    return true
  }
}

function unheard(): TransportError {
  return new TransportError(
    'DP_TRANSPORT_CLOSED',
    'The client has closed the stream on which it would be asked, and nothing can be taken up again.',
    { sent: 'no' },
  )
}
