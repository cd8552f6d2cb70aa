/** Places of the file system that a client opens to a server. Guidance for the server, no enforcement. */

import type { JsonObject } from '../../base/json.ts'
import type { Open } from './common.ts'

export interface Root extends Open {
  /** A `file://` URI. // ROOT-04 */
  readonly uri: string
  readonly name?: string
  readonly _meta?: JsonObject
}

export interface ListRootsResult extends Open {
  readonly roots: readonly Root[]
  /** Until 2025-11-25. */
  readonly _meta?: JsonObject
}
