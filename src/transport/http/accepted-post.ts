/**
 * A request that only has to be accepted: its answer holds no message, whatever its body says. // HTTP-09
 *
 * Notifications and answers are sent so, all messages of the old transport, and the end of a session.
 */

import type { Clock, Timer } from '../../base/clock.ts'
import { TimeoutError, type Sent } from '../../base/errors.ts'
import { ByteHold } from '../../formats/byte-hold.ts'
import { showUtf8 } from '../../formats/utf8.ts'
import type { Receipt } from '../../jsonrpc/link.ts'
import type { Caller } from './caller.ts'
import type { HeaderLookup, HttpFlight, HttpRequest, HttpSink } from './exchange.ts'
import { errorIn, refusalError } from './refusal.ts'

export interface AcceptedPostOptions {
  readonly caller: Caller
  readonly clock: Clock
  /** Whether the request names a session. */
  readonly inSession: boolean
  /** Longest wait for the answer's head, in ms. Default: none. */
  readonly timeoutMs?: number
  /** The request was taken whole, or will never be. Called once. */
  onLeft?(): void
  /** Accepted, or not and why. Called once, unless it was stopped. */
  onDone(error: Error | undefined): void
}

const MAX_REFUSAL_BYTES = 64 * 1024
/** How long a body that nobody reads may go on. */
const BODY_MS = 5000

export class AcceptedPost implements Receipt, HttpSink {
  sent: Sent = 'no'
  readonly #options: AcceptedPostOptions
  #flight: HttpFlight | undefined
  #timer: Timer | undefined
  #status = 0
  #header: HeaderLookup = () => undefined
  readonly #body = new ByteHold()
  #ignored = 0
  #left = false
  #done = false

  constructor(options: AcceptedPostOptions) {
    this.#options = options
  }

  start(request: HttpRequest): void {
    const { caller, clock, timeoutMs } = this.#options
    this.#flight = caller.call(request, this)
    if (timeoutMs !== undefined) this.#timer = clock.after(timeoutMs, () => this.#expire(timeoutMs))
  }

  /** Ends it; nothing is told but that it has left. */
  stop(): void {
    this.#done = true
    this.#release()
  }

  sending(): void {
    if (this.sent === 'no') this.sent = 'maybe'
  }

  left(): void {
    this.#leave()
  }

  head(status: number, header: HeaderLookup): void {
    this.sent = 'yes'
    this.#status = status
    this.#header = header
    this.#leave()
    if (!isAccepted(status)) return
    this.#timer?.cancel()
    this.#timer = this.#options.clock.after(BODY_MS, () => this.#release())
    this.#finish(undefined)
  }

  data(bytes: Uint8Array): void {
    if (isAccepted(this.#status)) {
      this.#ignored += bytes.length
      if (this.#ignored > MAX_REFUSAL_BYTES) this.#release()
    } else if (this.#body.size + bytes.length <= MAX_REFUSAL_BYTES) this.#body.add(bytes)
    else this.#refuse()
  }

  end(): void {
    if (isAccepted(this.#status)) this.#release()
    else this.#refuse()
  }

  failed(error: Error): void {
    this.#release()
    this.#finish(error)
  }

  #refuse(): void {
    const { caller, clock, inSession } = this.#options
    const body = showUtf8(this.#body.take())
    this.#release()
    this.#finish(
      refusalError({
        name: caller.address.name,
        status: this.#status,
        header: this.#header,
        body,
        said: errorIn(body),
        inSession,
        wall: clock.wall(),
      }),
    )
  }

  #expire(ms: number): void {
    const { name } = this.#options.caller.address
    this.#release()
    this.#finish(
      new TimeoutError(`${name} did not accept a message within ${ms} ms.`, {
        timer: 'write',
        ms,
        setBy: 'default',
        detail: { kind: 'not-accepted', address: name },
        sent: this.sent,
        server: name,
      }),
    )
  }

  #release(): void {
    this.#timer?.cancel()
    this.#flight?.abort()
    this.#flight = undefined
    this.#leave()
  }

  #leave(): void {
    if (this.#left) return
    this.#left = true
    this.#options.onLeft?.()
  }

  #finish(error: Error | undefined): void {
    if (this.#done) return
    this.#done = true
    this.#options.onDone(error)
  }
}

function isAccepted(status: number): boolean {
  return status >= 200 && status < 300
}
