/**
 * One client of the old HTTP+SSE transport as a link: one stream of events to it, and POSTs from it. // HSSE-01
 *
 * The stream is the session: it cannot be taken up again, and everything ends with it.
 */

import { TransportError } from '../../base/errors.ts'
import { isBatch } from '../../jsonrpc/channel.ts'
import type { Link, LinkPort, Outbound, Receipt, Transport } from '../../jsonrpc/link.ts'
import type { Posted } from './posted.ts'
import type { Beating } from './pulse.ts'
import type { Session } from './sessions.ts'
import { SseSender } from './sse-sender.ts'
import type { Host, Visit } from './visit.ts'
import type { World } from './world.ts'

const SENT: Receipt = { sent: 'yes' }
const NOT_SENT: Receipt = { sent: 'no' }

/** Whoever keeps sessions. */
export interface SseKeeper {
  readonly world: World
  /** Called once: nothing of the session is left. */
  remove(session: SseLink): void
}

export interface SseLinkOptions {
  readonly id: string
  /** Where the client is to POST, as it is told. */
  readonly address: string
  readonly keeper: SseKeeper
}

export class SseLink implements Link, Transport, Session, Beating, Host {
  /** In the pulse. */
  seat: number = -1
  readonly id: string
  readonly principal: string | undefined
  readonly openedAt: number
  usedAt: number
  readonly #options: SseLinkOptions
  readonly #sender: SseSender
  #port: LinkPort | undefined
  #closed = false

  /** Begins the stream. */
  constructor(visit: Visit, options: SseLinkOptions) {
    const now = options.keeper.world.pulse.clock.now()
    this.id = options.id
    this.principal = visit.auth?.principal
    this.openedAt = now
    this.usedAt = now
    this.#options = options
    this.#sender = new SseSender(visit, options.keeper.world)
    visit.wait(options.keeper.world.load, this)
    options.keeper.world.pulse.join(this)
  }

  get name(): string {
    return 'http+sse'
  }

  /** Its stream is open as long as it lives. */
  get busy(): boolean {
    return !this.#closed
  }

  get backlogMessages(): number {
    return 0
  }

  get backlogBytes(): number {
    return 0
  }

  open(port: LinkPort): Promise<Link> {
    this.#port = port
    this.#sender.send({ event: 'endpoint', data: this.#options.address }) // HSSE-02
    return Promise.resolve(this)
  }

  /** Takes one POSTed text; what there is to say about it comes on the stream. // HSSE-04 */
  post(visit: Visit, posted: Posted): void {
    if (this.#port === undefined || this.#closed)
      return visit.refuse({ status: 404, reason: 'This session has ended: open the stream again' })
    const { text, reading } = posted
    if (!isBatch(reading) && reading.kind === 'malformed') {
      // Said at once: an answer on the stream could not say to which POST it belongs.
      this.#port.note({ kind: 'stray', text, direction: 'in' })
      return visit.refuse({ status: 400, reason: reading.reason, code: reading.code })
    }
    // Nothing of HTTP belongs to a message here: headers say nothing.
    const { auth } = visit
    const full = this.#port.text(text, auth === undefined ? {} : { auth }, reading)
    const accept = (): void => visit.answer(202)
    if (full === undefined) accept()
    else full.then(accept, accept)
  }

  write({ text }: Outbound): Receipt {
    if (this.#closed) return NOT_SENT
    if (this.#sender.send({ data: text })) return SENT
    this.gone()
    return NOT_SENT
  }

  drained(): Promise<void> {
    return Promise.resolve()
  }

  beat(): void {
    this.#sender.beat()
    if (!this.#sender.open) this.gone()
  }

  gone(): void {
    this.#end(
      new TransportError('DP_TRANSPORT_CLOSED', 'The client closed its stream of events.', {
        server: this.name,
      }),
    )
  }

  close(): Promise<void> {
    this.#end()
    return Promise.resolve()
  }

  #end(reason?: Error): void {
    if (this.#closed) return
    this.#closed = true
    this.#options.keeper.world.pulse.leave(this)
    this.#sender.end()
    this.#options.keeper.remove(this)
    this.#port?.closed(reason)
  }
}
