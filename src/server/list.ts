/**
 * Lists for the wire, page by page. A list that is the same for everyone is written once per dialect and page, and then
 * sent as it stands; one that depends on who asks is made for each request.
 *
 * A cursor names the last item of the page before, so it stays good when items are added or removed elsewhere.
 */

import { JsonText, type JsonObject } from '../base/json.ts'
import type { Dialect, ServerIdentity } from '../protocol/dialect.ts'
import { invalidParams } from '../protocol/errors.ts'
import type { CacheHint, FeatureOptions, RequestFacts } from '../tools/context.ts'

export interface ListOf<Item extends FeatureOptions> {
  readonly method: string
  /** The member that holds the items, e.g. `tools`. */
  readonly member: string
  readonly nameOf: (item: Item) => string
  readonly items: () => Iterable<Item>
  readonly told: (item: Item) => JsonObject
  /** Items on a page; Infinity for one page. */
  readonly pageSize: number
  readonly cache: CacheHint
  /** Items that must be asked for, to stand behind the others; undefined when there are none. */
  readonly more?: () => ((facts: RequestFacts) => Promise<Iterable<Item>>) | undefined
}

/** Most pages kept in written form. */
const MAX_KEPT = 1000

export class PagedList<Item extends FeatureOptions> {
  readonly #list: ListOf<Item>
  readonly #self: () => ServerIdentity
  readonly #written = new Map<string, JsonText>()
  #personal: boolean | undefined

  constructor(list: ListOf<Item>, self: () => ServerIdentity) {
    this.#list = list
    this.#self = self
  }

  /** Call when the items have changed. */
  forget(): void {
    this.#written.clear()
    this.#personal = undefined
  }

  /** One page as a result for the wire. Throws `RpcRefusal` for a cursor that is none of ours. // PAGE-06 */
  page(dialect: Dialect, cursor: unknown, facts: RequestFacts): JsonText | Promise<JsonText> {
    const from = cursor ?? undefined
    const more = this.#list.more?.()
    if (more !== undefined) return this.#gathered(dialect, from, { facts, more })
    if (this.#isPersonal()) return this.#write(dialect, this.#visible(facts), from)
    const key = `${dialect.revision} ${typeof from === 'string' ? from : ''} ${typeof from}`
    const kept = this.#written.get(key)
    if (kept !== undefined) return kept
    const written = this.#write(dialect, [...this.#list.items()], from)
    if (this.#written.size < MAX_KEPT) this.#written.set(key, written)
    return written
  }

  async #gathered(
    dialect: Dialect,
    from: unknown,
    {
      facts,
      more,
    }: {
      readonly facts: RequestFacts
      readonly more: (facts: RequestFacts) => Promise<Iterable<Item>>
    },
  ): Promise<JsonText> {
    const { nameOf } = this.#list
    const items = new Map(this.#visible(facts).map((item) => [nameOf(item), item]))
    for (const item of await more(facts))
      if (!items.has(nameOf(item))) items.set(nameOf(item), item)
    return this.#write(dialect, [...items.values()], from)
  }

  #isPersonal(): boolean {
    this.#personal ??= [...this.#list.items()].some((item) => item.visibleTo !== undefined)
    return this.#personal
  }

  #visible(facts: RequestFacts): readonly Item[] {
    return [...this.#list.items()].filter((item) => isVisible(item, facts)) // TOOL-02
  }

  #write(dialect: Dialect, items: readonly Item[], cursor: unknown): JsonText {
    const outcome = { kind: 'complete', result: this.#result(items, cursor) } as const
    const encoded = dialect.encodeResult(this.#list.method, outcome, this.#self())
    return encoded instanceof JsonText ? encoded : new JsonText(JSON.stringify(encoded))
  }

  #result(items: readonly Item[], cursor: unknown): JsonObject {
    const { member, told, nameOf, pageSize, cache } = this.#list
    const start = cursor === undefined ? 0 : this.#indexAfter(items, cursor)
    const page = items.slice(
      start,
      pageSize === Number.POSITIVE_INFINITY ? undefined : start + pageSize,
    )
    const last = page.at(-1)
    const more = last !== undefined && start + page.length < items.length
    // What depends on who asks is nobody else's, whatever the server says of its lists. // CACHE-05, CACHE-08
    const scope = this.#isPersonal() ? 'private' : cache.cacheScope
    return {
      [member]: page.map(told),
      ...(more ? { nextCursor: cursorFor(nameOf(last)) } : {}),
      ...(cache.ttlMs === undefined ? {} : { ttlMs: cache.ttlMs }),
      ...(scope === undefined ? {} : { cacheScope: scope }),
    }
  }

  #indexAfter(items: readonly Item[], cursor: unknown): number {
    const name = nameIn(cursor)
    const at = name === undefined ? -1 : items.findIndex((item) => this.#list.nameOf(item) === name)
    if (at < 0) throw invalidParams('The cursor is not one of this list') // PAGE-06, ERR-20
    return at + 1
  }
}

/** Whether a feature exists for whoever asks. // RES-09, TOOL-27 */
export function isVisible(feature: FeatureOptions, facts: RequestFacts): boolean {
  return feature.visibleTo === undefined || feature.visibleTo(facts)
}

const PREFIX = 'after:'

/** Opaque to clients; for us the name of the item before. */
function cursorFor(name: string): string {
  return `${PREFIX}${encodeURIComponent(name)}`
}

/** The name in a cursor of ours, or nothing: only the one spelling that we would have given out counts. */
function nameIn(cursor: unknown): string | undefined {
  if (typeof cursor !== 'string' || !cursor.startsWith(PREFIX)) return undefined
  try {
    const name = decodeURIComponent(cursor.slice(PREFIX.length))
    return cursorFor(name) === cursor ? name : undefined
  } catch {
    return undefined // no such encoding
  }
}
