/**
 * Changes that wait for one listener. They are hints that something should be read again: equal ones that nobody has
 * taken yet count once, so that a queue is bounded by what was asked for.
 */

import type { Notification } from '../jsonrpc/message.ts'

/** Which changes to hear of. */
export interface ChangeFilter {
  readonly tools?: boolean
  readonly prompts?: boolean
  readonly resources?: boolean
  /** URIs of single resources; a change of something below one is told as well, by its own URI. // RES-15 */
  readonly uris?: readonly string[]
}

export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string }

const KINDS: ReadonlyMap<string, 'tools' | 'prompts' | 'resources'> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/prompts/list_changed', 'prompts'],
  ['notifications/resources/list_changed', 'resources'],
])

/** The change that a notification tells of, or nothing. */
export function changeOf({ method, params }: Notification): Change | undefined {
  const kind = KINDS.get(method)
  if (kind !== undefined) return { kind }
  const uri = params?.['uri']
  return method === 'notifications/resources/updated' && typeof uri === 'string'
    ? { kind: 'resource', uri }
    : undefined
}

/** Whether a URI is the watched one, or stands below it. // RES-15 */
export function isWithin(uri: string, watched: string): boolean {
  if (!uri.startsWith(watched)) return false
  return (
    uri.length === watched.length ||
    watched.endsWith('/') ||
    '/?#'.includes(uri.charAt(watched.length))
  )
}

/** Most changes of things below watched resources that are held apart; what comes above them is told of the watched ones. */
const MAX_WAITING = 1000

export class ChangeQueue implements AsyncIterableIterator<Change> {
  readonly filter: ChangeFilter
  readonly #uris: ReadonlySet<string>
  readonly #leave: () => void
  readonly #waiting = new Map<string, Change>()
  readonly #readers: ((step: IteratorResult<Change, undefined>) => void)[] = []
  #ended = false

  /** `leave` is called once, when the listener goes or the stream ends. */
  constructor(filter: ChangeFilter, leave: () => void) {
    this.filter = filter
    this.#uris = new Set(filter.uris)
    this.#leave = leave
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Takes a change in, if the filter wants it. */
  offer(change: Change): void {
    if (change.kind !== 'resource') {
      if (this.filter[change.kind] === true) this.#take(change.kind, change)
      return
    }
    const { uri } = change
    if (this.#uris.has(uri)) return this.#take(`uri ${uri}`, change)
    const above = [...this.#uris].find((watched) => isWithin(uri, watched))
    if (above === undefined) return
    if (this.#waiting.size < MAX_WAITING) return this.#take(`uri ${uri}`, change)
    this.#take(`uri ${above}`, { kind: 'resource', uri: above })
  }

  /** Tells of everything that was asked for: it may have changed while nobody listened. // SUB-13 */
  offerAll(): void {
    for (const kind of ['tools', 'prompts', 'resources'] as const) this.offer({ kind })
    for (const uri of this.#uris) this.offer({ kind: 'resource', uri })
  }

  #take(key: string, change: Change): void {
    if (this.#ended) return
    const reader = this.#readers.shift()
    if (reader === undefined) this.#waiting.set(key, change)
    else reader({ value: change, done: false })
  }

  /** No more will come; what waits is still handed out. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#leave()
    for (const reader of this.#readers.splice(0)) reader({ value: undefined, done: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Change, undefined>> {
    for (const [key, value] of this.#waiting) {
      this.#waiting.delete(key)
      return Promise.resolve({ value, done: false })
    }
    if (this.#ended) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve) => {
      this.#readers.push(resolve)
    })
  }

  return(): Promise<IteratorResult<Change, undefined>> {
    this.#waiting.clear()
    this.end()
    return Promise.resolve({ value: undefined, done: true })
  }
}
