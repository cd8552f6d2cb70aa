/**
 * Results that a server allowed to be kept, for as long as it allowed and no change was told.
 *
 * Kept as text, so that what one caller does to a result is not what the next one gets. What a server calls private is
 * found again only by the same authorization; what it does not call public is private. // CACHE-04
 */

import { systemClock, type Clock } from '../base/clock.ts'
import { canonicalJson, type JsonObject } from '../base/json.ts'
import { isWithin, type Change } from './change-queue.ts'

/** One question, and who asks whom. */
export interface CacheKey {
  /** Names the server. */
  readonly server: string
  /** Names who asks. */
  readonly authorization: string
  /** The revision that they speak: results of another one may look differently. */
  readonly revision: string
  readonly method: string
  readonly params: JsonObject | undefined
}

export interface ResponseCacheOptions {
  /** Results kept at most; the ones that were not used for longest go first. Default 1,000. */
  readonly maxEntries?: number
  /** Memory for them, keys counted in, in bytes. Default 16 MiB. */
  readonly maxBytes?: number
  readonly clock?: Clock
}

interface Entry {
  readonly key: CacheKey
  readonly text: string
  readonly bytes: number
  freshUntil: number
}

/** No result is fresh for longer, whatever its server says: a day. */
const MAX_TTL_MS = 24 * 60 * 60 * 1000

/** Methods whose results a change makes old. */
const TOUCHED: { readonly [kind in Change['kind']]: readonly string[] } = {
  tools: ['tools/list'],
  prompts: ['prompts/list'],
  resources: ['resources/list', 'resources/templates/list'],
  resource: ['resources/read'],
}

/**
 * Hand one to several clients to let them share what their servers call public. Clients count as clients of the same server
 * when their transports have the same name: share one only among those for which that is true.
 */
export class ResponseCache {
  readonly #entries = new Map<string, Entry>()
  readonly #maxEntries: number
  readonly #maxBytes: number
  readonly #clock: Clock
  #bytes = 0
  #changes = 0

  constructor(options: ResponseCacheOptions = {}) {
    this.#maxEntries = options.maxEntries ?? 1000
    this.#maxBytes = options.maxBytes ?? 16 * 1024 * 1024
    this.#clock = options.clock ?? systemClock
  }

  get size(): number {
    return this.#entries.size
  }

  /** An estimate of the memory that the results take. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many changes were told so far. Take it before asking, and give it to `keep`. */
  get changes(): number {
    return this.#changes
  }

  /** A result that was kept, and whether it is still fresh. */
  find(key: CacheKey): { readonly result: JsonObject; readonly fresh: boolean } | undefined {
    for (const name of [nameOf(key, 'private'), nameOf(key, 'public')]) {
      const entry = this.#entries.get(name)
      if (entry === undefined) continue
      this.#entries.delete(name)
      this.#entries.set(name, entry)
      // It was written by JSON.stringify from an object.
      const result = JSON.parse(entry.text) as JsonObject
      return { result, fresh: this.#clock.now() < entry.freshUntil }
    }
    return undefined
  }

  /** Keeps a result if its server allows it, and nothing changed since it was asked for. // CACHE-03 */
  keep(key: CacheKey, result: JsonObject, changes: number): void {
    const ttlMs = result['ttlMs']
    this.#drop(nameOf(key, 'private'))
    this.#drop(nameOf(key, 'public'))
    if (typeof ttlMs !== 'number' || !(ttlMs > 0) || changes !== this.#changes) return
    const name = nameOf(key, result['cacheScope'] === 'public' ? 'public' : 'private')
    const text = JSON.stringify(result)
    const bytes = 2 * (name.length + text.length)
    if (bytes > this.#maxBytes || this.#maxEntries < 1) return
    const freshUntil = this.#clock.now() + Math.min(ttlMs, MAX_TTL_MS)
    this.#entries.set(name, { key, text, bytes, freshUntil })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) return
      this.#drop(oldest)
    }
  }

  /** What the change touches is no longer fresh, for everyone who asks this server; without one, nothing is. // CACHE-06 */
  changed(server: string, change?: Change): void {
    this.#outdate((key) => key.server === server && (change === undefined || touches(change, key)))
  }

  /** All pages of a list are no longer fresh. // CACHE-09 */
  startOver(server: string, method: string): void {
    this.#outdate((key) => key.server === server && key.method === method)
  }

  /** Forgets everything. */
  clear(): void {
    this.#changes += 1
    this.#entries.clear()
    this.#bytes = 0
  }

  #outdate(isOld: (key: CacheKey) => boolean): void {
    this.#changes += 1
    for (const entry of this.#entries.values())
      if (isOld(entry.key)) entry.freshUntil = Number.NEGATIVE_INFINITY
  }

  #drop(name: string): void {
    const entry = this.#entries.get(name)
    if (entry === undefined) return
    this.#entries.delete(name)
    this.#bytes -= entry.bytes
  }
}

function touches(change: Change, { method, params }: CacheKey): boolean {
  if (!TOUCHED[change.kind].includes(method)) return false
  if (change.kind !== 'resource') return true
  const uri = params?.['uri']
  return typeof uri === 'string' && isWithin(change.uri, uri) // RES-15
}

/** All that a result depends on, as one text. // CACHE-02 */
function nameOf(key: CacheKey, scope: 'public' | 'private'): string {
  const { server, authorization, revision, method, params } = key
  const who = scope === 'private' ? [authorization] : []
  return `${JSON.stringify([server, revision, method, ...who])} ${canonicalJson(params ?? {})}`
}
