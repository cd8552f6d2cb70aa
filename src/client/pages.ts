/**
 * The lists of a server, page by page or whole, with an end to it whatever the server sends.
 */

import { ProtocolError, RpcError, TransportError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { INVALID_PARAMS } from '../jsonrpc/message.ts'
import { LIST_MEMBERS } from '../protocol/methods.ts'
import { cachedCall, startOver, type CachedCallOptions } from './cached-call.ts'
import { arrayMember, type Caller, type Unread } from './request.ts'
import { entryReader, type ListEntries, type ListMethod } from './entries.ts'

export interface ListOptions extends CachedCallOptions {
  /** Pages that are read at most. Default 1,000. // PAGE-07 */
  readonly maxPages?: number
  /** Items that are read at most. Default 10,000. */
  readonly maxItems?: number
}

/** The pages of a list, each as soon as it is there. */
export type Pages<Method extends ListMethod> = AsyncGenerator<
  readonly ListEntries[Method][],
  undefined
>

/** What came of reading, for whoever may have to begin again. */
interface Trail {
  /** Whether a page was not asked for, but kept. */
  kept: boolean
}

/**
 * The usable entries of one page after the other. A cursor that came before ends the list with a note: there is nothing new
 * behind it. More pages or items than allowed are a `ProtocolError`, since a part of a list is not the list; that holds
 * for items of a single page as well.
 */
export async function* readPages<Method extends ListMethod>(
  caller: Caller,
  method: Method,
  options: ListOptions,
  trail: Trail = { kept: false },
): Pages<Method> {
  const { maxPages = 1000, maxItems = 10_000, ...callOptions } = options
  const { channel, mirrors } = caller
  const note = channel.note.bind(channel)
  const read = entryReader(method, { note, mirrors })
  const member = LIST_MEMBERS.get(method) ?? ''
  const seen = new Set<string>()
  let items = 0
  let params: JsonObject | undefined
  for (let page = 1; ; page += 1) {
    const { result, kept } = await onePage(caller, { method, params }, callOptions)
    trail.kept ||= kept
    const listed = arrayMember(result, member)
    items += listed.length
    const cursor = result['nextCursor']
    const more = typeof cursor === 'string' // an empty string is a cursor, PAGE-04
    if (items > maxItems || (more && page >= maxPages && !seen.has(cursor)))
      throw tooLong(method, { items, pages: page, more })
    yield read(listed)
    if (!more) return undefined // PAGE-03
    if (seen.has(cursor)) {
      note({ kind: 'cursor-loop', data: { method, cursor: cursor.slice(0, 200), pages: page } }) // PAGE-07
      return undefined
    }
    seen.add(cursor)
    params = { cursor } // PAGE-02
  }
}

/**
 * All entries of a list. It is begun once more when a cursor out of what was kept has become invalid, or when the session
 * that gave the cursors was lost on the way. // CACHE-09, PAGE-05
 */
export async function readList<Method extends ListMethod>(
  source: { readonly caller: Caller },
  method: Method,
  options: ListOptions,
): Promise<readonly ListEntries[Method][]> {
  const { caller } = source
  const trail: Trail = { kept: false }
  try {
    return await gather(readPages(caller, method, options, trail))
  } catch (error) {
    const outdated = trail.kept && isCursorGone(error)
    const replaced = source.caller !== caller && error instanceof TransportError
    if (!outdated && !replaced) throw error
    return gather(readPages(source.caller, method, { ...options, fresh: true }))
  }
}

async function gather<Entry>(pages: AsyncIterable<readonly Entry[]>): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for await (const page of pages) for (const entry of page) entries.push(entry)
  return entries
}

async function onePage(
  caller: Caller,
  asked: { readonly method: ListMethod; readonly params: JsonObject | undefined },
  options: CachedCallOptions,
): ReturnType<typeof cachedCall> {
  const salvage = asked.method === 'tools/list' ? salvageTools : undefined
  try {
    return await cachedCall(caller, { ...asked, salvage }, options)
  } catch (error) {
    if (asked.params !== undefined && isCursorGone(error)) startOver(caller, asked.method) // CACHE-09
    throw error
  }
}

/** One tool that nests too deep is not to cost the others. */
async function salvageTools(unread: Unread): Promise<JsonObject> {
  const { withoutDeepTools } = await import('./deep-tools.ts')
  return withoutDeepTools(unread)
}

function isCursorGone(error: unknown): boolean {
  return error instanceof RpcError && error.rpcCode === INVALID_PARAMS // PAGE-06
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
    {
      requirement: 'PAGE-07',
      method,
      detail: { kind: 'too-many-items', items, pages },
    },
  )
}
