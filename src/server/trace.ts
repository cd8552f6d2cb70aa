/** The metadata of a request that is its caller's own business. */

import type { JsonObject } from '../base/json.ts'
import { metaOf } from '../protocol/meta.ts'
import { TRACE_KEYS } from '../protocol/trace.ts'

export { traceOf } from '../protocol/trace.ts'

/** The caller's own metadata: without what the protocol reserves, and without its trace. // META-02, META-03 */
export function ownMetaOf(params: JsonObject): JsonObject {
  const own: JsonObject = Object.create(null) as JsonObject // keys are a peer's: no prototype in the way
  for (const [key, value] of Object.entries(metaOf(params) ?? {}))
    if (!TRACE_KEYS.has(key) && !isReserved(key)) own[key] = value
  return own
}

/** A prefix whose second label is the protocol's; so is one that begins with it and goes on, as 2025-06-18 has it. */
function isReserved(key: string): boolean {
  const slash = key.indexOf('/')
  if (slash < 0) return false
  const [first = '', second] = key.slice(0, slash).split('.', 2)
  return second !== undefined && (PROTOCOL_LABELS.has(second) || PROTOCOL_LABELS.has(first))
}

const PROTOCOL_LABELS: ReadonlySet<string> = new Set(['modelcontextprotocol', 'mcp'])
