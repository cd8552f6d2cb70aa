/**
 * What concerns the connection itself: whether the server is there, what it is, how much it logs, which roots it may know.
 * Revisions differ in all of it; each function does what the agreed one has for its purpose.
 */

import { CapabilityError } from '../base/errors.ts'
import { readServerFacts } from '../protocol/decode.ts'
import type { ServerFacts } from '../protocol/dialect.ts'
import { MAX_VERSIONS } from '../protocol/errors.ts'
import type { LoggingLevel } from '../protocol/types/common.ts'
import { call, callAs } from './call.ts'
import type { CallOptions } from './options.ts'
import { checkAllowed, type Caller } from './request.ts'

/** What a server said when it was asked what it is. */
export interface Discovery extends ServerFacts {
  /** Revisions that it serves, in its own order; peer text. */
  readonly supportedVersions: readonly string[]
}

/** Asks for a sign of life. The modern era has no `ping`, and `server/discover` is the request that changes nothing. // PING-04, LIFE-12 */
export async function ping(caller: Caller, options: CallOptions | undefined): Promise<void> {
  const method = caller.dialect.methods.has('ping') ? 'ping' : 'server/discover'
  await call(caller, method, undefined, options)
}

/** // LIFE-14 */
export async function discover(
  caller: Caller,
  options: CallOptions | undefined,
): Promise<Discovery> {
  const calling = { method: 'server/discover', params: undefined, options }
  // The server's name stands in the metadata that other results are read without.
  const result = await callAs(caller, calling, (complete, raw) => raw ?? complete)
  const versions = result['supportedVersions']
  const listed = (Array.isArray(versions) ? versions : []).slice(0, MAX_VERSIONS)
  return {
    ...readServerFacts(result, caller.dialect.revision),
    supportedVersions: listed.filter((version) => typeof version === 'string'),
  }
}

/** Sets the least level of log messages, for the session or for each request to come. // LOG-03, LOG-05 */
export async function setLogLevel(
  caller: Caller,
  level: LoggingLevel,
  options: CallOptions | undefined,
): Promise<void> {
  const { dialect, server, settings } = caller
  if (dialect.traits.logLevel === 'session') {
    await call(caller, 'logging/setLevel', { level }, options)
  } else if (server.capabilities.logging === undefined) {
    const message = 'The log level was not set: server logging was not declared.'
    const missing = 'server logging'
    throw new CapabilityError('DP_CAPABILITY_MISSING', message, { missing })
  }
  settings.logLevel = level
}

/** Tells that the roots have changed, where there is something to tell: the modern era asks for them each time. // ROOT-05 */
export function rootsChanged(caller: Caller): void {
  const method = 'notifications/roots/list_changed'
  if (caller.dialect.traits.serverAsks === 'result') return
  checkAllowed(caller, method)
  caller.peer.notify(method)
}
