/** Tools, their calls, and the content blocks that results, prompts and sampling share. */

import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Annotations, Icon, Open, PageResult } from './common.ts'
import type { BlobResourceContents, Resource, TextResourceContents } from './resources.ts'

export interface Tool extends Open {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** Its root says `type: "object"`. Keywords that are not understood are kept as they are. // TOOL-04, TOOL-33 */
  readonly inputSchema: JsonObject
  /** Describes `structuredContent`. Until 2025-11-25 its root is an object as well. // TOOL-05, TOOL-06 */
  readonly outputSchema?: JsonObject
  readonly annotations?: ToolAnnotations
  readonly icons?: readonly Icon[]
  /** 2025-11-25 only. */
  readonly execution?: ToolExecution
  readonly _meta?: JsonObject
}

/** Hints of a server about its own tool: untrusted unless the server is. // TOOL-18 */
export interface ToolAnnotations extends Open {
  readonly title?: string
  /** Default false. // TOOL-19 */
  readonly readOnlyHint?: boolean
  /** Default true; means nothing for read-only tools. // TOOL-19 */
  readonly destructiveHint?: boolean
  /** Default false; means nothing for read-only tools. // TOOL-19 */
  readonly idempotentHint?: boolean
  /** Default true. // TOOL-19 */
  readonly openWorldHint?: boolean
}

export interface ToolExecution extends Open {
  /** Default `forbidden`. // TOOL-26 */
  readonly taskSupport?: 'forbidden' | 'optional' | 'required'
}

export interface ListToolsResult extends PageResult {
  readonly tools: readonly Tool[]
}

export interface CallToolParams extends Open {
  readonly name: string
  readonly arguments?: JsonObject
}

export interface CallToolResult extends Open {
  /** May be empty. // TOOL-12 */
  readonly content: readonly ContentBlock[]
  /** Any JSON value, null included: test for the member, not for its truth. // TOOL-10 */
  readonly structuredContent?: JsonValue
  /** True when the tool itself failed: a result for the model, no error. // TOOL-14 */
  readonly isError?: boolean
  readonly _meta?: JsonObject
}

/**
 * One piece of content. A peer may send kinds that no revision knows, and they are passed on: a `switch` over `type`
 * needs a default branch.
 */
export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceLink
  | EmbeddedResource

interface BlockBase extends Open {
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

export interface TextContent extends BlockBase {
  readonly type: 'text'
  readonly text: string
}

export interface ImageContent extends BlockBase {
  readonly type: 'image'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** From 2025-03-26. // TOOL-13 */
export interface AudioContent extends BlockBase {
  readonly type: 'audio'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** A resource to read later; it need not be in any list. From 2025-06-18. // TOOL-13, TOOL-30 */
export interface ResourceLink extends Resource {
  readonly type: 'resource_link'
}

export interface EmbeddedResource extends BlockBase {
  readonly type: 'resource'
  readonly resource: TextResourceContents | BlobResourceContents
}
