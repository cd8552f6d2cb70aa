/**
 * The codec of Ollama's own chat API. Its `/v1` speaks Chat Completions too, but says less there: reasoning, the size of the
 * window and whole arguments are told only here.
 */

import { MODEL_FACTS } from '../model-data.ts'
import { knownOf } from '../model-facts.ts'
import type { Codec } from './codec.ts'
import { modelFailure } from './model-failure.ts'
import { OllamaReader } from './ollama-reader.ts'
import { ollamaRequest } from './ollama-request.ts'

const NAME = 'ollama'

export interface OllamaOptions {
  /**
   * The window to ask for, in tokens. Default: the server's own, which is small; it cuts the start of longer conversations
   * off without a word. A function is asked for each request.
   */
  readonly contextTokens?: number | (() => number | undefined) | undefined
  /** The model's thinking has levels and is never off. Default: what stands in the table of the program. */
  readonly thinkingLevels?: boolean | undefined
}

/** For one model, under the name that the server knows it by. */
export function ollamaCodec(model: string, options: OllamaOptions = {}): Codec {
  const { contextTokens, thinkingLevels: levels } = options
  const thinkingLevels =
    levels ?? knownOf({ provider: NAME, name: model }, MODEL_FACTS).thinkingLevels === true
  return {
    name: NAME,
    encode(request) {
      const tokens = typeof contextTokens === 'function' ? contextTokens() : contextTokens
      return ollamaRequest(request, { model, contextTokens: tokens, thinkingLevels })
    },
    reader: (readOptions) => new OllamaReader({ ...readOptions, codec: NAME, model }),
    readError: (answer) => modelFailure({ ...answer, provider: 'ollama' }),
  }
}
