/** What was written to a link and is not yet with the carrier: counted, and waited for. */

export class Backlog {
  messages = 0
  /** UTF-16 units: exact for ASCII, an estimate for the rest. */
  bytes = 0
  #drained: (() => void)[] = []

  add(text: string): void {
    this.messages += 1
    this.bytes += text.length
  }

  take(text: string): void {
    this.messages -= 1
    this.bytes -= text.length
    if (this.messages === 0) this.#settle()
  }

  /** Settles when nothing waits any more. */
  drained(): Promise<void> {
    if (this.messages === 0) return Promise.resolve()
    return new Promise((resolve) => this.#drained.push(resolve))
  }

  #settle(): void {
    const waiting = this.#drained
    this.#drained = []
    for (const resolve of waiting) resolve()
  }
}
