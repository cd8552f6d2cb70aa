/**
 * What the entries of lists are called, for remarks that say only at which place of a list something is wrong.
 *
 * It looks at the answers as they come in, and keeps of each list the page that came last, until its connection ends.
 */

import { isJsonObject, type JsonValue } from '../base/json.ts'
import type { WireMessageEvent } from '../jsonrpc/wire.ts'

/** Members of results that are lists, by what their entries are in remarks. */
const MEMBERS = {
  tool: 'tools',
  resource: 'resources',
  template: 'resourceTemplates',
  prompt: 'prompts',
} as const

interface Page {
  readonly items: readonly JsonValue[]
  /** Items on the pages before it. */
  readonly before: number
  readonly hasNext: boolean
}

export class ListedNames {
  readonly #pages = new Map<string, Map<string, Page>>()

  hear({ connection, direction, reading }: WireMessageEvent): void {
    if (direction !== 'in' || reading?.kind !== 'result') return
    const { result } = reading.message
    for (const member of Object.values(MEMBERS)) {
      const items = result[member]
      if (!Array.isArray(items)) continue
      const pages = this.#pages.get(connection) ?? new Map<string, Page>()
      this.#pages.set(connection, pages)
      const last = pages.get(member)
      const before = last?.hasNext === true ? last.before + last.items.length : 0
      pages.set(member, { items, before, hasNext: typeof result['nextCursor'] === 'string' })
    }
  }

  /** The name of what lacks an object as this member; undefined where what stands there does not. */
  nameOf(connection: string, noun: string, { index, member }: Place): string | undefined {
    const list = Object.entries(MEMBERS).find(([one]) => one === noun)?.[1]
    const page = list === undefined ? undefined : this.#pages.get(connection)?.get(list)
    const item = page?.items[index - page.before]
    // Lists may be read at the same time: a name that is not sure is none.
    if (!isJsonObject(item) || isJsonObject(item[member])) return undefined
    return typeof item['name'] === 'string' ? item['name'] : undefined
  }

  forget(connection: string): void {
    this.#pages.delete(connection)
  }
}

interface Place {
  readonly index: number
  readonly member: string
}
