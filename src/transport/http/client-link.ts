/**
 * The client's link of Streamable HTTP, in both of its shapes: with a session and streams that can be taken up again, or
 * with neither. Which one it is, the traits of the agreed revision say.
 *
 * A request that fails is one request that failed: the link itself only ends by `close`.
 */

import type { Clock, Random, Timer } from '../../base/clock.ts'
import { IdTable } from '../../jsonrpc/id-table.ts'
import type { Link, LinkPort, LinkTraits, Outbound, Receipt } from '../../jsonrpc/link.ts'
import type { RequestId } from '../../jsonrpc/message.ts'
import { AcceptedPost } from './accepted-post.ts'
import { sessionGone } from './answer-reading.ts'
import { Backlog } from './backlog.ts'
import type { Caller } from './caller.ts'
import { EventStream } from './event-stream.ts'
import type { HeaderLookup } from './exchange.ts'
import { Gate } from './gate.ts'
import { OrderedPosts } from './ordered-posts.ts'
import { RequestPost, type Prepared, type RequestOwner } from './request-post.ts'
import { Session } from './client-session.ts'
import { StreamKeeper } from './stream-keeper.ts'
import { within } from './within.ts'

export interface HttpLinkOptions {
  readonly caller: Caller
  readonly port: LinkPort
  readonly clock: Clock
  readonly random: Random
  /** Whether messages that belong to no request are listened for, where the revision has a stream for them. */
  readonly listens: boolean
  /** Puts the carrier away. Called once. */
  release(): void
}

/** How long the stream of an answered request may stay open. */
const LINGER_MS = 5000
/** What `close` may take, all in all. */
const CLOSE_MS = 2000
const POST_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream', // HTTP-07
}
const NOT_SENT: Receipt = Object.freeze({ sent: 'no' })

export class HttpLink implements Link, RequestOwner {
  readonly perRequest = true
  readonly port: LinkPort
  readonly caller: Caller
  readonly clock: Clock
  readonly random: Random
  readonly #options: HttpLinkOptions
  readonly #backlog = new Backlog()
  readonly #posts = new IdTable<RequestPost>()
  readonly #ordered: OrderedPosts
  readonly #session: Session
  /** Requests wait here until what was written before the agreement is through. */
  readonly #gate = new Gate<RequestPost>()
  /** Streams of answered requests that the server has not ended yet. */
  readonly #lingering = new Set<RequestPost>()
  #sweep: Timer | undefined
  #traits: LinkTraits | undefined
  #headers: Readonly<Record<string, string>> | undefined
  /** The session that they name. */
  #headersFor: string | undefined
  #listener: StreamKeeper | undefined
  #closing: Promise<void> | undefined

  constructor(options: HttpLinkOptions) {
    const { port, caller, clock, random } = options
    this.#options = options
    this.port = port
    this.caller = caller
    this.clock = clock
    this.random = random
    this.#session = new Session(port)
    this.#ordered = new OrderedPosts({
      caller,
      port,
      clock,
      backlog: this.#backlog,
      prepare: (outbound) => this.#prepare(outbound),
    })
  }

  get backlogMessages(): number {
    return this.#backlog.messages
  }

  get backlogBytes(): number {
    return this.#backlog.bytes
  }

  get batches(): boolean {
    return this.#traits?.batches === true
  }

  /** Before the agreement nobody knows; a stream that gave ids says that it can be resumed. */
  get resumes(): boolean {
    return this.#traits?.resumable !== false
  }

  write(outbound: Outbound): Receipt {
    if (this.#closing !== undefined) return NOT_SENT
    const { kind, id } = outbound
    if (kind !== 'request' || id === undefined) return this.#ordered.write(outbound) // HTTP-08
    const post = new RequestPost(this, id, outbound)
    this.#backlog.add(outbound.text)
    this.#posts.add(post)
    if (!this.#gate.keep(post)) this.#start(post)
    return post
  }

  drained(): Promise<void> {
    return this.#backlog.drained()
  }

  settle(traits: LinkTraits): void {
    this.#traits = traits
    this.#headers = undefined
    this.#session.settle(traits.sessions)
    this.#ordered.settle()
    if (this.#ordered.idle) return this.#listen()
    // The server is to hear that the session has begun before anything is asked in it. // LIFE-04
    this.#gate.shut(this.clock, this.#ordered.through(), (posts) => this.#goOn(posts))
  }

  /** True when it was never sent, or when closing its stream says that nobody waits. // CANC-06, HTTP-84 */
  abandon(id: RequestId): boolean {
    const post = this.#posts.take(id)
    if (post === undefined) return false
    const unsent = post.sent === 'no'
    post.stop()
    return unsent || this.#traits?.closingCancels === true
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const late = this.clock.now() + CLOSE_MS
    this.#gate.stop()
    this.#sweep?.cancel()
    this.#listener?.stop()
    for (const post of [...this.#posts, ...this.#lingering]) post.stop()
    this.#posts.clear()
    this.#lingering.clear()
    this.#ordered.settle()
    await within(this.clock, late, this.#ordered.through())
    this.#ordered.stop()
    if (this.#session.id !== undefined) await this.#endSession(late) // HTTP-33
    this.#options.release()
    this.port.closed()
  }

  async #endSession(late: number): Promise<void> {
    let onDone: () => void = ignore
    const done = new Promise<void>((resolve) => (onDone = resolve))
    // A server may refuse to end it by our word (405), or not know it any more: either way this was all we owe.
    const post = new AcceptedPost({ ...this.#options, inSession: true, onDone: () => onDone() })
    post.start({ method: 'DELETE', url: this.caller.address.url, headers: this.#stateHeaders() })
    await within(this.clock, late, done)
    post.stop()
  }

  onHead(post: RequestPost, status: number, header: HeaderLookup): void {
    if (status >= 200 && status < 300) this.#session.hear(post.id, header('mcp-session-id')) // HTTP-28
  }

  onLeft(post: RequestPost): void {
    this.#backlog.take(post.outbound.text)
  }

  onSettled(post: RequestPost, open: boolean): void {
    this.#posts.take(post.id)
    if (!open || this.#closing !== undefined) return
    this.#lingering.add(post)
    this.#sweep ??= this.clock.after(LINGER_MS, () => this.#sweepUp(new Set(this.#lingering)))
  }

  onEnded(post: RequestPost): void {
    this.#lingering.delete(post)
  }

  onSessionLost(): void {
    this.#session.lose()
    this.#listener?.stop()
  }

  streamRequest(): Prepared {
    const headers = { ...this.#stateHeaders(), accept: 'text/event-stream' } // HTTP-20
    const request = { method: 'GET', url: this.caller.address.url, headers } as const
    return { request, inSession: this.#session.id !== undefined }
  }

  #start(post: RequestPost): void {
    if (this.#session.lost) post.fail(sessionGone(this.caller.address.name))
    else post.start(this.#prepare(post.outbound))
  }

  /** One message as a request of its own. // HTTP-06 */
  #prepare({ text, kind, facts }: Outbound): Prepared {
    // What is asked before the agreement begins a session and cannot belong to one. // HTTP-32
    const begins = kind === 'request' && this.#traits === undefined
    const state = begins ? POST_HEADERS : this.#postHeaders()
    const mirrored = facts?.headers // HTTP-52, HTTP-56
    const headers = mirrored === undefined ? state : { ...state, ...mirrored }
    const request = { method: 'POST', url: this.caller.address.url, headers, body: text } as const
    return { request, inSession: !begins && this.#session.id !== undefined }
  }

  /** Those of every POST, made anew only when session or version have changed. */
  #postHeaders(): Readonly<Record<string, string>> {
    const { id } = this.#session
    if (this.#headers === undefined || this.#headersFor !== id) {
      this.#headers = { ...POST_HEADERS, ...this.#stateHeaders() }
      this.#headersFor = id
    }
    return this.#headers
  }

  /** Session and version, once they are known. // HTTP-29, HTTP-35 */
  #stateHeaders(): Readonly<Record<string, string>> {
    const { id } = this.#session
    const version = this.#traits?.versionHeader
    return {
      ...(id === undefined ? {} : { 'mcp-session-id': id }),
      ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
    }
  }

  /** What waited for the first words goes on. */
  #goOn(posts: readonly RequestPost[]): void {
    // Given up meanwhile, a request is not in the table any more.
    for (const post of posts) if (this.#posts.get(post.id) === post) this.#start(post)
    this.#listen()
  }

  /** Opens the stream of messages that belong to no request, if there is one. // HTTP-20 */
  #listen(): void {
    if (!this.#options.listens || this.#traits?.standaloneStream !== true) return
    const { port } = this
    const facts = { exchange: 'listen' }
    const stream = new EventStream({ port, onText: (text) => port.text(text, facts) })
    const keeper = new StreamKeeper({
      caller: this.caller,
      clock: this.clock,
      random: this.random,
      stream,
      request: () => this.streamRequest(),
      wanted: () => true,
      // Whatever the status: it is a stream that the server does not offer. // HTTP-21
      tryAgain: (status) => status >= 500 && status !== 501,
      onLost: (error) => port.note({ kind: 'no-listening', data: { message: error.message } }),
    })
    this.#listener = keeper
    keeper.open()
  }

  /** Ends the streams that were open at the last sweep and still are. */
  #sweepUp(seen: ReadonlySet<RequestPost>): void {
    this.#sweep = undefined
    for (const post of seen) {
      if (!this.#lingering.delete(post)) continue
      post.stop()
    }
    if (this.#lingering.size === 0) return
    const left = new Set(this.#lingering)
    this.#sweep = this.clock.after(LINGER_MS, () => this.#sweepUp(left))
  }
}

function ignore(): void {}
