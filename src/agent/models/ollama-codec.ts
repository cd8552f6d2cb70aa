/**
 * The codec of Ollama's own chat API. Its `/v1` speaks Chat Completions too, but says less there: reasoning, the size of the
 * window and whole arguments are told only here.
 */

import type { Codec } from './codec.ts'
import { modelFailure } from './model-failure.ts'
import { OllamaReader } from './ollama-reader.ts'
import { ollamaRequest } from './ollama-request.ts'

const NAME = 'ollama'

export interface OllamaOptions {
  /**
   * The window to ask for, in tokens. Default: the server's own, which is small; it cuts the start of longer conversations
   * off without a word.
   */
  readonly contextTokens?: number | undefined
}

/** For one model, under the name that the server knows it by. */
export function ollamaCodec(model: string, options: OllamaOptions = {}): Codec {
  const { contextTokens } = options
  return {
    name: NAME,
    encode: (request) => ollamaRequest(request, { model, contextTokens }),
    reader: (readOptions) => new OllamaReader({ ...readOptions, codec: NAME, model }),
    readError: (answer) => modelFailure({ ...answer, provider: 'ollama' }),
  }
}
