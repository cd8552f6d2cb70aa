/** The two ways that need no server: the tool as a function of the program alone, and as an object of a framework. */

import type { JsonObject } from '../../base/json.ts'
import type { ModelCall } from '../../agent/conversation.ts'
import type { ModelTool } from '../../agent/model.ts'
import type { ToolDefinition } from '../../tools/define.ts'
import { textHere } from './subject.ts'

/** A tool of the program: its definition for the request, and what is done with a call. */
export interface InProcess {
  readonly tools: readonly ModelTool[]
  call(call: ModelCall): Promise<string>
}

/** Function calling alone: a list for the request, and a map from names to functions. */
export function functionCalling(definition: ToolDefinition, signal: AbortSignal): InProcess {
  const functions = new Map([
    [definition.tool.name, (args: unknown) => textHere(definition, args, signal)],
  ])
  return {
    tools: [modelTool(definition)],
    async call({ name, argumentsText }) {
      const run = functions.get(name)
      return run === undefined ? `There is no ${name}.` : run(JSON.parse(argumentsText))
    },
  }
}

/** What `new DynamicStructuredTool(…)` of LangChain takes. */
export interface LangChainShape {
  readonly name: string
  readonly description: string
  readonly schema: JsonObject
  func(input: unknown): Promise<string>
}

/** What the `tools` of the AI SDK hold, but that its `jsonSchema(…)` goes around the schema. */
export interface AiSdkShape {
  readonly description: string
  readonly inputSchema: JsonObject
  execute(input: unknown): Promise<string>
}

export function langChainShape(definition: ToolDefinition, signal: AbortSignal): LangChainShape {
  const { name, description = '', inputSchema } = definition.tool
  const func = (input: unknown): Promise<string> => textHere(definition, input, signal)
  return { name, description, schema: inputSchema, func }
}

export function aiSdkShape(definition: ToolDefinition, signal: AbortSignal): AiSdkShape {
  const { description = '', inputSchema } = definition.tool
  const execute = (input: unknown): Promise<string> => textHere(definition, input, signal)
  return { description, inputSchema, execute }
}

/** A framework: the same object carries the definition and the function. */
export function framework(definition: ToolDefinition, signal: AbortSignal): InProcess {
  const tool = langChainShape(definition, signal)
  return {
    tools: [{ name: tool.name, description: tool.description, parameters: tool.schema }],
    call: ({ argumentsText }) => tool.func(JSON.parse(argumentsText)),
  }
}

function modelTool({ tool }: ToolDefinition): ModelTool {
  const { name, description, inputSchema } = tool
  return { name, parameters: inputSchema, ...(description !== undefined && { description }) }
}
