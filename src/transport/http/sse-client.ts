/**
 * The client's link of the transport of 2024-11-05: one event stream by GET that brings everything, and a POST for each
 * message to the address that the stream begins with. // HSSE-01, HSSE-04
 *
 * The stream is the session: when it ends, the link has ended. // HSSE-09
 */

import type { Clock } from '../../base/clock.ts'
import { TransportError } from '../../base/errors.ts'
import { IdTable } from '../../jsonrpc/id-table.ts'
import type { Link, LinkPort, Outbound, Receipt } from '../../jsonrpc/link.ts'
import type { RequestId } from '../../jsonrpc/message.ts'
import { AcceptedPost } from './accepted-post.ts'
import { Backlog } from './backlog.ts'
import type { Caller } from './caller.ts'
import type { HttpRequest } from './exchange.ts'
import { Gate } from './gate.ts'
import { OrderedPosts } from './ordered-posts.ts'
import { SseInbox } from './sse-inbox.ts'
import { within } from './within.ts'

export interface SseOpening {
  readonly caller: Caller
  readonly port: LinkPort
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
  /** Puts the carrier away. Called once, when a link that was opened has ended. */
  release(): void
}

/** What `close` may take. */
const CLOSE_MS = 2000
const NOT_SENT: Receipt = Object.freeze({ sent: 'no' })

/** Opens the stream and waits for the address to post to. Rejects when there is no such stream, and leaves nothing behind. */
export async function openSse(opening: SseOpening): Promise<Link> {
  const inbox = new SseInbox(opening)
  const endpoint = await inbox.open(opening.signal)
  return new SseLink(opening, inbox, endpoint)
}

interface RequestInTransit {
  readonly id: RequestId
  readonly outbound: Outbound
  readonly post: AcceptedPost
}

class SseLink implements Link {
  readonly #opening: SseOpening
  readonly #inbox: SseInbox
  readonly #endpoint: string
  readonly #backlog = new Backlog()
  readonly #ordered: OrderedPosts
  readonly #gate = new Gate<RequestInTransit>()
  /** Requests whose POST is not answered yet. */
  readonly #transit = new IdTable<RequestInTransit>()
  #closing: Promise<void> | undefined
  #ended = false

  constructor(opening: SseOpening, inbox: SseInbox, endpoint: string) {
    const { caller, port, clock } = opening
    this.#opening = opening
    this.#inbox = inbox
    this.#endpoint = endpoint
    this.#ordered = new OrderedPosts({
      caller,
      port,
      clock,
      backlog: this.#backlog,
      prepare: (outbound) => ({ request: this.#request(outbound), inSession: false }),
    })
    inbox.onEnd((error) => this.#end(error))
  }

  get backlogMessages(): number {
    return this.#backlog.messages
  }

  get backlogBytes(): number {
    return this.#backlog.bytes
  }

  write(outbound: Outbound): Receipt {
    if (this.#closing !== undefined || this.#ended) return NOT_SENT
    const { kind, id } = outbound
    if (kind !== 'request' || id === undefined) return this.#ordered.write(outbound)
    const { caller, clock } = this.#opening
    this.#backlog.add(outbound.text)
    const post = new AcceptedPost({
      caller,
      clock,
      inSession: false,
      onLeft: () => this.#backlog.take(outbound.text),
      onDone: (error) => {
        this.#transit.take(id)
        if (error !== undefined) this.#opening.port.failed(id, error)
      },
    })
    const entry = { id, outbound, post }
    this.#transit.add(entry)
    if (!this.#gate.keep(entry)) post.start(this.#request(outbound))
    return post
  }

  drained(): Promise<void> {
    return this.#backlog.drained()
  }

  settle(): void {
    this.#ordered.settle()
    if (this.#ordered.idle) return
    this.#gate.shut(this.#opening.clock, this.#ordered.through(), (entries) => {
      for (const { id, outbound, post } of entries) {
        if (this.#transit.get(id)?.post === post) post.start(this.#request(outbound))
      }
    })
  }

  /** The answer would come by the stream of all: true only for what was never sent. */
  abandon(id: RequestId): boolean {
    const entry = this.#transit.get(id)
    if (entry?.post.sent !== 'no') return false
    this.#transit.take(id)
    entry.post.stop()
    return true
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    if (this.#ended) return
    const { clock } = this.#opening
    this.#ordered.settle()
    await within(clock, clock.now() + CLOSE_MS, this.#ordered.through())
    this.#end(undefined)
  }

  #end(error: Error | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#gate.stop()
    this.#ordered.stop()
    for (const { post } of this.#transit) post.stop()
    this.#transit.clear()
    this.#inbox.close()
    const { caller, port } = this.#opening
    this.#opening.release()
    const { name } = caller.address
    if (this.#closing !== undefined) return port.closed()
    const message = `${name} ended its event stream, and the session with it. Connect again.`
    const detail = { kind: 'broke-off', address: name } as const
    port.closed(
      new TransportError('DP_TRANSPORT_CLOSED', message, { server: name, cause: error, detail }),
    )
  }

  /** One message to the address that the stream named. // HSSE-03 */
  #request({ text }: Outbound): HttpRequest {
    const headers = { 'content-type': 'application/json', accept: '*/*' }
    return { method: 'POST', url: this.#endpoint, headers, body: text }
  }
}
