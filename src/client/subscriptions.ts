/**
 * Changes on the server as one stream, in either era and over any number of links: broadcast notices, or a listen
 * stream of our own that is opened again when it breaks.
 */

import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { Exchange } from '../jsonrpc/exchange.ts'
import type { Notification } from '../jsonrpc/message.ts'
import type { SubscriptionFilter } from '../protocol/types/subscriptions.ts'
import { HEALTHY_MS, MAX_TRIES, pause, pauseMs } from './backoff.ts'
import { call } from './call.ts'
import { changeOf, ChangeQueue, type Change, type ChangeFilter } from './change-queue.ts'
import type { Connection } from './connection.ts'
import { isPassing, waitAsked } from './loss.ts'
import { checkAllowed, send } from './request.ts'
import type { Listener } from './standing.ts'

/** Begins to listen. Throws `CapabilityError` where the agreed revision has no way to. */
export function subscribe(connection: Connection, filter: ChangeFilter): ChangeQueue {
  return new Subscription(connection, filter).queue
}

// No request limit applies: a subscription has no natural end. // SUB-14
const FOREVER = { ms: Number.POSITIVE_INFINITY, setBy: 'subscription' }

/** One listener, over as many links and streams as it takes. */
class Subscription implements Listener {
  readonly queue: ChangeQueue
  readonly uris: readonly string[]
  readonly #connection: Connection
  readonly #gone = new AbortController()
  /** The listen request, where that is how changes are heard. */
  #exchange: Exchange | undefined
  #grantedAt: number | undefined
  /** Requests since one brought a stream that held for a while. */
  #tries = 0
  /** Requests in a row that brought no stream at all. */
  #failures = 0

  constructor(connection: Connection, filter: ChangeFilter) {
    this.#connection = connection
    this.uris = filter.uris ?? []
    this.queue = new ChangeQueue(filter, () => this.#leave())
    this.#begin(false)
    connection.standing.listeners.add(this)
  }

  offer(change: Change): void {
    this.queue.offer(change)
  }

  end(): void {
    this.queue.end()
  }

  /** // SUB-11, SUB-13 */
  restored(): void {
    const old = this.#exchange
    this.#exchange = undefined
    old?.abandon('the connection was replaced')
    try {
      this.#begin(true)
    } catch {
      return this.queue.end() // the server is another one now, which tells of no changes
    }
    if (this.#exchange === undefined) this.queue.offerAll()
  }

  #begin(again: boolean): void {
    const { caller } = this.#connection
    if (caller.dialect.traits.changes === 'listen') {
      checkAllowed(caller, 'subscriptions/listen')
      return this.#listen(again)
    }
    for (const uri of this.uris)
      call(caller, 'resources/subscribe', { uri }).catch(() => this.queue.end()) // RES-05
  }

  #leave(): void {
    const { caller, standing } = this.#connection
    standing.listeners.delete(this)
    this.#gone.abort()
    if (this.#exchange !== undefined) return this.#exchange.cancel('no longer listening') // SUB-08
    const wanted = new Set([...standing.listeners].flatMap(({ uris }) => uris))
    for (const uri of this.uris) {
      if (wanted.has(uri) || !caller.dialect.methods.has('resources/unsubscribe')) continue
      call(caller, 'resources/unsubscribe', { uri }).catch(() => undefined)
    }
  }

  /** Listens by a request that stays open until either side ends it. // SUB-01 */
  #listen(again: boolean): void {
    const { caller } = this.#connection
    const wish = wishOf(this.queue.filter)
    const exchange = send(
      caller,
      { method: 'subscriptions/listen', params: { notifications: wish }, options: undefined },
      { idle: FOREVER, total: FOREVER, onNotification: (heard) => this.#hear(heard, wish, again) },
    )
    this.#exchange = exchange
    exchange.result.then(
      () => {
        if (this.#exchange === exchange) this.queue.end() // SUB-09
      },
      (error: Error) => (this.#exchange === exchange ? this.#lost(error) : undefined),
    )
  }

  #hear(notification: Notification, wish: JsonObject, again: boolean): void {
    const { channel, standing } = this.#connection
    const change = changeOf(notification)
    if (change !== undefined) {
      standing.changed(channel.transport, change)
      this.queue.offer(change)
    } else if (notification.method === 'notifications/cancelled') {
      this.#exchange?.abandon('the server ended the subscription') // SUB-10
      this.queue.end()
    } else if (notification.method === 'notifications/subscriptions/acknowledged') {
      this.#grantedAt = standing.settings.clock.now()
      this.#failures = 0
      const gaps = gapsOf(wish, notification.params?.['notifications'])
      if (gaps.length > 0) channel.note({ kind: 'subscription-gaps', data: { notGranted: gaps } }) // SUB-05
      if (!again) return
      standing.changed(channel.transport)
      this.queue.offerAll() // SUB-13
    }
  }

  /** The stream broke. It is opened again where the link goes on without it; a link that is gone is replaced as a whole. */
  async #lost(error: Error): Promise<void> {
    const connection = this.#connection
    if (this.queue.ended || connection.isReplacing) return // `restored` or `end` follows
    if (!connection.reopens || !isPassing(error)) return this.queue.end()
    const { clock, random } = connection.standing.settings
    const held = this.#grantedAt === undefined ? 0 : clock.now() - this.#grantedAt
    this.#tries = held >= HEALTHY_MS ? 1 : this.#tries + 1
    this.#grantedAt = undefined
    this.#failures += 1
    if (this.#failures > MAX_TRIES) return this.queue.end()
    const { caller } = connection
    await pause(clock, waitAsked(error, pauseMs(this.#tries, random)), this.#gone.signal)
    if (this.queue.ended || connection.isReplacing || connection.caller !== caller) return
    this.#listen(true)
  }
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
