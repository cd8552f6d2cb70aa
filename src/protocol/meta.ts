/** The reserved keys of `_meta`, and taking them off. Values behind them are peer values until someone checks them. */

import { isJsonObject, type JsonObject } from '../base/json.ts'

export const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
export const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
export const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo'
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel'
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo'
export const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId'
export const PROGRESS_TOKEN_KEY = 'progressToken'
/** 2025-11-25 only: the task that a message belongs to. // TASK-09 */
export const RELATED_TASK_KEY = 'io.modelcontextprotocol/related-task'

/** Keys that this package alone writes into a request: a caller's own values for them are not sent. */
export const REQUEST_KEYS: ReadonlySet<string> = new Set([
  PROGRESS_TOKEN_KEY,
  PROTOCOL_VERSION_KEY,
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
])

/** `_meta` of params, a result or a notification; undefined when there is none or it is no object. */
export function metaOf(holder: JsonObject | undefined): JsonObject | undefined {
  const meta = holder?.['_meta']
  return isJsonObject(meta) ? meta : undefined
}

/** What is left of `meta` without the given keys: the object itself when it has none of them, undefined when nothing is left. */
export function withoutKeys(meta: JsonObject, keys: ReadonlySet<string>): JsonObject | undefined {
  const names = Object.keys(meta)
  let left = 0
  for (const name of names) if (!keys.has(name)) left += 1
  if (left === 0) return undefined
  if (left === names.length) return meta
  // fromEntries defines members, so that a key called `__proto__` stays a key.
  return Object.fromEntries(
    names.filter((name) => !keys.has(name)).map((name) => [name, meta[name]]),
  )
}

/**
 * A copy without one or two members. Rest syntax does the same; this is on the path of every call and takes a fraction of
 * the time on objects of a few members.
 */
export function omit(object: JsonObject, first: string, second?: string): JsonObject {
  const kept: JsonObject = {}
  for (const name of Object.keys(object)) {
    if (name === first || name === second) continue
    // An assignment would set the prototype; a peer may well call a member so.
    if (name === '__proto__') Object.defineProperty(kept, name, { value: object[name], ...PLAIN })
    else kept[name] = object[name]
  }
  return kept
}

const PLAIN = { configurable: true, enumerable: true, writable: true } as const
