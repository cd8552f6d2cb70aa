/**
 * Lists for the wire, page by page, each page written once per dialect and then sent as it stands.
 *
 * A cursor names the last item of the page before, so it stays good when items are added or removed elsewhere.
 */

import { JsonText, type JsonObject } from '../base/json.ts'
import type { Dialect, ServerIdentity } from '../protocol/dialect.ts'
import { invalidParams } from '../protocol/errors.ts'

export interface ListOf<Item> {
  readonly method: string
  /** The member that holds the items, e.g. `tools`. */
  readonly member: string
  readonly nameOf: (item: Item) => string
  readonly items: () => Iterable<Item>
  readonly told: (item: Item) => JsonObject
  /** Items on a page; Infinity for one page. */
  readonly pageSize: number
}

/** Most pages kept in written form. */
const MAX_KEPT = 1000

export class PagedList<Item> {
  readonly #list: ListOf<Item>
  readonly #self: () => ServerIdentity
  readonly #written = new Map<string, JsonText>()

  constructor(list: ListOf<Item>, self: () => ServerIdentity) {
    this.#list = list
    this.#self = self
  }

  /** Call when the items have changed. */
  forget(): void {
    this.#written.clear()
  }

  /** One page as a result for the wire. Throws `RpcRefusal` for a cursor that is none of ours. // PAGE-06 */
  page(dialect: Dialect, cursor: unknown): JsonText {
    const from = cursor ?? undefined
    const key = `${dialect.revision} ${typeof from === 'string' ? from : ''} ${typeof from}`
    const kept = this.#written.get(key)
    if (kept !== undefined) return kept
    const outcome = { kind: 'complete', result: this.#result(from) } as const
    const encoded = dialect.encodeResult(this.#list.method, outcome, this.#self())
    const written = encoded instanceof JsonText ? encoded : new JsonText(JSON.stringify(encoded))
    if (this.#written.size < MAX_KEPT) this.#written.set(key, written)
    return written
  }

  #result(cursor: unknown): JsonObject {
    const { member, told, nameOf, pageSize } = this.#list
    const items = [...this.#list.items()]
    const start = cursor === undefined ? 0 : this.#indexAfter(items, cursor)
    const page = items.slice(
      start,
      pageSize === Number.POSITIVE_INFINITY ? undefined : start + pageSize,
    )
    const last = page.at(-1)
    const more = last !== undefined && start + page.length < items.length
    return { [member]: page.map(told), ...(more ? { nextCursor: cursorFor(nameOf(last)) } : {}) }
  }

  #indexAfter(items: readonly Item[], cursor: unknown): number {
    const name = nameIn(cursor)
    const at = name === undefined ? -1 : items.findIndex((item) => this.#list.nameOf(item) === name)
    if (at < 0) throw invalidParams('The cursor is not one of this list') // PAGE-06, ERR-20
    return at + 1
  }
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
