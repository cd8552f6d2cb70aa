/** Log messages of a server to its client. */

import type { JsonValue } from '../../base/json.ts'
import type { LoggingLevel, Open } from './common.ts'

export interface LoggingMessage extends Open {
  readonly level: LoggingLevel
  /** Name of the part that speaks. */
  readonly logger?: string
  /** Any JSON value; no secrets. // LOG-02, LOG-08 */
  readonly data: JsonValue
}
