/**
 * Posts notifications and answers one after the other, so that they arrive in the order in which they were written.
 *
 * One that fails is a note: the link goes on without it. One that the server does not accept soon holds up the next
 * for a bounded time only.
 */

import type { Clock, Timer } from '../../base/clock.ts'
import { describeError, HttpError, type Sent } from '../../base/errors.ts'
import type { LinkPort, Outbound, Receipt } from '../../jsonrpc/link.ts'
import { AcceptedPost } from './accepted-post.ts'
import type { Backlog } from './backlog.ts'
import type { Caller } from './caller.ts'
import type { HttpRequest } from './exchange.ts'

export interface OrderedPostsOptions {
  readonly caller: Caller
  readonly port: LinkPort
  readonly clock: Clock
  readonly backlog: Backlog
  /** The request for a message, with what is known at the moment when it is sent. */
  prepare(outbound: Outbound): { readonly request: HttpRequest; readonly inSession: boolean }
}

/** How long one message may hold up the next. */
const HOLD_MS = 5000
/** How long a message may go without having been accepted. */
const ACCEPT_MS = 30_000

interface Waiting extends Receipt {
  readonly outbound: Outbound
  post: AcceptedPost | undefined
}

export class OrderedPosts {
  readonly #options: OrderedPostsOptions
  #waiting: Waiting[] = []
  readonly #open = new Set<AcceptedPost>()
  #current: AcceptedPost | undefined
  #hold: Timer | undefined
  #settled = false
  #planned: Timer | undefined
  #stopped = false
  /** Called when everything that was written before has been answered. */
  #through: (() => void)[] = []

  constructor(options: OrderedPostsOptions) {
    this.#options = options
  }

  /** Whether nothing waits and nothing is unanswered. */
  get idle(): boolean {
    return this.#current === undefined && this.#waiting.length === 0
  }

  write(outbound: Outbound): Receipt {
    const entry = new WaitingPost(outbound)
    this.#options.backlog.add(outbound.text)
    this.#waiting.push(entry)
    if (this.#settled) this.#next()
    // What is agreed on in this turn goes with the message already: its version, its session. // HTTP-35
    else this.#planned ??= this.#options.clock.after(0, () => this.#begin())
    return entry
  }

  /** What had to be agreed on is known: from now on each message goes as soon as it is its turn. */
  settle(): void {
    this.#settled = true
    this.#begin()
  }

  /** Settles when what was written before has been answered. Never settles once stopped. */
  through(): Promise<void> {
    if (this.idle) return Promise.resolve()
    return new Promise((resolve) => this.#through.push(resolve))
  }

  /** Drops what waits and ends what is under way. */
  stop(): void {
    this.#stopped = true
    this.#planned?.cancel()
    this.#hold?.cancel()
    for (const { outbound } of this.#waiting) this.#options.backlog.take(outbound.text)
    this.#waiting = []
    for (const post of this.#open) post.stop()
    this.#open.clear()
  }

  #begin(): void {
    this.#planned?.cancel()
    this.#planned = undefined
    this.#next()
  }

  #next(): void {
    if (this.#current !== undefined || this.#stopped) return
    const entry = this.#waiting.shift()
    if (entry === undefined) {
      const through = this.#through
      this.#through = []
      for (const resolve of through) resolve()
      return
    }
    this.#post(entry)
  }

  #post(entry: Waiting): void {
    const { caller, clock, backlog } = this.#options
    const { outbound } = entry
    const { request, inSession } = this.#options.prepare(outbound)
    const post = new AcceptedPost({
      caller,
      clock,
      inSession,
      timeoutMs: ACCEPT_MS,
      onLeft: () => backlog.take(outbound.text),
      onDone: (error) => {
        this.#open.delete(post)
        if (error !== undefined) this.#noteFailure(outbound, error)
        this.#goOn(post)
      },
    })
    entry.post = post
    this.#open.add(post)
    this.#current = post
    this.#hold = clock.after(HOLD_MS, () => this.#goOn(post))
    post.start(request)
  }

  #goOn(post: AcceptedPost): void {
    if (this.#current !== post) return
    this.#hold?.cancel()
    this.#current = undefined
    this.#next()
  }

  #noteFailure({ kind = 'notification', id, chain }: Outbound, error: Error): void {
    this.#options.port.note({
      kind: 'not-accepted',
      direction: 'out',
      data: {
        message: describeError(error),
        kind,
        ...(id === undefined ? {} : { id }),
        ...(error instanceof HttpError ? { status: error.status } : {}),
      },
      ...(chain === undefined ? {} : { chain }),
    })
  }
}

/** A message in the queue, and its receipt. */
class WaitingPost implements Waiting {
  readonly outbound: Outbound
  post: AcceptedPost | undefined

  constructor(outbound: Outbound) {
    this.outbound = outbound
  }

  get sent(): Sent {
    return this.post?.sent ?? 'no'
  }
}
