/** Asking the client's model for a message. */

import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Open, Role } from './common.ts'
import type { AudioContent, ContentBlock, ImageContent, TextContent, Tool } from './tools.ts'

export interface SamplingMessage extends Open {
  readonly role: Role
  /** An array from 2025-11-25, one block before. // SAMP-10 */
  readonly content: SamplingBlock | readonly SamplingBlock[]
  readonly _meta?: JsonObject
}

export type SamplingBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent

/** From 2025-11-25. */
export interface ToolUseContent extends Open {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  readonly _meta?: JsonObject
}

/** From 2025-11-25. // SAMP-07, SAMP-08 */
export interface ToolResultContent extends Open {
  readonly type: 'tool_result'
  readonly toolUseId: string
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: JsonValue
  readonly isError?: boolean
  readonly _meta?: JsonObject
}

/** Wishes about the model, each 0 to 1; a client may ignore all of them. // SAMP-04 */
export interface ModelPreferences extends Open {
  /** Tried in this order. */
  readonly hints?: readonly { readonly name?: string; readonly [member: string]: unknown }[]
  readonly costPriority?: number
  readonly speedPriority?: number
  readonly intelligencePriority?: number
}

export interface CreateMessageParams extends Open {
  readonly messages: readonly SamplingMessage[]
  /** The one limit a client must respect. // SAMP-04 */
  readonly maxTokens: number
  readonly systemPrompt?: string
  readonly modelPreferences?: ModelPreferences
  /** Default `none`; other values need `sampling.context`. // SAMP-12 */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  readonly metadata?: JsonObject
  /** Needs `sampling.tools`. Scoped to this request. // SAMP-06, SAMP-16 */
  readonly tools?: readonly Tool[]
  readonly toolChoice?: ToolChoice
}

export interface ToolChoice extends Open {
  /** Default `auto`. // SAMP-09 */
  readonly mode?: 'auto' | 'required' | 'none'
}

export interface CreateMessageResult extends SamplingMessage {
  readonly model: string
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse` or any other word. // SAMP-13 */
  readonly stopReason?: string
}
