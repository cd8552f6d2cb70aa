/** What all links of one endpoint share: its limits, its clock, and where it keeps things. */

import type { Logger } from '../../base/log.ts'
import type { EventStore } from './event-store.ts'
import type { Pulse } from './pulse.ts'
import type { Load } from './visit.ts'

export interface World {
  readonly pulse: Pulse
  readonly load: Load
  readonly store: EventStore
  readonly logger: Logger
  /** Bytes that may wait for a reader of events; at the next event it is cut off. */
  readonly maxUnsentBytes: number
  /** Silence after which a stream gets a comment, in ms. */
  readonly keepAliveMs: number
  /** How long a client of a broken stream is asked to wait before it comes again, in ms. */
  readonly retryMs: number
  /** Requests of one session that may be open at once. */
  readonly maxSessionStreams: number
}
