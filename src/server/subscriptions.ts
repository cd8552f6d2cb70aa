/**
 * What one link wants to be told of: its listen streams, and the single resources that a legacy session subscribed to.
 */

import { RpcRefusal } from '../base/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { isUri } from '../formats/uri.ts'
import type { InboundRequest } from '../jsonrpc/inbound-request.ts'
import { INTERNAL_ERROR, type RequestId } from '../jsonrpc/message.ts'
import type { Dialect } from '../protocol/dialect.ts'
import { invalidParams } from '../protocol/errors.ts'
import type { ServerCapabilities } from '../protocol/types/common.ts'
import type { RequestFacts } from '../tools/context.ts'
import type { ChangeNotice, ResourceChange } from './changes.ts'

interface Subscription {
  readonly granted: JsonObject
  readonly watched: ReadonlySet<string>
  readonly request: InboundRequest
  readonly facts: RequestFacts
  readonly meta: JsonObject
  readonly end: (result: JsonObject) => void
}

/** How a stream is opened. */
export interface Listening {
  readonly dialect: Dialect
  readonly capabilities: ServerCapabilities
  readonly facts: RequestFacts
  /** Tasks whose changes are told on this stream, by whoever keeps them. // TASKX-15 */
  readonly taskIds: readonly string[]
  /** Whether there is such a resource for this client. */
  readonly exists: (uri: string) => boolean
}

export interface SubscriptionLimits {
  readonly maxSubscriptions: number
  readonly maxWatched: number
}

export class Subscriptions {
  readonly #limits: SubscriptionLimits
  /** By request and not by its id: links that share an id share nothing else. Made when it is needed. */
  #open: Set<Subscription> | undefined
  /** What a legacy session watches, with the facts of the request that asked for it. Made when it is needed. */
  #watched: Map<string, RequestFacts> | undefined
  /** How many URIs the listen streams watch in all. */
  #listened = 0

  constructor(limits: SubscriptionLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#open?.size ?? 0
  }

  /** Opens a stream: acknowledges, then stays open until either side ends it. // SUB-03 */
  open(request: InboundRequest, params: JsonObject, listening: Listening): Promise<JsonObject> {
    const wish = params['notifications']
    if (!isJsonObject(wish)) throw invalidParams('The member "notifications" must be an object') // SUB-01
    const { maxSubscriptions } = this.#limits
    if (this.size >= maxSubscriptions)
      throw busy(`${maxSubscriptions} subscriptions are open on this connection`)
    const watched = this.#grantUris(wish['resourceSubscriptions'], listening)
    const granted = {
      ...grantLists(wish, listening.capabilities),
      ...(watched.size === 0 ? {} : { resourceSubscriptions: [...watched] }),
      ...(listening.taskIds.length === 0 ? {} : { taskIds: [...listening.taskIds] }),
    }
    const meta = listening.dialect.subscriptionMeta(request.id) ?? {}
    const { facts } = listening
    return new Promise((resolve) => {
      const subscription = { granted, watched, request, facts, meta, end: resolve }
      ;(this.#open ??= new Set()).add(subscription)
      this.#listened += watched.size
      request.signal.addEventListener('abort', () => this.#close(subscription), { once: true }) // SUB-08
      request.notify('notifications/subscriptions/acknowledged', {
        notifications: granted,
        _meta: meta,
      }) // SUB-03, SUB-06
    })
  }

  /** A legacy session watches one more resource. // RES-05 */
  watch(uri: string, facts: RequestFacts): void {
    const watched = (this.#watched ??= new Map())
    const { maxWatched } = this.#limits
    if (!watched.has(uri) && watched.size >= maxWatched)
      throw busy(`${maxWatched} resources are watched on this connection`)
    watched.set(uri, facts)
  }

  /** It need not have been watched. */
  unwatch(uri: string): void {
    this.#watched?.delete(uri)
  }

  /** Whether the legacy session of this link is to be told. */
  watches({ uri, mayHear }: ResourceChange): boolean {
    const watched = this.#watched
    if (watched === undefined || watched.size === 0) return false
    return parentsOf(uri).some((parent) => {
      const facts = watched.get(parent)
      return facts !== undefined && mayHear(facts)
    })
  }

  /** Tells a change to every stream that was granted it. // SUB-02, TOOL-23, RES-06 */
  tell(notice: ChangeNotice): void {
    if (this.#open === undefined || this.#open.size === 0) return
    const parents = 'uri' in notice ? parentsOf(notice.uri) : []
    for (const { granted, watched, request, facts, meta } of this.#open) {
      if (!('uri' in notice)) {
        if (granted[notice.wanted] === true) request.notify(notice.method, { _meta: meta }) // SUB-06
      } else if (parents.some((parent) => watched.has(parent)) && notice.mayHear(facts)) {
        request.notify(notice.method, { uri: notice.uri, _meta: meta }) // SUB-06
      }
    }
  }

  /** Ends every stream in order: its response, then the cancellation that stdio wants; `cancel` sends that. // SUB-09, SUB-10 */
  async endAll(cancel: (id: RequestId) => void): Promise<void> {
    const open = [...(this.#open ?? [])]
    for (const subscription of open) this.#close(subscription)
    const ended = open.map(({ end, request, meta }) => {
      const answered = new Promise<void>((resolve) => request.whenEnded(resolve))
      end({ _meta: meta })
      return answered.then(() => cancel(request.id))
    })
    await Promise.all(ended)
  }

  #close(subscription: Subscription): void {
    if (this.#open?.delete(subscription) === true) this.#listened -= subscription.watched.size
  }

  /** Resources that exist for this client, as many as there is room for; the rest is left out. // SUB-04 */
  #grantUris(
    wish: JsonValue | undefined,
    { capabilities, exists }: Listening,
  ): ReadonlySet<string> {
    const granted = new Set<string>()
    if (!Array.isArray(wish) || capabilities.resources?.subscribe !== true) return granted
    const room = this.#limits.maxWatched - this.#listened
    for (const uri of wish) {
      if (granted.size >= room) break
      if (typeof uri === 'string' && isUri(uri) && exists(uri)) granted.add(uri)
    }
    return granted
  }
}

/** The part of a wish for lists that this server can keep. // SUB-04 */
function grantLists(wish: JsonObject, capabilities: ServerCapabilities): JsonObject {
  const { tools, prompts, resources } = capabilities
  return {
    ...(wish['toolsListChanged'] === true && tools?.listChanged === true
      ? { toolsListChanged: true }
      : {}),
    ...(wish['promptsListChanged'] === true && prompts?.listChanged === true
      ? { promptsListChanged: true }
      : {}),
    ...(wish['resourcesListChanged'] === true && resources?.listChanged === true
      ? { resourcesListChanged: true }
      : {}),
  }
}

/** Most levels above a URI that are looked at. */
const MAX_LEVELS = 64

/**
 * The URI and those above it, with and without a slash at their end: whoever watches a directory hears of what is in it.
 * // RES-15
 */
export function parentsOf(uri: string): readonly string[] {
  const parents = [uri]
  // Not above the authority, nor a path that is nothing: `file://` and `x:` are no resources.
  const colon = uri.indexOf(':')
  const rest = uri.startsWith('/', colon + 1) ? colon + 1 : colon
  const path = uri.startsWith('//', colon + 1) ? uri.indexOf('/', colon + 3) : rest
  if (path < 0) return parents
  for (let at = uri.lastIndexOf('/'); at >= path && parents.length < MAX_LEVELS * 2;) {
    if (at < uri.length - 1) parents.push(uri.slice(0, at + 1))
    if (at > path || at > colon + 3) parents.push(uri.slice(0, at))
    at = uri.lastIndexOf('/', at - 1)
    if (at <= 0) break
  }
  return parents
}

function busy(why: string): RpcRefusal {
  return new RpcRefusal(INTERNAL_ERROR, `Busy: ${why}`)
}
