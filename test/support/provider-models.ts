/** Models of the product's own adapters at addresses of this machine, with a clock that need not be the real one. */
import type { Model } from '../../src/agent/model.ts'
import type { ModelLimits } from '../../src/agent/models/post.ts'
import { modelOf } from '../../src/agent/providers.ts'
import type { Clock } from '../../src/base/clock.ts'
import { nodeExchange } from '../../src/transport/node/http-exchange.ts'

export interface ModelSeat {
  /** Default `not-a-key`. */
  readonly key?: string
  readonly clock?: Clock
  readonly limits?: Partial<ModelLimits>
}

/** A model as it is named on the command line, at an address. Whoever makes one closes it. */
export function modelSeatedAt(baseUrl: string, spec: string, seat: ModelSeat = {}): Model {
  const { key = 'not-a-key', clock, limits } = seat
  return modelOf(spec, {
    env: { DEEP_PILOT_API_KEY: key },
    exchange: nodeExchange({ proxy: false }),
    baseUrl,
    ...(clock !== undefined && { clock }),
    ...(limits !== undefined && { limits }),
  }).model
}
