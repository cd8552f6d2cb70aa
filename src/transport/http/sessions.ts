/**
 * The sessions of one endpoint by their ids: who may use one, how long it lives, and which goes when there are too many.
 */

import type { Random } from '../../base/clock.ts'
import { encodeBase64 } from '../../formats/base64.ts'
import type { Beating } from './pulse.ts'
import type { World } from './world.ts'

/** What is kept here: a session of either transport. */
export interface Session {
  readonly id: string
  /** Who opened it, where that was checked. */
  readonly principal: string | undefined
  /** Clock times, in ms. */
  readonly openedAt: number
  usedAt: number
  /** Something is under way or connected: it is not idle. */
  readonly busy: boolean
  close(): Promise<void>
}

export interface SessionLimits {
  readonly maxSessions: number
  readonly sessionIdleMs: number
  readonly sessionMaxMs: number
}

/** 192 bits: an id is as good as a password. */
const ID_BYTES = 24
/** Beats between two looks at all sessions. */
const SWEEP_BEATS = 30
/** The order of use is kept to the second. */
const ORDER_MS = 1000

export class Sessions implements Beating {
  /** In the pulse. */
  seat: number = -1
  readonly world: World
  readonly #limits: SessionLimits
  readonly #random: Random
  /** The longest unused first, more or less. */
  readonly #byId = new Map<string, Session>()
  #beats = 0

  constructor(world: World, limits: SessionLimits, random: Random) {
    this.world = world
    this.#limits = limits
    this.#random = random
  }

  get size(): number {
    return this.#byId.size
  }

  /** An id that nobody can guess, of letters, digits, `-` and `_`. // HTTP-28 */
  newId(): string {
    return encodeBase64(this.#random(ID_BYTES)).replaceAll('+', '-').replaceAll('/', '_')
  }

  /** The session of that id, if it lives and belongs to whoever asks. */
  use(id: string, principal: string | undefined): Session | undefined {
    const session = this.#byId.get(id)
    if (session === undefined || session.principal !== principal) return undefined
    const now = this.world.pulse.clock.now()
    if (this.#isExpired(session, now)) {
      void session.close()
      return undefined
    }
    if (now - session.usedAt > ORDER_MS) {
      this.#byId.delete(id)
      this.#byId.set(id, session)
    }
    session.usedAt = now
    return session
  }

  /** Whether there is room for one more, if need be at the cost of one that is idle. */
  makeRoom(): boolean {
    if (this.#byId.size < this.#limits.maxSessions) return true
    for (const session of this.#byId.values()) {
      if (session.busy) continue
      void session.close()
      return true
    }
    return false
  }

  add(session: Session): void {
    this.#byId.set(session.id, session)
    this.world.pulse.join(this)
  }

  remove(session: Session): void {
    this.#byId.delete(session.id)
    if (this.#byId.size === 0) this.world.pulse.leave(this)
  }

  beat(now: number): void {
    this.#beats += 1
    if (this.#beats % SWEEP_BEATS !== 0) return
    for (const session of this.#byId.values()) {
      if (this.#isExpired(session, now)) void session.close()
      else if (session.busy) session.usedAt = now
    }
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#byId.values()].map((session) => session.close()))
  }

  #isExpired({ openedAt, usedAt, busy }: Session, now: number): boolean {
    const { sessionIdleMs, sessionMaxMs } = this.#limits
    return now - openedAt >= sessionMaxMs || (!busy && now - usedAt >= sessionIdleMs)
  }
}
