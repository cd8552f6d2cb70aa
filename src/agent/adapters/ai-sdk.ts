/**
 * The tools of a host for the AI SDK (`ai`, version 6; 7 takes them as they are): what `generateText`, `streamText` and its agents
 * take as `tools`.
 * Nothing of that package is loaded here; the one function that is needed is handed in.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import { ToolError } from '../../tools/define.ts'
import {
  foreignTools,
  type AdapterOptions,
  type ForeignAnswer,
  type ForeignTool,
  type ToolHost,
} from './foreign-call.ts'

/** What is needed of the package: `import { jsonSchema } from 'ai'`. */
export interface AiSdkParts<S> {
  jsonSchema(schema: JsonObject, options: { validate(value: unknown): Promise<Validation> }): S
}

type Validation =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error }

/** What a model is told, in the package's words. */
export type AiSdkModelOutput =
  | { type: 'text'; value: string }
  | { type: 'json'; value: JsonValue }
  | { type: 'content'; value: AiSdkContent[] }

type AiSdkContent =
  | { type: 'text'; text: string }
  | { type: 'image-data'; data: string; mediaType: string }

/** A tool as the package takes it. `S` is its own type of schemas. */
export interface AiSdkTool<S> {
  type: 'dynamic'
  title?: string
  description?: string
  inputSchema: S
  /**
   * Calls the tool through the gate of the host. What it gives is the `output` of the tool result. It throws for everything else,
   * which the package tells its model as an error of the tool: a refusal is a `PolicyError`, a failed tool a `ToolError`.
   */
  execute(
    input: unknown,
    options: { readonly toolCallId: string; readonly abortSignal?: AbortSignal | undefined },
  ): Promise<ForeignAnswer>
  toModelOutput(options: { readonly output: unknown }): AiSdkModelOutput
}

/**
 * The tools of a host, by alias. Takes a turn of the host; make them anew when its tools may have changed. A person is asked by the
 * host's own `consent`, so that `needsApproval` is not used.
 */
export function aiSdkTools<S>(
  host: ToolHost,
  sdk: AiSdkParts<S>,
  options: AdapterOptions = {},
): Record<string, AiSdkTool<S>> {
  // Without a prototype: a model may call a tool by any name. An object without members is of every record type.
  const tools = Object.create(null) as Record<string, AiSdkTool<S>>
  for (const tool of foreignTools(host, options)) tools[tool.model.name] = aiSdkTool(tool, sdk)
  return tools
}

function aiSdkTool<S>(tool: ForeignTool, sdk: AiSdkParts<S>): AiSdkTool<S> {
  const { description, parameters } = tool.model
  const { title } = tool.host
  return {
    type: 'dynamic',
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: sdk.jsonSchema(parameters, {
      async validate(value) {
        const problems = await tool.problemsOf(value)
        return problems === undefined
          ? { success: true, value }
          : { success: false, error: new ToolError(problems) }
      },
    }),
    execute: (input, { toolCallId, abortSignal }) =>
      tool.call(input, { call: toolCallId, signal: abortSignal }),
    toModelOutput: ({ output }) => modelOutputOf(output),
  }
}

/** The output may have been away, in a browser for instance: nothing of it is believed but its shape. */
function modelOutputOf(output: unknown): AiSdkModelOutput {
  if (!isJsonObject(output) || typeof output['text'] !== 'string')
    // It came out of JSON, or is what a caller put in its place.
    return { type: 'json', value: (output ?? null) as JsonValue }
  const { text, images } = output
  const parts = Array.isArray(images) ? images.flatMap(imageOf) : []
  if (parts.length === 0) return { type: 'text', value: text }
  return { type: 'content', value: [{ type: 'text', text }, ...parts] }
}

function imageOf(image: unknown): AiSdkContent[] {
  if (!isJsonObject(image)) return []
  const { data, mimeType } = image
  if (typeof data !== 'string' || typeof mimeType !== 'string') return []
  return [{ type: 'image-data', data, mediaType: mimeType }]
}
