/**
 * Calls to one server: so many at once, a bounded number that waits, and none while the server is away. Lanes share a pool, so
 * that all servers together stay within a limit as well.
 *
 * It counts and orders; what a call does, and how long it may wait, is its caller's business.
 */

import { TransportError } from '../base/errors.ts'

/** Places for calls over all servers. */
export class Pool {
  #limit: number
  #used = 0
  /** Lanes that would go on if there were a place, the longest waiting first. */
  readonly #blocked = new Set<Lane>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get used(): number {
    return this.#used
  }

  /** Calls that run already stay. */
  resize(limit: number): void {
    this.#limit = limit
    this.#serve()
  }

  /**
   * Takes a place. A lane in which nothing runs always gets one: servers that hang may fill the pool, and must not keep
   * the others from working.
   */
  take(lane: Lane): boolean {
    if (lane.running > 0 && this.#used >= this.#limit) {
      this.#blocked.add(lane)
      return false
    }
    this.#used += 1
    return true
  }

  give(): void {
    this.#used -= 1
    this.#serve()
  }

  /** The lane waits for no place any more. */
  leave(lane: Lane): void {
    this.#blocked.delete(lane)
  }

  #serve(): void {
    for (const lane of this.#blocked) {
      if (this.#used >= this.#limit) return
      // One call a turn: it asks again behind the others.
      this.#blocked.delete(lane)
      lane.pump()
    }
  }
}

/** The place that a call has. Call it once, when the call has ended in whatever way. */
export type Leave = () => void

/** A call that waits for its place. */
export interface Ticket {
  readonly place: Promise<Leave>
  /** Gives the place up and rejects with the error; does nothing once there is a place. */
  abandon(error: Error): void
}

export interface LaneOptions {
  /** Config key of the server, for errors. */
  readonly server: string
  readonly concurrency: number
  /** Most calls that wait. */
  readonly queue: number
  readonly pool: Pool
}

interface Waiting {
  readonly enter: () => void
  readonly refuse: (error: Error) => void
}

export class Lane {
  readonly #server: string
  readonly #pool: Pool
  #concurrency: number
  #queue: number
  #open = false
  #running = 0
  readonly #waiting: Waiting[] = []

  constructor({ server, concurrency, queue, pool }: LaneOptions) {
    this.#server = server
    this.#concurrency = concurrency
    this.#queue = queue
    this.#pool = pool
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Calls may go. */
  open(): void {
    this.#open = true
    this.pump()
  }

  /** Calls wait from now on; those that run go on. */
  hold(): void {
    this.#open = false
    this.#pool.leave(this)
  }

  /** Rejects every call that waits, each with an error of its own. */
  refuse(error: () => Error): void {
    this.hold()
    for (const one of this.#waiting.splice(0)) one.refuse(error())
  }

  resize({ concurrency, queue }: Pick<LaneOptions, 'concurrency' | 'queue'>): void {
    this.#concurrency = concurrency
    this.#queue = queue
    this.pump()
  }

  /** A place at once, when there is one and nobody waits for it. */
  enter(): Leave | undefined {
    if (this.#waiting.length > 0 || !this.#mayRun()) return undefined
    return this.#take()
  }

  /** Waits for a place; `ahead` of all others when the call has waited before. Throws when too many wait. */
  queue(ahead: boolean = false): Ticket {
    if (this.#waiting.length >= this.#queue && !ahead) throw this.#overloaded()
    let abandon = (_error: Error): void => undefined
    const place = new Promise<Leave>((resolve, reject) => {
      const waiting: Waiting = { enter: () => resolve(this.#take()), refuse: reject }
      if (ahead) this.#waiting.unshift(waiting)
      else this.#waiting.push(waiting)
      abandon = (error) => {
        const at = this.#waiting.indexOf(waiting)
        if (at < 0) return
        this.#waiting.splice(at, 1)
        if (this.#waiting.length === 0) this.#pool.leave(this)
        reject(error)
      }
    })
    this.pump()
    return { place, abandon: (error) => abandon(error) }
  }

  /** Lets calls go as far as there are places. For the pool. */
  pump(): void {
    while (this.#waiting.length > 0 && this.#mayRun()) this.#waiting.shift()?.enter()
  }

  /** True when a place was taken in the pool, which `#take` makes a call of. */
  #mayRun(): boolean {
    return this.#open && this.#running < this.#concurrency && this.#pool.take(this)
  }

  #take(): Leave {
    this.#running += 1
    let left = false
    return () => {
      if (left) return
      left = true
      this.#running -= 1
      this.#pool.give()
      this.pump()
    }
  }

  #overloaded(): TransportError {
    return new TransportError(
      'DP_TRANSPORT_OVERLOADED',
      `The call was not sent: ${this.#waiting.length} calls wait for "${this.#server}" already, and ${this.#running} run. Wait for some, or raise "queue" or "concurrency" of its entry.`,
      {
        server: this.#server,
        sent: 'no',
        detail: {
          kind: 'too-many-waiting',
          waiting: this.#waiting.length,
          running: this.#running,
        },
      },
    )
  }
}
