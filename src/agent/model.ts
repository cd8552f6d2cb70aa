/**
 * The port behind which every language model stands: a conversation and tools in, one reply out. Types only.
 *
 * A model keeps no state between two replies. What differs between providers is in `models/`, and what of it matters
 * to a caller is told in `ModelTraits`, as data.
 */

import type { JsonObject } from '../base/json.ts'
import type { SchemaDialect } from '../schema/project/dialect.ts'
import type { AssistantMessage, Message } from './conversation.ts'

/** A tool as a model gets it; `parameters` are in the model's dialect already. */
export interface ModelTool {
  readonly name: string
  readonly description?: string
  readonly parameters: JsonObject
  /** The provider is to hold the model to the schema. Only with `strict` projections. Default false. */
  readonly strict?: boolean
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** How much a model thinks before it answers. `none` turns it off where it can be turned off. */
export type Effort = 'none' | 'low' | 'medium' | 'high' | 'max'

export interface ModelRequest {
  readonly messages: readonly Message[]
  /** The same array for the same tools: what is made of it is kept, so that its bytes are the same in each request. */
  readonly tools: readonly ModelTool[]
  /** Default: the provider's, which is `auto` with tools. */
  readonly choice?: ToolChoice
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly stop?: readonly string[]
  readonly effort?: Effort
  /** False forbids several calls in one reply. Default: the provider's. */
  readonly parallel?: boolean
  /** Whether the reply comes piece by piece. Default true. */
  readonly stream?: boolean
  /** The reply is to be one JSON object. */
  readonly json?: boolean
}

/**
 * Why a reply ended. `length`: cut by a limit, its last call may be half. `filtered`: by the provider's rules.
 * `interrupted`: the provider broke off, asking again may help. `other`: `finishText` has the provider's word.
 */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'filtered' | 'interrupted' | 'other'

/** In tokens. What the provider did not tell is left out. */
export interface Usage {
  /** All of the prompt, what was cached included. */
  readonly input: number
  /** Of `input`: read from the provider's cache. */
  readonly cachedInput?: number
  /** Of `input`: written to the cache, where that is charged. */
  readonly cacheWrite?: number
  /** All that was written, reasoning included. */
  readonly output: number
  /** Of `output`. */
  readonly reasoning?: number
}

/** Something that was not as asked or not as it should be; nothing was lost over it. */
export interface ModelWarning {
  /**
   * `choice-lowered` the forced tool choice was sent as `auto`; `leaked-call` text that looks like a tool call; `made-id` a
   * call came without an id or with one that was there; `dropped-part` the model takes no such content; `ignored-option`;
   * `cut-prompt` the server left the beginning of the prompt out.
   */
  readonly kind:
    | 'choice-lowered'
    | 'leaked-call'
    | 'made-id'
    | 'dropped-part'
    | 'ignored-option'
    | 'odd-reply'
    | 'cut-prompt'
  /** An English sentence. It may hold peer text: escape it for a terminal. */
  readonly message: string
}

export interface ModelReply {
  readonly message: AssistantMessage
  readonly finish: FinishReason
  /** The provider's own word for it; empty where it gave none. */
  readonly finishText: string
  /** Undefined where the provider did not tell. */
  readonly usage: Usage | undefined
  /** The model that answered, in the provider's words; that which was asked for where it said nothing. */
  readonly model: string
  /** The provider's id of the reply. */
  readonly id?: string
  readonly warnings: readonly ModelWarning[]
}

/** A piece of a reply as it comes. Calls are told by their place in the reply, from 0. */
export type ModelDelta =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly kind: 'arguments'; readonly index: number; readonly text: string }
  /** A sign of life without content: the request waits in a queue. */
  | { readonly kind: 'waiting' }
  /** What came so far is void: the request is sent again. */
  | { readonly kind: 'restart' }

/** One leg of the way to the model and back, exact text, without credentials. For captures. */
export type ModelLeg =
  | {
      readonly kind: 'request'
      /** From 1. */
      readonly attempt: number
      readonly url: string
      readonly body: string
    }
  | {
      readonly kind: 'reply'
      readonly attempt: number
      readonly status: number
      readonly contentType: string
      /** As it came, an event stream as its text; cut where it ended early. */
      readonly body: string
    }
  | {
      readonly kind: 'retry'
      /** The attempt that failed. */
      readonly attempt: number
      readonly delayMs: number
      readonly why: string
      /** What `why` is the message of. */
      readonly error?: Error
      /** What the attempt cost all the same, where the provider told. */
      readonly usage?: Usage
    }

export interface ReplyOptions {
  readonly signal?: AbortSignal
  /**
   * How long whoever asks is going to wait, in ms: a pause before another try that would last longer is not begun, and the failure is
   * told at once. What runs is ended by `signal` alone. Default: no limit.
   */
  readonly leftMs?: number
  /** Must not throw. */
  readonly onDelta?: (delta: ModelDelta) => void
  /** Must not throw. */
  readonly onLeg?: (leg: ModelLeg) => void
}

/** What a caller has to know of a model. What nobody told is undefined. */
export interface ModelTraits {
  /** Tokens of prompt and reply together. */
  readonly window: number | undefined
  /** Most tools of one request. */
  readonly maxTools: number | undefined
  /** Longest description of a tool, in characters. */
  readonly maxDescription: number | undefined
  /** It takes images from users. */
  readonly images: boolean
  /** It takes images in the results of tools. */
  readonly resultImages: boolean
}

export interface Model {
  /** As `deepseek`. */
  readonly provider: string
  /** As the provider calls it. */
  readonly name: string
  readonly dialect: SchemaDialect
  readonly traits: ModelTraits
  /** Rejects with a `ModelError` for what the provider said, a `TransportError` when it was not reached, or the signal's reason. */
  reply(request: ModelRequest, options?: ReplyOptions): Promise<ModelReply>
  /**
   * Asks the server for what nobody named and it may know: `traits.window` may have a value afterwards. Once; for no longer than a few
   * seconds; never rejects. Absent where there is nobody to ask.
   */
  prepare?(signal?: AbortSignal): Promise<void>
  /** The names that the provider offers. Absent where it does not tell. */
  names?(signal?: AbortSignal): Promise<readonly string[]>
  /** Lets go of connections. */
  close?(): void
}
