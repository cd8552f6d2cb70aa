/**
 * The tools of a host for LangChain (`@langchain/core`, version 1): what `bindTools`, LangGraph's `ToolNode` and its agents take.
 * Nothing of that package is loaded here; the classes that are needed are handed in.
 */

import type { JsonObject } from '../../base/json.ts'
import { describeError } from '../../base/errors.ts'
import type { CallToolResult } from '../../protocol/types/tools.ts'
import { checkableElsewhere } from './checkable-elsewhere.ts'
import {
  FailedToolError,
  foreignTools,
  type AdapterOptions,
  type ForeignTool,
  type ToolHost,
} from './foreign-call.ts'

/** What is needed of the package. `T` is its type of tools, `M` that of tool messages. */
export interface LangChainParts<T, M = unknown> {
  /** Of `@langchain/core/tools`. */
  readonly DynamicStructuredTool: new (fields: LangChainToolFields<M>) => T
  /**
   * Of `@langchain/core/messages`. With it, what fails in answer to a call of a model is a message of status `error`, which the model
   * can read and an agent goes on with. Default: whatever fails is thrown.
   */
  readonly ToolMessage?: new (fields: LangChainMessageFields) => M
}

/** What a tool is made of, in the package's words. */
export interface LangChainToolFields<M> {
  name: string
  description: string
  schema: JsonObject
  responseFormat: 'content_and_artifact'
  verboseParsingErrors: boolean
  metadata: Record<string, unknown>
  func(
    input: unknown,
    runManager?: unknown,
    config?: LangChainConfig,
  ): Promise<[content: LangChainContent | M, artifact: CallToolResult | undefined]>
}

interface LangChainConfig {
  readonly signal?: AbortSignal | undefined
  readonly toolCall?: { readonly id?: string | undefined } | undefined
}

export interface LangChainMessageFields {
  status: 'error'
  content: string
  name: string
  tool_call_id: string
  artifact: CallToolResult | undefined
}

type LangChainContent = string | LangChainBlock[]
type LangChainBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; mimeType: string; data: string }

/**
 * The tools of a host, in its order. Takes a turn of the host; make them anew when its tools may have changed. Each call goes through
 * the gate; the whole result is the `artifact` of the tool message. Calls that were given up are thrown in any case.
 */
export function langChainTools<T, M = unknown>(
  host: ToolHost,
  parts: LangChainParts<T, M>,
  options: AdapterOptions = {},
): T[] {
  return foreignTools(host, options).map((tool) => langChainTool(tool, parts))
}

function langChainTool<T, M>(tool: ForeignTool, parts: LangChainParts<T, M>): T {
  const { name, description, parameters } = tool.model
  const { server, title } = tool.host
  return new parts.DynamicStructuredTool({
    name,
    description: description ?? title ?? name,
    schema: checkableElsewhere(parameters),
    responseFormat: 'content_and_artifact',
    verboseParsingErrors: true,
    metadata: { server: server ?? null, tool: tool.host.name },
    async func(input, _runManager, config) {
      const call = config?.toolCall?.id
      const signal = config?.signal
      try {
        const { text, images, result } = await tool.call(input, { call, signal })
        return [contentOf(text, images), result]
      } catch (error) {
        if (parts.ToolMessage === undefined || call === undefined || signal?.aborted === true)
          throw error
        return failure(error, { ToolMessage: parts.ToolMessage, name, call })
      }
    },
  })
}

function contentOf(
  text: string,
  images: readonly { readonly mimeType: string; readonly data: string }[],
): LangChainContent {
  if (images.length === 0) return text
  const blocks = images.map(({ mimeType, data }): LangChainBlock => ({
    type: 'image',
    mimeType,
    data,
  }))
  return [{ type: 'text', text }, ...blocks]
}

function failure<M>(
  error: unknown,
  to: {
    readonly ToolMessage: new (fields: LangChainMessageFields) => M
    readonly name: string
    readonly call: string
  },
): [M, CallToolResult | undefined] {
  const artifact = failedResultOf(error)
  const message = new to.ToolMessage({
    status: 'error',
    content: describeError(error),
    name: to.name,
    tool_call_id: to.call,
    artifact,
  })
  return [message, artifact]
}

function failedResultOf(error: unknown): CallToolResult | undefined {
  return error instanceof FailedToolError ? error.result : undefined
}
