/**
 * The codec of Chat Completions, for every server that speaks it: what differs between them is a `ChatFlavour`.
 *
 * Pure: it reads and writes text, and `post.ts` carries it.
 */

import type { ChatFlavour } from './chat-flavour.ts'
import { ChatReader } from './chat-reader.ts'
import { chatRequest } from './chat-request.ts'
import type { Codec } from './codec.ts'
import { modelFailure } from './model-failure.ts'

const NAME = 'openai-chat'

/** For one model, under the name that the server knows it by. It keeps no state between requests. */
export function chatCodec(flavour: ChatFlavour, model: string): Codec {
  return {
    name: NAME,
    encode: (request) => chatRequest(request, { flavour, codec: NAME, model }),
    reader: (options) => new ChatReader({ ...options, flavour, codec: NAME, model }),
    readError: (answer) => modelFailure({ ...answer, provider: flavour.provider }),
  }
}
