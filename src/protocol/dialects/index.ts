/** The list of all dialects. Apart from their interface, so that no dialect imports the list it is on. */

import type { Dialect } from '../dialect.ts'
import type { Revision } from '../revision.ts'
import { dialect20241105 } from './2024-11-05.ts'
import { dialect20250326 } from './2025-03-26.ts'
import { dialect20250618 } from './2025-06-18.ts'
import { dialect20251125 } from './2025-11-25.ts'
import { dialect20260728 } from './2026-07-28.ts'

const BY_REVISION: { readonly [revision in Revision]: Dialect } = {
  '2024-11-05': dialect20241105,
  '2025-03-26': dialect20250326,
  '2025-06-18': dialect20250618,
  '2025-11-25': dialect20251125,
  '2026-07-28': dialect20260728,
}

/** Every dialect, oldest first. */
export const DIALECTS: readonly Dialect[] = Object.values(BY_REVISION)

/** The newest revision that begins with a handshake. */
export const NEWEST_LEGACY: Dialect = dialect20251125

/** The newest revision in which every request stands for itself. */
export const NEWEST_MODERN: Dialect = dialect20260728

export function dialectFor(revision: Revision): Dialect {
  return BY_REVISION[revision]
}
