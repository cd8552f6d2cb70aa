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
