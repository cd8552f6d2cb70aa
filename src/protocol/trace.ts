/**
 * Trace Context and Baggage in the `_meta` of a request, by their bare keys: taken only when they have the form that
 * their standards give them, on the way in as on the way out. // META-13
 */

/** The bare keys that stand for a trace. */
export const TRACE_KEYS: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage'])

/** version-traceid-parentid-flags, neither id all zeros, no version `ff`. Trace Context §3.2 */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/
/** Longest values that their standards ask to be carried. Trace Context §3.3.1.5, Baggage §3.3.2 */
const MAX_TRACESTATE = 512
const MAX_BAGGAGE = 8192

/** What of a trace can be used: values of their form. */
export interface UsableTrace {
  readonly traceparent?: string
  readonly tracestate?: string
  readonly baggage?: string
}

/** The usable trace in metadata or in the words of a caller; undefined when there is none. A state without its parent means nothing. */
export function traceOf(
  meta: { readonly [key: string]: unknown } | undefined,
): UsableTrace | undefined {
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

function isTraceparent(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 256 || !TRACEPARENT.test(value)) return false
  return !value.startsWith('00-') || value.length === 55 // only later versions may be longer
}

/** Lists of `key=value`; their values are read by whoever continues the trace. */
function printable(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string' || value.length > most) return undefined
  return /^[\t -~]+$/.test(value) && value.includes('=') ? value : undefined
}
