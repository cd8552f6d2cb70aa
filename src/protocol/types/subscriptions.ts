/** What a client wants to hear on a listen stream, and what it was granted. */

import type { JsonObject } from '../../base/json.ts'
import type { Open } from './common.ts'

/** Omitted means not wanted. Extensions add members. // SUB-01, SUB-15 */
export interface SubscriptionFilter extends Open {
  readonly toolsListChanged?: boolean
  readonly promptsListChanged?: boolean
  readonly resourcesListChanged?: boolean
  /** URIs. // RES-06 */
  readonly resourceSubscriptions?: readonly string[]
}

/** First message of a subscription: the part of the wish that is granted. // SUB-03 */
export interface SubscriptionsAcknowledged extends Open {
  readonly notifications: SubscriptionFilter
  readonly _meta?: JsonObject
}
