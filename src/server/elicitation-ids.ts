/**
 * The visits by URL that one client was asked for, so that only that client is told when one is over. // ELIC-16
 */

/** Most visits remembered for one link; the oldest are forgotten first, and then end without a notice. */
const MAX_VISITS = 1024

export class ElicitationIds {
  /** Made with the first visit: most links have none. */
  #ids: Set<string> | undefined

  add(id: string): void {
    const ids = (this.#ids ??= new Set())
    ids.delete(id)
    ids.add(id)
    if (ids.size <= MAX_VISITS) return
    for (const oldest of ids) {
      ids.delete(oldest)
      break
    }
  }

  /** Forgets one; false when it was not there. */
  take(id: string): boolean {
    return this.#ids?.delete(id) === true
  }
}
