/**
 * Stretches of a text that are to be replaced, and replacing them so that all other characters stay as they were.
 */

/** What made a value a secret; it stands in the marker. */
export type SecretLabel = 'key' | 'secret' | 'bearer' | 'basic' | 'api-key' | 'jwt' | 'pem' | 'url'

export interface Hit {
  readonly start: number
  readonly end: number
  /** What is written instead. */
  readonly text: string
}

export interface Redaction {
  readonly text: string
  /** Values that were replaced. */
  readonly count: number
}

/** What stands in place of a secret. Needs no escaping in JSON, at any level. */
export function redactionMark(label: SecretLabel): string {
  return `‹redacted:${label}›`
}

/** Begins every mark; text that begins so was redacted before. */
export const MARK_START = '‹redacted:'

/** Sorted and without overlaps: of hits that touch the same characters one remains, which covers them all. */
export function settleHits(hits: readonly Hit[]): readonly Hit[] {
  if (hits.length < 2) return hits
  const sorted = [...hits].sort((a, b) => a.start - b.start || b.end - a.end)
  const out: Hit[] = []
  for (const hit of sorted) {
    const last = out.at(-1)
    if (last === undefined || hit.start >= last.end) out.push(hit)
    else if (hit.end > last.end) out[out.length - 1] = { ...last, end: hit.end }
  }
  return out
}

/** The text with settled hits replaced. */
export function applyHits(text: string, hits: readonly Hit[]): Redaction {
  if (hits.length === 0) return { text, count: 0 }
  let out = ''
  let from = 0
  for (const hit of hits) {
    out += text.slice(from, hit.start) + hit.text
    from = hit.end
  }
  return { text: out + text.slice(from), count: hits.length }
}

/**
 * Moves hits found in a decoded JSON string back to where its characters stand in the raw text. `from` is the first
 * character after the opening quote. One walk for all hits.
 */
export function liftHits(raw: string, from: number, hits: readonly Hit[]): Hit[] {
  const out: Hit[] = []
  let at = from
  let decoded = 0
  const walkTo = (offset: number): number => {
    while (decoded < offset) {
      at += raw.charCodeAt(at) !== 92 ? 1 : raw.charCodeAt(at + 1) === 117 ? 6 : 2 // `\u0041`, `\n`
      decoded += 1
    }
    return at
  }
  for (const hit of settleHits(hits)) {
    const start = walkTo(hit.start)
    out.push({ start, end: walkTo(hit.end), text: hit.text })
  }
  return out
}
