/**
 * Two transports joined to each other inside one process: a client and a server without any pipe.
 *
 * Delivery is later and in order, as over a real carrier, and waits for a reader that is full. When each message
 * arrives is up to a scheduler, so that a simulation can delay, and cut.
 */

import { TransportError, type Sent } from '../base/errors.ts'
import type { Link, LinkPort, Outbound, Receipt, Transport, Unreadable } from '../jsonrpc/link.ts'

export interface MemoryOptions {
  /**
   * Calls `run` once, later, never at once. The nth call delivers the nth message of its direction whatever the
   * order in which they are run; a call that never runs holds up its direction. Default: a microtask.
   */
  readonly schedule?: (run: () => void, move: MemoryMove) => void
  /** For people. Default `memory`. */
  readonly name?: string
}

/** A message about to travel, for a scheduler to look at. */
export interface MemoryMove {
  readonly from: 'first' | 'second'
  readonly text: string
}

export interface MemoryWire {
  readonly first: Transport
  readonly second: Transport
  /** Breaks the wire at once: what has not arrived never does, and both sides hear `reason`, one that opens later too. */
  readonly cut: (reason?: Error) => void
}

/** Both ends of a wire in memory: open one with a client, let a server accept the other. Each opens once. */
export function memoryPair(options: MemoryOptions = {}): readonly [Transport, Transport] {
  const { first, second } = memoryWire(options)
  return [first, second]
}

/** The same with a hand on the wire, for simulations. Ends may be opened in any order; what is sent waits. */
export function memoryWire(options: MemoryOptions = {}): MemoryWire {
  const name = options.name ?? 'memory'
  const schedule = options.schedule ?? ((run: () => void) => queueMicrotask(run))
  const first = new MemoryEnd((run, text) => schedule(run, { from: 'first', text }))
  const second = new MemoryEnd((run, text) => schedule(run, { from: 'second', text }))
  first.join(second)
  second.join(first)
  return {
    first: { name, open: (port) => first.open(port) },
    second: { name, open: (port) => second.open(port) },
    cut(reason) {
      const error =
        reason ?? new TransportError('DP_TRANSPORT_CLOSED', 'The wire was cut.', { server: name })
      first.cut(error)
      second.cut(error)
    },
  }
}

interface Letter extends Receipt {
  sent: Sent
  readonly text: string
}

type Schedule = (run: () => void, text: string) => void

/** One end: what it has written and has not yet arrived, and the port it delivers to when the other end writes. */
class MemoryEnd implements Link {
  readonly #schedule: Schedule
  #peer: MemoryEnd | undefined
  #port: LinkPort | undefined
  #opened = false
  /** Written here, not yet at the other end. */
  #letters: Letter[] = []
  #bytes = 0
  /** Deliveries that the scheduler has run while the other end could not take them. */
  #due = 0
  #full = 0
  #closed = false
  /** Why the wire was cut, for a port that comes after. */
  #reason: Error | undefined
  /** Set when the other end has closed in order: told after its last message. */
  #ending = false
  #drained: (() => void)[] = []

  constructor(schedule: Schedule) {
    this.#schedule = schedule
  }

  join(peer: MemoryEnd): void {
    this.#peer = peer
  }

  get backlogMessages(): number {
    return this.#letters.length
  }

  get backlogBytes(): number {
    return this.#bytes
  }

  open(port: LinkPort): Promise<Link> {
    if (this.#opened) {
      const message =
        'This end of the wire was opened before. Make a new pair for a new connection.'
      return Promise.reject(new TransportError('DP_TRANSPORT_CLOSED', message, { sent: 'no' }))
    }
    this.#opened = true
    this.#port = port
    const isCut = this.#closed
    // Not now: nothing may arrive before the caller holds the link.
    queueMicrotask(() =>
      queueMicrotask(() => (isCut ? port.closed(this.#reason) : this.#peer?.pump())),
    )
    return Promise.resolve(this)
  }

  write(outbound: Outbound): Receipt {
    const letter: Letter = { sent: 'no', text: outbound.text }
    if (this.#closed || this.#peer?.isClosed === true) return letter
    this.#letters.push(letter)
    this.#bytes += letter.text.length
    this.#schedule(() => {
      this.#due += 1
      this.pump()
    }, letter.text)
    return letter
  }

  drained(): Promise<void> {
    if (this.#letters.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.#drained.push(resolve))
  }

  /** The other end still gets what was written, then the end; this one gets nothing more. */
  close(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    this.#shut()
    this.#peer?.hangUp()
    return Promise.resolve()
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** Delivers what is due, as far as the other end takes it. */
  pump(): void {
    while (this.#due > 0 && this.#peer?.isReady === true) {
      const letter = this.#letters.shift()
      if (letter === undefined) break
      this.#due -= 1
      this.#bytes -= letter.text.length
      letter.sent = 'yes'
      if (this.#letters.length === 0) this.#settle()
      this.#peer.take(letter.text)
    }
    if (this.#letters.length === 0) this.#peer?.finish()
  }

  get isReady(): boolean {
    return this.#port !== undefined && this.#full === 0 && !this.#closed
  }

  take(text: string): void {
    const port = this.#port
    if (port === undefined) return
    const tooLarge = describeTooLarge(text, port.maxMessageBytes)
    const full = tooLarge === undefined ? port.text(text) : port.unreadable(tooLarge)
    if (full === undefined) return
    this.#full += 1
    const release = (): void => {
      this.#full -= 1
      this.#peer?.pump()
    }
    full.then(release, release)
  }

  /** The other end has closed in order. */
  hangUp(): void {
    this.#ending = true
    // What this end wrote cannot arrive any more.
    this.#drop()
    queueMicrotask(() => this.#peer?.pump())
  }

  /** All that the other end wrote has arrived. */
  finish(): void {
    if (this.#ending && this.#port !== undefined && !this.#closed) this.#shut()
  }

  cut(reason: Error): void {
    if (!this.#closed) this.#shut(reason)
    this.#drop()
  }

  #shut(reason?: Error): void {
    this.#closed = true
    this.#reason = reason
    this.#port?.closed(reason)
  }

  #drop(): void {
    this.#letters = []
    this.#bytes = 0
    this.#settle()
  }

  #settle(): void {
    const waiting = this.#drained
    this.#drained = []
    for (const resolve of waiting) resolve()
  }
}

const EDGE_BYTES = 64 * 1024

/** What is left of a text that is too long for the other end, as a framer would leave it. */
function describeTooLarge(text: string, maxBytes: number): Unreadable | undefined {
  // No text has fewer bytes than units, and none more than three a unit.
  if (text.length * 3 <= maxBytes) return undefined
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxBytes) return undefined
  return {
    reason: 'too-large',
    size: bytes.length,
    head: bytes.slice(0, EDGE_BYTES),
    tail: bytes.slice(Math.max(EDGE_BYTES, bytes.length - EDGE_BYTES)),
  }
}
