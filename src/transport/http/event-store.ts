/**
 * Where the events of resumable streams are kept, so that a stream that broke can be taken up where it was left. // HTTP-26
 *
 * The store in this file is a memory with bounds. Replicas that share one write their own behind the same interface.
 */

/** One event that was sent, or was to be. */
export interface StoredEvent {
  /** Counts up by one within its stream, from 1. */
  readonly seq: number
  /** The message. */
  readonly text: string
  /** Nothing comes after it on this stream. */
  readonly last: boolean
}

/** Keys hold session ids, which are secrets: a store of one's own must not log them. */
export interface EventStore {
  /** Keeps an event. Called in order for each stream; must not throw. */
  append(session: string, stream: string, event: StoredEvent): void
  /**
   * The events of one stream behind `after`, oldest first; undefined when the stream is not known, or when some of what is
   * asked for is not kept any more. Never anything of another stream. // HTTP-27
   */
  read(
    session: string,
    stream: string,
    after: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>
  /** The session is over. */
  forget(session: string): void
}

export interface EventStoreLimits {
  /** Events kept of one stream. Default 1,000. */
  readonly maxEvents?: number
  /** Characters kept of one stream. Default 8 Mi. */
  readonly maxCharacters?: number
  /** Ended streams kept of one session. Default 16. */
  readonly maxEnded?: number
  /** Characters kept in all. Default 64 Mi. */
  readonly maxTotal?: number
}

interface Log {
  readonly session: string
  readonly stream: string
  readonly events: StoredEvent[]
  characters: number
  ended: boolean
}

/** The default store: in this process, the oldest going first wherever a bound is met. */
export class MemoryEventStore implements EventStore {
  readonly #maxEvents: number
  readonly #maxCharacters: number
  readonly #maxEnded: number
  readonly #maxTotal: number
  readonly #sessions = new Map<string, Map<string, Log>>()
  /** Every log, that was written to longest ago first. */
  readonly #logs = new Set<Log>()
  #total = 0

  constructor(limits: EventStoreLimits = {}) {
    this.#maxEvents = limits.maxEvents ?? 1000
    this.#maxCharacters = limits.maxCharacters ?? 8 * 1024 * 1024
    this.#maxEnded = limits.maxEnded ?? 16
    this.#maxTotal = limits.maxTotal ?? 64 * 1024 * 1024
  }

  /** Characters that are kept. */
  get size(): number {
    return this.#total
  }

  append(session: string, stream: string, event: StoredEvent): void {
    const log = this.#logOf(session, stream)
    log.events.push(event)
    this.#grow(log, event.text.length)
    while (this.#isOver(log)) this.#grow(log, -(log.events.shift()?.text.length ?? 0))
    this.#logs.delete(log)
    this.#logs.add(log)
    if (event.last) this.#end(log)
    for (const oldest of this.#logs) {
      if (this.#total <= this.#maxTotal) break
      this.#drop(oldest)
    }
  }

  read(session: string, stream: string, after: number): readonly StoredEvent[] | undefined {
    const log = this.#sessions.get(session)?.get(stream)
    const first = log?.events[0]
    // An event that was shifted out is a gap, and a gap is never passed over in silence.
    if (log === undefined || first === undefined || after < first.seq - 1) return undefined
    const newest = first.seq + log.events.length - 1
    return after > newest ? undefined : log.events.slice(after - first.seq + 1)
  }

  forget(session: string): void {
    for (const log of this.#sessions.get(session)?.values() ?? []) this.#drop(log)
  }

  #logOf(session: string, stream: string): Log {
    let logs = this.#sessions.get(session)
    if (logs === undefined) this.#sessions.set(session, (logs = new Map<string, Log>()))
    let log = logs.get(stream)
    if (log === undefined) {
      log = { session, stream, events: [], characters: 0, ended: false }
      logs.set(stream, log)
    }
    return log
  }

  /** The newest event stays, however large: somebody waits for it. */
  #isOver({ events, characters }: Log): boolean {
    if (events.length <= 1) return false
    return events.length > this.#maxEvents || characters > this.#maxCharacters
  }

  #end(log: Log): void {
    log.ended = true
    const ended = [...(this.#sessions.get(log.session)?.values() ?? [])].filter((one) => one.ended)
    const surplus = Math.max(0, ended.length - this.#maxEnded)
    for (const oldest of ended.slice(0, surplus)) this.#drop(oldest)
  }

  #grow(log: Log, characters: number): void {
    log.characters += characters
    this.#total += characters
  }

  #drop(log: Log): void {
    if (!this.#logs.delete(log)) return
    this.#total -= log.characters
    const logs = this.#sessions.get(log.session)
    logs?.delete(log.stream)
    if (logs?.size === 0) this.#sessions.delete(log.session)
  }
}
