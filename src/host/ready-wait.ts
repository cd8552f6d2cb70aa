/** Everybody who waits for a server to take calls, and how they hear of it. */

import { CancelledError } from '../base/errors.ts'
import { watchAbort } from '../jsonrpc/abort-watch.ts'

interface Waiter {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export class ReadyWait {
  readonly #server: string
  readonly #waiters = new Set<Waiter>()

  /** `server` is named in errors. */
  constructor(server: string) {
    this.#server = server
  }

  /** Settles with `resolve` or `reject`, or rejects when the signal aborts. Keeps the process alive meanwhile. */
  async wait(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) throw this.#cancelled(signal)
    // The clock's timers let the process end, and then nobody would be left to start the server.
    const awake = setInterval(() => undefined, 1 << 30)
    let waiter: Waiter | undefined
    let unwatch: (() => void) | undefined
    try {
      await new Promise<void>((resolve, reject) => {
        waiter = { resolve, reject }
        this.#waiters.add(waiter)
        if (signal !== undefined)
          unwatch = watchAbort(signal, () => reject(this.#cancelled(signal)))
      })
    } finally {
      clearInterval(awake)
      unwatch?.()
      if (waiter !== undefined) this.#waiters.delete(waiter)
    }
  }

  resolve(): void {
    for (const { resolve } of this.#waiters) resolve()
  }

  reject(error: () => Error): void {
    for (const { reject } of this.#waiters) reject(error())
  }

  #cancelled(signal: AbortSignal): CancelledError {
    const reason: unknown = signal.reason
    const message = `Waiting for "${this.#server}" was given up.`
    return new CancelledError(message, { server: this.#server, reason, cause: reason })
  }
}
