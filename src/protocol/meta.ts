/** The reserved keys of `_meta`, and taking them off. Values behind them are peer values until someone checks them. */

import { isJsonObject, type JsonObject } from '../base/json.ts'

export const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
export const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
export const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo'
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel'
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo'
export const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId'
export const PROGRESS_TOKEN_KEY = 'progressToken'

/** Keys that this package alone writes into a request: a caller's own values for them are not sent. */
export const REQUEST_KEYS: readonly string[] = [
  PROGRESS_TOKEN_KEY,
  PROTOCOL_VERSION_KEY,
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
]

/** `_meta` of params, a result or a notification; undefined when there is none or it is no object. */
export function metaOf(holder: JsonObject | undefined): JsonObject | undefined {
  const meta = holder?.['_meta']
  return isJsonObject(meta) ? meta : undefined
}

/** What is left of `meta` without the given keys: the object itself when it has none of them, undefined when nothing is left. */
export function withoutKeys(meta: JsonObject, keys: readonly string[]): JsonObject | undefined {
  const left = Object.keys(meta).filter((key) => !keys.includes(key))
  if (left.length === 0) return undefined
  if (left.length === Object.keys(meta).length) return meta
  // fromEntries defines members, so that a key called `__proto__` stays a key.
  return Object.fromEntries(left.map((key) => [key, meta[key]]))
}
