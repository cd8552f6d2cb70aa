/**
 * The stream of what belongs to no request of a client, and what waits for the client to open it. // HTTP-20, HTTP-22
 */

import type { RequestId } from '../../jsonrpc/message.ts'
import { Outlet, type OutletOwner } from './outlet.ts'
import type { Beating } from './pulse.ts'
import type { Visit } from './visit.ts'

/** Its name; those of POSTs count up from 1. */
export const STANDALONE = '0'
/** Messages that may wait for the stream to be opened. The oldest go first. */
const MAX_HELD = 100

interface Held {
  readonly text: string
  /** Of a question. */
  readonly id: RequestId | undefined
}

/** A session, as far as its standalone stream needs it. */
export interface StandaloneOwner extends OutletOwner {
  /** A message was dropped, because nobody came for it; with the id of the question that it was. */
  dropped(id: RequestId | undefined): void
}

export class StandaloneStream implements Beating {
  /** In the pulse. */
  seat: number = -1
  readonly outlet: Outlet
  readonly #owner: StandaloneOwner
  #held: Held[] = []

  constructor(owner: StandaloneOwner) {
    this.#owner = owner
    this.outlet = new Outlet(STANDALONE, owner)
  }

  /** True when it was told to somebody, false when it waits. */
  say(text: string, id: RequestId | undefined): boolean {
    if (this.outlet.attached && this.outlet.say(text, false)) return true
    this.#held.push({ text, id })
    if (this.#held.length > MAX_HELD) this.#owner.dropped(this.#held.shift()?.id)
    return false
  }

  /** A client opens it, and none is connected. */
  listen(visit: Visit): void {
    this.outlet.attach(visit)
    this.go()
  }

  /** Somebody is connected: what waited is told. */
  go(): void {
    this.#owner.world.pulse.join(this)
    const held = this.#held
    this.#held = []
    for (const { text, id } of held) this.say(text, id)
  }

  /** Takes back a question that was told to nobody yet. */
  retract(id: RequestId): boolean {
    const at = this.#held.findIndex((held) => held.id === id)
    if (at >= 0) this.#held.splice(at, 1)
    return at >= 0
  }

  beat(): void {
    if (this.outlet.attached) this.outlet.beat()
    else this.#owner.world.pulse.leave(this)
  }

  end(): void {
    this.#held = []
    this.#owner.world.pulse.leave(this)
    this.outlet.end()
  }
}
