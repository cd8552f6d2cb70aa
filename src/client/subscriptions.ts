/**
 * Changes on the server as one stream, in either era: broadcast notices, or a listen stream of our own.
 *
 * Changes are hints that something should be read again. Equal ones that nobody has taken yet count once, so the
 * stream is bounded by what was asked for.
 */

import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { Notification } from '../jsonrpc/message.ts'
import type { SubscriptionFilter } from '../protocol/types/subscriptions.ts'
import { call, checkAllowed, send, type Caller } from './call.ts'

/** Which changes to hear of. */
export interface ChangeFilter {
  readonly tools?: boolean
  readonly prompts?: boolean
  readonly resources?: boolean
  /** URIs of single resources. */
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

/** Changes waiting for one listener. */
export class ChangeQueue implements AsyncIterableIterator<Change> {
  readonly #filter: ChangeFilter
  readonly #uris: ReadonlySet<string>
  readonly #leave: () => void
  readonly #waiting = new Map<string, Change>()
  #reader: ((step: IteratorResult<Change, undefined>) => void) | undefined
  #ended = false

  /** `leave` is called once, when the listener goes or the stream ends. */
  constructor(filter: ChangeFilter, leave: () => void) {
    this.#filter = filter
    this.#uris = new Set(filter.uris)
    this.#leave = leave
  }

  /** Takes a change in, if the filter wants it. */
  offer(change: Change): void {
    const wanted =
      change.kind === 'resource' ? this.#uris.has(change.uri) : this.#filter[change.kind] === true
    if (this.#ended || !wanted) return
    if (this.#reader !== undefined) {
      const reader = this.#reader
      this.#reader = undefined
      return reader({ value: change, done: false })
    }
    this.#waiting.set(change.kind === 'resource' ? `uri ${change.uri}` : change.kind, change)
  }

  /** No more will come; what waits is still handed out. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#leave()
    this.#reader?.({ value: undefined, done: true })
    this.#reader = undefined
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
      this.#reader = resolve
    })
  }

  return(): Promise<IteratorResult<Change, undefined>> {
    this.#waiting.clear()
    this.end()
    return Promise.resolve({ value: undefined, done: true })
  }
}

/** Listens by a request of its own that stays open until either side ends it. // SUB-01 */
export function listen(
  caller: Caller,
  filter: ChangeFilter,
  note: (kind: string, data: JsonObject) => void,
): ChangeQueue {
  checkAllowed(caller, 'subscriptions/listen')
  const wish = wishOf(filter)
  const heard = (notification: Notification): void => {
    const change = changeOf(notification)
    if (change !== undefined) return queue.offer(change)
    if (notification.method === 'notifications/cancelled') {
      exchange.abandon('the server ended the subscription') // SUB-10
    } else if (notification.method === 'notifications/subscriptions/acknowledged') {
      const gaps = gapsOf(wish, notification.params?.['notifications'])
      if (gaps.length > 0) note('subscription-gaps', { notGranted: gaps }) // SUB-05
    }
  }
  // No request limit applies: a subscription has no natural end. // SUB-14
  const forever = { ms: Number.POSITIVE_INFINITY, setBy: 'subscription' }
  const exchange = send(
    caller,
    { method: 'subscriptions/listen', params: { notifications: wish }, options: undefined },
    { idle: forever, total: forever, onNotification: heard },
  )
  const queue = new ChangeQueue(filter, () => exchange.cancel('no longer listening')) // SUB-08
  exchange.result.then(
    () => queue.end(), // SUB-09
    () => queue.end(),
  )
  return queue
}

/** Hears broadcasts through `listeners`; single resources are subscribed to by a request each. // RES-05 */
export function hear(
  caller: Caller,
  filter: ChangeFilter,
  listeners: Set<ChangeQueue>,
): ChangeQueue {
  const queue: ChangeQueue = new ChangeQueue(filter, () => {
    listeners.delete(queue)
    for (const uri of filter.uris ?? [])
      void call(caller, 'resources/unsubscribe', { uri }).catch(() => undefined)
  })
  listeners.add(queue)
  for (const uri of filter.uris ?? [])
    call(caller, 'resources/subscribe', { uri }).catch(() => queue.end())
  return queue
}

function wishOf({ tools, prompts, resources, uris }: ChangeFilter): JsonObject {
  return {
    ...(tools === true ? { toolsListChanged: true } : {}),
    ...(prompts === true ? { promptsListChanged: true } : {}),
    ...(resources === true ? { resourcesListChanged: true } : {}),
    ...(uris === undefined || uris.length === 0 ? {} : { resourceSubscriptions: [...uris] }),
  }
}

/** What was wished for and not granted. */
function gapsOf(wish: SubscriptionFilter, granted: unknown): string[] {
  const given = isJsonObject(granted) ? granted : {}
  return Object.keys(wish).filter((name) => given[name] === undefined || given[name] === false)
}
