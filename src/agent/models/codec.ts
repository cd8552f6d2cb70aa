/**
 * The port between one provider's way of writing and the HTTP that carries it: pure, no I/O, no clock. Types only.
 *
 * `post.ts` sends what `encode` gives, hands each byte of the answer to a reader, and repeats what may be repeated.
 */

import type { ModelError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { ModelDelta, ModelReply, ModelRequest, ModelWarning } from '../model.ts'

export interface EncodedRequest {
  /** Below the base URL, as `/chat/completions`. */
  readonly path: string
  readonly body: JsonObject
  /** The exact text of `body`: what was made of the tools is taken from before. */
  readonly text: string
  /** Headers beside those of credentials and content, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly warnings: readonly ModelWarning[]
}

/** Reads the body of one answer of status 200. */
export interface ReplyReader {
  /** Calls `onDelta` for what it understood. Throws a `ModelError` when the answer cannot be one, or says that it failed. */
  push(bytes: Uint8Array): void
  /** The body has ended. Throws `DP_MODEL_CUT` when the reply has not. */
  end(): ModelReply
}

export interface ReadOptions {
  /** Of the answer, lower case, without parameters: event streams, JSON lines or one JSON value. */
  readonly contentType: string
  /** The request that is answered. */
  readonly request: ModelRequest
  /** Most bytes of the whole reply. */
  readonly maxBytes: number
  readonly onDelta?: (delta: ModelDelta) => void
}

/** What an answer of another status says. */
export interface ErrorAnswer {
  readonly status: number
  /** At most 64 KiB of it. */
  readonly body: string
  readonly retryAfterMs: number | undefined
}

export interface Codec {
  /** As `openai-chat`; names kept items too. */
  readonly name: string
  encode(request: ModelRequest): EncodedRequest
  reader(options: ReadOptions): ReplyReader
  readError(answer: ErrorAnswer): ModelError
}
