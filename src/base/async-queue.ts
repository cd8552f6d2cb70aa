/**
 * A bounded queue between someone who pushes and one reader who pulls with `for await`.
 *
 * It neither drops nor blocks: a pusher that finds it full gets a promise to wait for. One reader only.
 */

import { BugError } from './errors.ts'

export interface AsyncQueueOptions {
  /** Items held before `push` answers "full". Default 1,024. */
  readonly limit?: number
}

export class AsyncQueue<Item> implements AsyncIterable<Item>, AsyncIterator<Item, undefined> {
  readonly #limit: number
  #items: Item[] = []
  #head = 0
  #ended = false
  #failure: Error | undefined
  #reader:
    | { resolve(step: IteratorResult<Item, undefined>): void; reject(error: Error): void }
    | undefined
  #onReady: ((more: boolean) => void) | undefined
  #room: { promise: Promise<void>; resolve(): void } | undefined
  #taken = false

  constructor(options: AsyncQueueOptions = {}) {
    this.#limit = options.limit ?? 1024
  }

  get size(): number {
    return this.#items.length - this.#head
  }

  /**
   * Adds an item; it is always taken, unless the queue has ended. A returned promise means that the queue is
   * full: push nothing more until it settles.
   */
  push(item: Item): void | Promise<void> {
    if (this.#ended) return
    const reader = this.#reader
    if (reader !== undefined) {
      this.#reader = undefined
      reader.resolve({ value: item, done: false })
      return
    }
    this.#items.push(item)
    this.#tellReady(true)
    if (this.size >= this.#limit) return this.#waitForRoom()
  }

  /** Ends the stream after what is queued; with an error the reader then gets that. The first call counts. */
  end(error?: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#failure = error
    const reader = this.#reader
    if (reader !== undefined) {
      this.#reader = undefined
      if (error === undefined) reader.resolve({ value: undefined, done: true })
      else reader.reject(error)
    }
    this.#tellReady(false)
    this.#openRoom()
  }

  [Symbol.asyncIterator](): this {
    if (this.#taken) throw new BugError('A queue is read once, and this one has a reader already.')
    this.#taken = true
    return this
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    if (this.#head < this.#items.length)
      return Promise.resolve({ value: this.#shift(), done: false })
    if (this.#ended) {
      return this.#failure === undefined
        ? Promise.resolve({ value: undefined, done: true })
        : Promise.reject(this.#failure)
    }
    if (this.#reader !== undefined) throw new BugError('A queue was pulled twice at once.')
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject }
    })
  }

  /**
   * Another way to read, with `poll`: true as soon as something is queued, false when nothing ever will be. Unlike a pull it
   * leaves nothing of the last item behind in a reader that waits.
   */
  ready(): boolean | Promise<boolean> {
    if (this.#head < this.#items.length) return true
    if (this.#ended) return false
    if (this.#onReady !== undefined) throw new BugError('A queue was waited for twice at once.')
    return new Promise((resolve) => (this.#onReady = resolve))
  }

  /** What is queued, at once and without a promise; undefined when nothing is. For the one reader, between its pulls. */
  poll(): Item | undefined {
    return this.#head < this.#items.length ? this.#shift() : undefined
  }

  /** The reader leaves: what is queued is dropped, and so is everything pushed later. */
  return(): Promise<IteratorResult<Item, undefined>> {
    this.#items = []
    this.#head = 0
    this.end()
    return Promise.resolve({ value: undefined, done: true })
  }

  #shift(): Item {
    const item = this.#items[this.#head] as Item // `next` checked that head is inside
    this.#head += 1
    if (this.#head === this.#items.length) {
      this.#items = []
      this.#head = 0
      this.#openRoom()
    } else if (this.size <= this.#limit / 2) {
      this.#openRoom()
    }
    return item
  }

  #tellReady(more: boolean): void {
    const tell = this.#onReady
    if (tell === undefined) return
    this.#onReady = undefined
    tell(more)
  }

  #waitForRoom(): Promise<void> {
    if (this.#room === undefined) {
      let resolve = (): void => {}
      const promise = new Promise<void>((done) => {
        resolve = done
      })
      this.#room = { promise, resolve }
    }
    return this.#room.promise
  }

  #openRoom(): void {
    const room = this.#room
    this.#room = undefined
    room?.resolve()
  }
}
