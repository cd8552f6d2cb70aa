/**
 * Holds back what must come after something else, for a bounded time. The first words on a link have to arrive before
 * what is said next, and every message has a connection of its own. // LIFE-04
 */

import type { Clock, Timer } from '../../base/clock.ts'

/** How long what was written first may hold up what comes after it, in ms. */
const GATE_MS = 5000

export class Gate<Item> {
  #held: Item[] | undefined
  #timer: Timer | undefined

  /** Keeps an item when the gate is shut; false when there is nothing to wait for. */
  keep(item: Item): boolean {
    this.#held?.push(item)
    return this.#held !== undefined
  }

  /** Shuts the gate until the promise settles, or time is up; what was kept is then handed out in order. Once. */
  shut(clock: Clock, until: Promise<void>, onOpen: (items: readonly Item[]) => void): void {
    this.#held = []
    const open = (): void => {
      const held = this.#held
      if (held === undefined) return
      this.stop()
      onOpen(held)
    }
    this.#timer = clock.after(GATE_MS, open)
    void until.then(open)
  }

  /** Forgets what it holds; nothing is handed out any more. */
  stop(): void {
    this.#timer?.cancel()
    this.#held = undefined
  }
}
