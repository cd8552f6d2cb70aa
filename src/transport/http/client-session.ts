/**
 * The id by which a server names the session, and for how long it is good. It is kept like a credential: it stands in
 * no note, no error and no fact. // HTTP-34
 */

import type { LinkPort } from '../../jsonrpc/link.ts'
import type { RequestId } from '../../jsonrpc/message.ts'

/** Longer ids are not sent back. */
const MAX_ID = 1024

export class Session {
  readonly #port: LinkPort
  #id: string | undefined
  #namedBy: RequestId | undefined
  #settled = false
  #allowed = true
  #lost = false

  constructor(port: LinkPort) {
    this.#port = port
  }

  get id(): string | undefined {
    return this.#lost ? undefined : this.#id
  }

  /** The server has said that it does not know the session any more. */
  get lost(): boolean {
    return this.#lost
  }

  /** What the answer to a request names. Once agreed upon, a session keeps the id it began with. // HTTP-28 */
  hear(by: RequestId, named: string | undefined): void {
    if (named === undefined || !this.#allowed || named === this.#id) return
    if (this.#settled && this.#id !== undefined) return this.#ignore('the session has another id')
    // The answer to an earlier question may come late; what began the session is the later one.
    if (isBefore(by, this.#namedBy)) return
    if (!isVisibleAscii(named)) return this.#ignore('it is no visible ASCII')
    this.#id = named
    this.#namedBy = by
  }

  settle(sessions: boolean): void {
    this.#settled = true
    this.#allowed = sessions
    if (!sessions) this.#id = undefined // RPC-24
  }

  lose(): void {
    this.#lost = true
  }

  #ignore(reason: string): void {
    this.#port.note({ kind: 'session-ignored', direction: 'in', data: { reason } })
  }
}

/** Ids of one peer count up. */
function isBefore(id: RequestId, other: RequestId | undefined): boolean {
  return typeof id === 'number' && typeof other === 'number' && id < other
}

function isVisibleAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x21 || unit > 0x7e) return false
  }
  return text !== '' && text.length <= MAX_ID
}
