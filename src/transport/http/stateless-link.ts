/**
 * One request that stands for itself, as a link that carries it, its notifications and its answer, and ends. // HTTP-50
 *
 * Nothing is shared with other requests, so that equal ids never meet. A connection that ends before its answer is the
 * client giving the request up: the link ends with it. // HTTP-81
 */

import { TransportError } from '../../base/errors.ts'
import type { Link, LinkPort, Outbound, Receipt, Transport } from '../../jsonrpc/link.ts'
import { factsOf, type Posted } from './posted.ts'
import type { Beating } from './pulse.ts'
import { PATIENT_BEATS } from './session-post.ts'
import { SseSender } from './sse-sender.ts'
import type { Host, Refusal, Visit } from './visit.ts'
import type { World } from './world.ts'

const SENT: Receipt = { sent: 'yes' }
const NOT_SENT: Receipt = { sent: 'no' }
const UNANSWERED: Refusal = { status: 503, reason: 'The server ended before it had an answer' }

export class StatelessLink implements Link, Transport, Beating, Host {
  /** In the pulse. */
  seat: number = -1
  readonly #world: World
  readonly #visit: Visit
  readonly #posted: Posted
  #port: LinkPort | undefined
  #sender: SseSender | undefined
  #beats = 0
  #over = false

  constructor(world: World, visit: Visit, posted: Posted) {
    this.#world = world
    this.#visit = visit
    this.#posted = posted
  }

  get name(): string {
    return 'http'
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

  /** A notification is taken and done with; a request waits for its answer. // HTTP-09 */
  open(port: LinkPort): Promise<Link> {
    const { text, reading } = this.#posted
    const facts = factsOf(this.#posted, undefined, this.#visit.auth)
    this.#port = port
    if (!('kind' in reading) || reading.kind !== 'request') {
      void port.text(text, facts, reading)
      this.#visit.answer(202)
      this.#end()
    } else {
      this.#visit.wait(this.#world.load, this)
      this.#world.pulse.join(this)
      void port.text(text, facts, reading)
    }
    return Promise.resolve(this)
  }

  write({ text, kind, id, facts }: Outbound): Receipt {
    if (this.#over) return NOT_SENT
    if (kind === 'answer') return this.#answer(text, facts?.status ?? 200)
    if (kind === 'request') {
      if (id !== undefined) this.#port?.failed(id, askedNothing()) // HTTP-78
      return NOT_SENT
    }
    if (this.#opened().send({ data: text })) return SENT
    this.gone()
    return NOT_SENT
  }

  drained(): Promise<void> {
    return Promise.resolve()
  }

  unanswered(): void {
    if (this.#over) return
    this.#opened().end()
    this.#end()
  }

  close(): Promise<void> {
    this.stop()
    return Promise.resolve()
  }

  /** A server that ends leaves nobody waiting. */
  stop(): void {
    if (this.#over) return
    if (this.#sender === undefined) this.#visit.refuse(UNANSWERED)
    else this.#sender.end()
    this.#end()
  }

  beat(): void {
    this.#beats += 1
    if (this.#sender !== undefined) {
      this.#sender.beat()
      if (!this.#sender.open) this.gone()
    } else if (this.#beats >= PATIENT_BEATS) this.#opened()
  }

  /** Nobody waits any more, so the work stops. // HTTP-81 */
  gone(): void {
    if (this.#over) return
    this.#end(
      new TransportError('DP_TRANSPORT_CLOSED', 'The client closed the stream of its request.', {
        server: this.name,
      }),
    )
  }

  #answer(text: string, status: number): Receipt {
    if (this.#sender === undefined) this.#visit.json(status, text)
    else {
      this.#sender.send({ data: text })
      this.#sender.end()
    }
    this.#end()
    return SENT
  }

  #opened(): SseSender {
    if (this.#sender === undefined) {
      this.#sender = new SseSender(this.#visit, this.#world)
      this.#visit.wait(this.#world.load, this)
    }
    return this.#sender
  }

  #end(reason?: Error): void {
    this.#over = true
    this.#world.pulse.leave(this)
    this.#port?.closed(reason)
  }
}

function askedNothing(): TransportError {
  return new TransportError(
    'DP_TRANSPORT_CLOSED',
    'A request that stands for itself has no stream on which its sender could be asked.',
    { sent: 'no' },
  )
}
