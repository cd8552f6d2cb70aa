/** Answers of model providers for tests of their readers: written as a provider would, and read in pieces. */
import type { ModelDelta, ModelReply, ModelRequest } from '../../src/agent/model.ts'
import type { Codec } from '../../src/agent/models/codec.ts'

export interface Heard {
  readonly reply: ModelReply
  readonly deltas: readonly ModelDelta[]
}

export interface HearOptions {
  /** Default `text/event-stream`. */
  readonly contentType?: string
  /** Default: an empty one. */
  readonly request?: Partial<ModelRequest>
  /** Default 1 MiB. */
  readonly maxBytes?: number
  /** Bytes of each piece but the last. Default: all of them. */
  readonly size?: number
}

/** What the codec makes of an answer. Throws what its reader throws. */
export function hear(codec: Codec, body: string | Uint8Array, options: HearOptions = {}): Heard {
  const { contentType = 'text/event-stream', maxBytes = 1024 * 1024 } = options
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const deltas: ModelDelta[] = []
  const reader = codec.reader({
    contentType,
    request: { messages: [], tools: [], ...options.request },
    maxBytes,
    onDelta: (delta) => deltas.push(delta),
  })
  const { size = Math.max(1, bytes.length) } = options
  for (let from = 0; from < bytes.length; from += size) reader.push(bytes.slice(from, from + size))
  return { reply: reader.end(), deltas }
}

/** An event stream of JSON values; a string stands as it is. */
export function events(...chunks: readonly unknown[]): string {
  return chunks
    .map((chunk) => (typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}\n\n`))
    .join('')
}

/** One chunk of Chat Completions with this delta. */
export function chunk(delta: object, more: object = {}): object {
  return { id: 'r1', model: 'm1', choices: [{ index: 0, delta, finish_reason: null }], ...more }
}

/** The chunk that ends a reply. */
export function ending(word: string, more: object = {}): object {
  return { id: 'r1', model: 'm1', choices: [{ index: 0, delta: {}, finish_reason: word }], ...more }
}

export const DONE = 'data: [DONE]\n\n'

/** A delta with one piece of a call. */
export function callPiece(call: object): object {
  return { tool_calls: [call] }
}
