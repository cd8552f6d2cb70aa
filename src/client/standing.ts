/**
 * What stays while the links of a client come and go: its settings, and who waits for what the server says unasked.
 */

import type { JsonObject } from '../base/json.ts'
import type { Transport } from '../jsonrpc/link.ts'
import type { Notification } from '../jsonrpc/message.ts'
import type { Caller, FailedCall } from './request.ts'
import { changeOf, type Change } from './change-queue.ts'
import type { Settings } from './options.ts'
import { ToolChecks } from './tools.ts'

/** One way to the server that is open, negotiated and ready. */
export interface Opened {
  readonly caller: Caller
  /** What was opened: it may be the fallback of what was given. */
  readonly transport: Transport
}

/** Someone who hears of changes, on whatever link they come. */
export interface Listener {
  /** Single resources that it watches. */
  readonly uris: readonly string[]
  /** A change that was told to everyone. */
  offer(change: Change): void
  /** The link was replaced: what it was asked to tell must be asked again, and anything may have changed. // SUB-13 */
  restored(): void
  /** Nothing will ever come. */
  end(): void
}

export class Standing {
  readonly settings: Settings
  readonly checks: ToolChecks = new ToolChecks()
  readonly listeners: Set<Listener> = new Set()
  /** Who waits for the end of a visit to a URL, by its id. // ELIC-16 */
  readonly visits: Map<string, Set<() => void>> = new Map()
  /** Set by the client once there is one. Must not throw. */
  rescue: (failed: FailedCall) => Promise<JsonObject> | undefined = () => undefined

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** Takes what waits for someone here; true when nobody else needs to hear of it. */
  hear(notification: Notification, from: { server: string; broadcasts: boolean }): boolean {
    const { method, params } = notification
    const change = changeOf(notification)
    if (change !== undefined) {
      this.changed(from.server, change)
      // In the era of listen streams a change that names no stream of ours is nobody's. // STDIO-13
      if (from.broadcasts) for (const listener of this.listeners) listener.offer(change)
      return false
    }
    if (method !== 'notifications/elicitation/complete') return false
    const id = params?.['elicitationId']
    const waiting = typeof id === 'string' ? this.visits.get(id) : undefined
    for (const done of waiting ?? []) done()
    return waiting !== undefined // ELIC-17
  }

  /** What is kept of the server is old news, as far as the change goes; without one, all of it. // CACHE-06, SUB-13 */
  changed(server: string, change?: Change): void {
    this.settings.cache?.changed(server, change)
  }

  /** There is a new link. */
  restored(server: string): void {
    this.changed(server)
    for (const listener of this.listeners) listener.restored()
  }
}
