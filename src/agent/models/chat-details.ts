/**
 * Reasoning in signed pieces, as routers in front of several providers give it: put together again from a stream, so that it
 * can go back as the provider wrote it.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'

/** Most pieces of one reply. */
export const MAX_DETAILS = 4096

/** Members that a stream cuts; of all others the last one counts. */
const CUT_MEMBERS: ReadonlySet<string> = new Set(['text', 'summary', 'data'])

export class ReasoningDetails {
  readonly #items: JsonObject[] = []

  get items(): readonly JsonValue[] {
    return this.#items
  }

  /** Takes what one message or one piece of it holds; gives whether there was anything. */
  add(details: unknown): boolean {
    if (!Array.isArray(details)) return false
    for (const detail of details) if (isJsonObject(detail)) this.#addOne(detail)
    return details.length > 0
  }

  #addOne(detail: JsonObject): void {
    const last = this.#items.at(-1)
    if (last !== undefined && continues(last, detail)) {
      for (const [name, value] of Object.entries(detail)) {
        const before = last[name]
        const joins = CUT_MEMBERS.has(name) && typeof before === 'string'
        if (joins && typeof value === 'string') last[name] = before + value
        else if (value !== null && value !== undefined) set(last, name, value)
      }
    } else if (this.#items.length < MAX_DETAILS) this.#items.push({ ...detail })
  }
}

/** Pieces of one follow each other, with the same type and place. */
function continues(last: JsonObject, next: JsonObject): boolean {
  return (
    last['type'] === next['type'] && next['index'] !== undefined && last['index'] === next['index']
  )
}

/** Peers name the members: one that is called `__proto__` must be a member like any other. */
function set(target: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(target, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}
