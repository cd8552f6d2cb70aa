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

/** For one model. Default of `known`: what stands in the table of the program. Of a stranger's model nothing is: it is given tokens to think with. */
export function anthropicCodec(model: string, known: KnownModel = inTable(model)): Codec {
  const facts = { codec: NAME, model, provider: NAME }
  const { thinkingLevels = false } = known
  return {
    name: NAME,
    encode: (request) => anthropicRequest(request, { ...facts, thinkingLevels }),
    reader: (options) => new AnthropicReader({ ...options, ...facts }),
    readError: (answer) => modelFailure({ ...answer, provider: NAME }),
  }
}

/** All models take images unless it is known of one that it does not. Default of `known`: what stands in the table of the program. */
export function anthropicTraits(model = '', known: KnownModel = inTable(model)): ModelTraits {
  const images = known.images !== false
  return {
    window: known.window,
    maxTools: undefined,
    maxDescription: undefined,
    images,
    resultImages: images,
  }
}

function inTable(name: string): KnownModel {
  return knownOf({ provider: NAME, name }, MODEL_FACTS)
}
