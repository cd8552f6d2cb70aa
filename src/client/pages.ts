/**
 * All pages of a list, one after the other, with an end to it whatever the server sends.
 */

import { ProtocolError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { arrayMember, call, type Caller } from './call.ts'
import type { CallOptions } from './options.ts'

export interface ListOptions extends CallOptions {
  /** Pages that are read at most. Default 1,000. // PAGE-07 */
  readonly maxPages?: number
  /** Items that are read at most. Default 10,000. */
  readonly maxItems?: number
}

export interface PageNote {
  readonly kind: string
  readonly data: JsonObject
}

/**
 * Every item under `member` of a paged list. A cursor that came before ends the list with a note: there is nothing new
 * behind it. More pages or items than allowed are a `ProtocolError`, since a part of a list is not the list; that holds
 * for items of a single page as well.
 */
export async function listPages(
  caller: Caller,
  method: string,
  member: string,
  options: ListOptions & { readonly note: (note: PageNote) => void },
): Promise<readonly unknown[]> {
  const { maxPages = 1000, maxItems = 10_000, note, ...callOptions } = options
  const items: unknown[] = []
  const seen = new Set<string>()
  let params: JsonObject | undefined
  for (let page = 1; ; page += 1) {
    const result = await call(caller, method, params, callOptions)
    for (const item of arrayMember(result, member)) items.push(item)
    const cursor = result['nextCursor']
    const more = typeof cursor === 'string' // an empty string is a cursor, PAGE-04
    if (items.length > maxItems || (more && page >= maxPages && !seen.has(cursor)))
      throw tooLong(method, { items: items.length, pages: page, more })
    if (!more) return items // PAGE-03
    if (seen.has(cursor)) {
      note({ kind: 'cursor-loop', data: { method, cursor: cursor.slice(0, 200), pages: page } }) // PAGE-07
      return items
    }
    seen.add(cursor)
    params = { cursor } // PAGE-02
  }
}

function tooLong(
  method: string,
  {
    items,
    pages,
    more,
  }: { readonly items: number; readonly pages: number; readonly more: boolean },
): ProtocolError {
  const rest = more ? ', and there are more' : ''
  return new ProtocolError(
    'DP_PROTOCOL_PAGES',
    `${method} is longer than accepted: ${items} items on ${pages} pages${rest}. Raise maxItems or maxPages if the list is really that long.`,
    { requirement: 'PAGE-07', method },
  )
}
