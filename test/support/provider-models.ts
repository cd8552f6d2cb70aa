/** Models of the product's own adapters at endpoints of this machine, with a clock that need not be the real one. */
import type { Model } from '../../src/agent/model.ts'
import { deepseekCodec, deepseekTraits } from '../../src/agent/models/deepseek.ts'
import { modelAt, type ModelLimits } from '../../src/agent/models/post.ts'
import type { Clock } from '../../src/base/clock.ts'
import { nodeExchange } from '../../src/transport/node/http-exchange.ts'

export interface ModelOptions {
  readonly name?: string
  readonly key?: string
  readonly clock?: Clock
  readonly limits?: Partial<ModelLimits>
}

/** Whoever makes one closes it. */
export function deepseekAt(baseUrl: string, options: ModelOptions = {}): Model {
  const { name = 'deepseek-flash', key = 'not-a-key', clock, limits } = options
  return modelAt(
    {
      provider: 'deepseek',
      baseUrl,
      key,
      keyHeader: 'bearer',
      codec: deepseekCodec(name),
      exchange: nodeExchange({ proxy: false }),
      ...(clock !== undefined && { clock }),
      ...(limits !== undefined && { limits }),
    },
    { name, dialect: 'deepseek', traits: deepseekTraits(name) },
  )
}
