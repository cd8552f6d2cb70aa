/**
 * The codec of Anthropic's Messages, also spoken by other providers: calls and results are blocks of messages, and thinking goes
 * back with the signature that it came with.
 */

import type { ModelTraits } from '../model.ts'
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

/** All models take images; the window differs, and the API does not tell it. */
export function anthropicTraits(): ModelTraits {
  return {
    window: undefined,
    maxTools: undefined,
    maxDescription: undefined,
    images: true,
    resultImages: true,
  }
}
