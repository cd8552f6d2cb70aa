/**
 * The codec of OpenAI's Responses, without state on the far side: each request has all of the conversation, and reasoning goes
 * back in the encrypted form in which it came.
 */

import type { Codec } from './codec.ts'
import { modelFailure } from './model-failure.ts'
import { ResponsesReader } from './responses-reader.ts'
import { responsesRequest } from './responses-request.ts'

const NAME = 'openai-responses'

/** For one model. `provider` stands in errors; default `openai`. */
export function responsesCodec(model: string, provider = 'openai'): Codec {
  return {
    name: NAME,
    encode: (request) => responsesRequest(request, { codec: NAME, model, provider }),
    reader: (options) => new ResponsesReader({ ...options, codec: NAME, model, provider }),
    readError: (answer) => modelFailure({ ...answer, provider }),
  }
}
