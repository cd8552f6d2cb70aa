/**
 * Trace Context and Baggage out of the `_meta` of a request: values of peers, taken only when they have the form that
 * their standards give them. // META-13
 */

import type { JsonObject, JsonValue } from '../base/json.ts'
import { metaOf } from '../protocol/meta.ts'
import type { TraceContext } from '../tools/context.ts'

/** The bare keys that stand for a trace. */
export const TRACE_KEYS: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage'])

/** version-traceid-parentid-flags, neither id all zeros, no version `ff`. Trace Context §3.2 */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/
/** Longest values that their standards ask to be carried. Trace Context §3.3.1.5, Baggage §3.3.2 */
const MAX_TRACESTATE = 512
const MAX_BAGGAGE = 8192

/** The trace of a request; undefined when it has none that can be used. A state without its parent means nothing. */
export function traceOf(meta: JsonObject | undefined): TraceContext | undefined {
  if (meta === undefined) return undefined
  const { traceparent, tracestate, baggage } = meta
  const parent = isTraceparent(traceparent) ? traceparent : undefined
  const state = parent === undefined ? undefined : printable(tracestate, MAX_TRACESTATE)
  const luggage = printable(baggage, MAX_BAGGAGE)
  if (parent === undefined && luggage === undefined) return undefined
  return {
    ...(parent === undefined ? {} : { traceparent: parent }),
    ...(state === undefined ? {} : { tracestate: state }),
    ...(luggage === undefined ? {} : { baggage: luggage }),
  }
}

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

function isTraceparent(value: JsonValue | undefined): value is string {
  if (typeof value !== 'string' || value.length > 256 || !TRACEPARENT.test(value)) return false
  return !value.startsWith('00-') || value.length === 55 // only later versions may be longer
}

/** Lists of `key=value`; their values are read by whoever continues the trace. */
function printable(value: JsonValue | undefined, most: number): string | undefined {
  if (typeof value !== 'string' || value.length > most) return undefined
  return /^[\t -~]+$/.test(value) && value.includes('=') ? value : undefined
}
