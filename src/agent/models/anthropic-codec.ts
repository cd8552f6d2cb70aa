/**
 * The codec of Anthropic's Messages, also spoken by other providers: calls and results are blocks of messages, and thinking goes
 * back with the signature that it came with.
 */

import type { ModelTraits } from '../model.ts'
import { MODEL_FACTS } from '../model-data.ts'
import { knownOf, type KnownModel } from '../model-facts.ts'
import { AnthropicReader } from './anthropic-reader.ts'
import { anthropicRequest } from './anthropic-request.ts'
import type { Codec } from './codec.ts'
import { modelFailure } from './model-failure.ts'

const NAME = 'anthropic'

/** For one model. `provider` stands in errors; default `anthropic`. */
export function anthropicCodec(model: string, provider = 'anthropic'): Codec {
  return {
    name: NAME,
    encode: (request) => anthropicRequest(request, { codec: NAME, model, provider }),
    reader: (options) => new AnthropicReader({ ...options, codec: NAME, model, provider }),
    readError: (answer) => modelFailure({ ...answer, provider }),
  }
}

/** All models take images unless it is known of one that it does not. Default of `known`: what stands in the table of the program. */
export function anthropicTraits(
  model = '',
  known: KnownModel = knownOf({ provider: NAME, name: model }, MODEL_FACTS),
): ModelTraits {
  const images = known.images !== false
  return {
    window: known.window,
    maxTools: undefined,
    maxDescription: undefined,
    images,
    resultImages: images,
  }
}
