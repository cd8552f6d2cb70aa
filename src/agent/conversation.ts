/**
 * A conversation in neutral words: what was said by whom, what a model wanted called, and what it was told of the outcome.
 * Types only. Each model's own way of writing this lives in `models/`.
 *
 * Nothing a provider needs back is lost: reasoning stands beside the text, and what only that provider understands is kept
 * as it came.
 */

import type { JsonValue } from '../base/json.ts'

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

export interface ImagePart {
  readonly type: 'image'
  /** As `image/png`. */
  readonly mimeType: string
  /** Base64. */
  readonly data: string
}

export type Part = TextPart | ImagePart

export interface SystemMessage {
  readonly role: 'system'
  readonly text: string
}

export interface UserMessage {
  readonly role: 'user'
  readonly parts: readonly Part[]
}

/** A call as the model wrote it. Nothing of it is checked yet. */
export interface ModelCall {
  /** The model's own id, or one made here where it gave none or gave one twice. Unique within the conversation. */
  readonly id: string
  /** The name it called. It need not exist. */
  readonly name: string
  /** The arguments, exactly as the model wrote them: it need not be JSON. `{}` where it gave an object of no members. */
  readonly argumentsText: string
}

/** What only one provider understands and wants back unchanged, as signed reasoning. */
export interface KeptItems {
  /** The codec that wrote it; another leaves it out. */
  readonly codec: string
  readonly items: readonly JsonValue[]
}

export interface AssistantMessage {
  readonly role: 'assistant'
  /** Empty where it said nothing. */
  readonly text: string
  /** Its reasoning, unchanged; undefined where there was none. Never shortened: a turn is sent back whole or not at all. */
  readonly reasoning?: string
  /** In the model's order. */
  readonly calls: readonly ModelCall[]
  readonly kept?: KeptItems
}

/** What the model is told of one call. There is exactly one for each call of the assistant message before it, in its order. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: string
  /** The name that was called. */
  readonly name: string
  /** Never empty. */
  readonly text: string
  /** For models that take images in results; others are given them in a user message or are told of them in `text`. */
  readonly images?: readonly ImagePart[]
  /** The tool failed, or was not called. */
  readonly failed: boolean
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage
