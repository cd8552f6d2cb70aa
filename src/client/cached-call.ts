/**
 * Calls whose results a server may allow to be kept: lists and reads. What is kept and fresh is not asked for again.
 */

import { TimeoutError, TransportError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { CacheKey } from './cache.ts'
import { callAs } from './call.ts'
import type { Caller, Calling } from './request.ts'
import type { CallOptions } from './options.ts'

export interface CachedCallOptions extends CallOptions {
  /** Ask the server even when there is a result that is fresh. Default false. // CACHE-10 */
  readonly fresh?: boolean
}

/** A result, and whether it was kept from an earlier call. */
export interface Answered {
  readonly result: JsonObject
  readonly kept: boolean
}

/** One call, or what an earlier one gave. */
export async function cachedCall(
  caller: Caller,
  { method, params, salvage }: Pick<Calling, 'method' | 'params' | 'salvage'>,
  options: CachedCallOptions | undefined,
): Promise<Answered> {
  const calling = { method, params, options, salvage }
  const { cache } = caller.settings
  // Older servers say nothing of caching, and what looks like it is something else. // CACHE-03
  if (cache === undefined || !caller.dialect.traits.cacheHints)
    return { result: await callAs(caller, calling, (complete) => complete), kept: false }
  const key = keyOf(caller, method, params)
  const found = cache.find(key)
  if (found?.fresh === true && options?.fresh !== true) return { result: found.result, kept: true }
  const { changes } = cache
  try {
    const result = await callAs(caller, calling, (complete, raw) => {
      if (raw !== undefined) cache.keep(key, complete, changes) // MRTR-16
      return complete
    })
    return { result, kept: false }
  } catch (error) {
    const failed = error instanceof TransportError || error instanceof TimeoutError
    if (found === undefined || !failed || !caller.settings.serveStale) throw error
    caller.channel.note({ kind: 'stale', data: { method } }) // CACHE-10
    return { result: found.result, kept: true }
  }
}

/** The whole list is to be asked for anew, beginning with its first page. // CACHE-09 */
export function startOver(caller: Caller, method: string): void {
  caller.settings.cache?.startOver(caller.channel.transport, method)
}

function keyOf(caller: Caller, method: string, params: JsonObject | undefined): CacheKey {
  const { authorization } = caller.settings
  return {
    server: caller.channel.transport,
    authorization: typeof authorization === 'function' ? authorization() : authorization,
    revision: caller.dialect.revision,
    method,
    params,
  }
}
