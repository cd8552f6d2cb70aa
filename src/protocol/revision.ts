/** The five dated revisions and their two eras. The only place that spells the dates, beside the dialects themselves. */

/** A dated version string of the protocol, as it crosses the wire. */
export type Revision = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28'

/** `legacy`: a handshake opens a session. `modern`: every request carries its own metadata. */
export type Era = 'legacy' | 'modern'

/** Every revision, oldest first. */
export const REVISIONS: readonly Revision[] = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
]

export function isRevision(value: unknown): value is Revision {
  return REVISIONS.some((revision) => revision === value)
}

/** Those that begin with a handshake, oldest first. */
export const LEGACY_REVISIONS: readonly Revision[] = REVISIONS.filter(
  (revision) => eraOf(revision) === 'legacy',
)

/** Those in which every request stands for itself, oldest first. */
export const MODERN_REVISIONS: readonly Revision[] = REVISIONS.filter(
  (revision) => eraOf(revision) === 'modern',
)

export function eraOf(revision: Revision): Era {
  // Dates sort as text; the first modern revision is the only border there will ever be.
  return revision < '2026-07-28' ? 'legacy' : 'modern'
}

/** The newest of `ours` that stands in `theirs`, or nothing. `ours` is oldest first, `theirs` a peer's list. // VERS-06 */
export function newestCommon(
  ours: readonly Revision[],
  theirs: readonly string[],
): Revision | undefined {
  return ours.findLast((revision) => theirs.includes(revision))
}
