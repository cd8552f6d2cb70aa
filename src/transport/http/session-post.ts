/**
 * One POST of a session that waits for an answer: a JSON reply when the answer is the first thing to be said, else a stream
 * of events that ends with it. // HTTP-10, HTTP-13
 *
 * A connection that breaks changes nothing about the work: what is said later goes where the client can fetch it, if it
 * can. // HTTP-18
 */

import { Outlet, type OutletOwner } from './outlet.ts'
import type { Beating } from './pulse.ts'
import type { HeaderFields } from './server-request.ts'
import type { Host, Refusal, Visit } from './visit.ts'

/** Beats without an answer before the stream opens: after a second at least, and two at most. */
export const PATIENT_BEATS = 2

export class SessionPost implements Beating, Host {
  /** In the pulse. */
  seat: number = -1
  /** Names the exchange in facts, and the stream to the client. */
  readonly name: string
  readonly #owner: OutletOwner
  /** Undefined once its connection is gone. */
  #visit: Visit | undefined
  #outlet: Outlet | undefined
  #beats = 0

  constructor(name: string, visit: Visit, owner: OutletOwner) {
    this.name = name
    this.#visit = visit
    this.#owner = owner
    visit.wait(owner.world.load, this)
    owner.world.pulse.join(this)
  }

  /** The stream, once there is one. */
  get outlet(): Outlet | undefined {
    return this.#outlet
  }

  /** A notification or a question that belongs to it. False when nobody will hear of it. */
  say(text: string): boolean {
    return this.#opened()?.say(text, false) ?? false
  }

  /** The last word. False when nobody will hear it. */
  answer(text: string, status: number, headers: HeaderFields | undefined): boolean {
    this.#owner.world.pulse.leave(this)
    if (this.#outlet !== undefined) return this.#outlet.say(text, true)
    if (this.#visit === undefined) return false
    if (headers === undefined) this.#visit.json(status, text)
    else this.#visit.answer(status, text, headers)
    return true
  }

  /** There will be no answer: the stream ends without one. */
  drop(): void {
    this.#owner.world.pulse.leave(this)
    this.#opened()?.end()
  }

  /** The session ends before the answer. */
  end(refusal: Refusal): void {
    this.#owner.world.pulse.leave(this)
    if (this.#outlet === undefined) this.#visit?.refuse(refusal)
    else this.#outlet.end()
  }

  /** // HTTP-16 */
  pause(retryMs: number): boolean {
    return this.#owner.primes && this.#opened()?.pause(retryMs) === true
  }

  beat(): void {
    this.#beats += 1
    if (this.#outlet !== undefined) this.#outlet.beat()
    else if (this.#beats >= PATIENT_BEATS) this.#opened()
  }

  /** Its connection went before anything was said on it. */
  gone(): void {
    this.#visit = undefined
  }

  #opened(): Outlet | undefined {
    if (this.#outlet === undefined && this.#visit !== undefined) {
      this.#outlet = new Outlet(this.name, this.#owner)
      this.#outlet.attach(this.#visit)
    }
    return this.#outlet
  }
}
