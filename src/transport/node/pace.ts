/**
 * Holds a source up while the reader above it is full. A source is anything that pauses and resumes: a pipe, a socket.
 *
 * What the source has read already is still handed over; each such text may say "full" once more.
 */

/** The part of a stream that is steered. */
export interface Pausable {
  pause(): unknown
  resume(): unknown
}

export class Pace {
  readonly #source: Pausable
  #full = 0
  #over = false

  constructor(source: Pausable) {
    this.#source = source
  }

  /** True while the source is held up. */
  get holds(): boolean {
    return this.#full > 0 && !this.#over
  }

  /** Takes what `LinkPort.text` returned for one message. */
  mind(full: void | Promise<void>): void {
    if (full === undefined || this.#over) return
    if (this.#full === 0) this.#source.pause()
    this.#full += 1
    full.then(this.#release, this.#release)
  }

  /** From now on nothing is held up: the link is closing, and the source must come to its end. May be called more than once. */
  letGo(): void {
    if (this.holds) this.#source.resume()
    this.#over = true
  }

  /** From now on the source is left as it is. */
  stop(): void {
    this.#over = true
  }

  readonly #release = (): void => {
    this.#full -= 1
    if (this.#full === 0 && !this.#over) this.#source.resume()
  }
}
