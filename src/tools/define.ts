/**
 * A tool as a plain value: its description for the wire and the code behind it.
 *
 * The same value is served over a wire or mounted in a host without one. Nothing here checks arguments or turns
 * throws into results; that is the caller's part, so that it happens once.
 */

import { SchemaError, UsageError } from '../base/errors.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type {
  CallToolResult,
  ContentBlock,
  Tool,
  ToolAnnotations,
} from '../protocol/types/tools.ts'
import type { Icon } from '../protocol/types/common.ts'
import { paramMirrorsOf } from '../protocol/param-headers.ts'
import { jsonSchemaOf, type Schema } from '../schema/standard.ts'
import type { FeatureOptions, RequestContext } from './context.ts'
import { checkIcons, visibility } from './feature.ts'

/** A tool failed in a way its caller should hear: becomes a result with `isError` and this text. // TOOL-14 */
export class ToolError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ToolError'
  }
}

/** A whole result, for tools that want more than text or one value. Made by `reply`. */
export class Reply {
  readonly result: CallToolResult

  constructor(result: CallToolResult) {
    this.result = result
  }
}

/** Content blocks, structured content, `isError` and `_meta`, as they go on the wire. */
export function reply(
  result: Partial<CallToolResult> & { readonly content?: readonly ContentBlock[] },
): Reply {
  return new Reply({ ...result, content: result.content ?? [] })
}

/**
 * What `run` may return. With an `output` schema the value is the structured content. Without one, a string is text and
 * any other value is structured content that is told as text too. `reply(…)` says it all by hand.
 */
export type ToolReply<Out> = Out | Reply

export interface ToolOptions<In, Out> extends FeatureOptions {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .`. // TOOL-21 */
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** JSON Schema with an object at its root, or any Standard Schema that can give one. Default: no arguments. */
  readonly input?: Schema<In>
  readonly output?: Schema<Out>
  readonly annotations?: ToolAnnotations
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
  /**
   * Whether a call may go on as a task, on servers that keep tasks. `required`: clients that cannot follow one are refused.
   * Default: never. // TOOL-26, TASKX-03
   */
  readonly task?: 'optional' | 'required' | TaskSupport
  /** `args` fit `input`; a Standard Schema's defaults and transformations are applied. */
  run(args: In, context: RequestContext): Promise<ToolReply<Out>> | ToolReply<Out>
}

/** How calls of a tool become tasks. */
export interface TaskSupport {
  readonly support: 'optional' | 'required'
  /**
   * `at-once` makes the task before the tool runs. `later` lets it run first, so that its questions come before the task,
   * until it says `ctx.becomeTask()`. Default `at-once`. // TASKX-17
   */
  readonly starts?: 'at-once' | 'later'
  /** How long the task is kept, in ms. Default: the server's. */
  readonly ttlMs?: number | undefined
  /** What is suggested between two looks, in ms. Default: the server's. */
  readonly pollIntervalMs?: number | undefined
}

/** A tool, ready to be served or mounted. Made by `defineTool`. */
export interface ToolDefinition extends FeatureOptions {
  /** What `tools/list` says of it, in the words of the newest revision. */
  readonly tool: Tool
  readonly input: Schema
  readonly output: Schema | undefined
  readonly task?: TaskSupport
  /** What it gives may be a promise, and goes through `toResult`. */
  run(args: unknown, context: RequestContext): unknown
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/ // TOOL-21

/** Takes no arguments at all. // TOOL-04 */
const NO_ARGUMENTS: JsonObject = { type: 'object', additionalProperties: false }

/**
 * Makes a tool. Throws `UsageError` for a name outside the allowed characters, and `SchemaError` when a schema cannot be
 * told to clients or repeats arguments in headers against the rules.
 */
export function defineTool<In = JsonObject, Out = unknown>(
  options: ToolOptions<In, Out>,
): ToolDefinition {
  const { name, input, output } = options
  if (!NAME.test(name)) {
    throw new UsageError(
      `A tool cannot be named ${JSON.stringify(name)}: use 1 to 128 of the characters A-Z a-z 0-9 _ - .`,
    )
  }
  const inputSchema = input === undefined ? NO_ARGUMENTS : jsonSchemaOf(input, 'input')
  if (inputSchema['type'] !== 'object') {
    throw new SchemaError(
      'DP_SCHEMA_DEFINITION',
      `The input schema of tool ${name} must have "type": "object" at its root.`,
    )
  }
  const mirrored = paramMirrorsOf(inputSchema)
  if (mirrored.kind === 'fault') {
    throw new SchemaError(
      'DP_SCHEMA_DEFINITION',
      `The input schema of tool ${name} cannot be offered over HTTP: ${mirrored.problem}.`,
    ) // HTTP-65, HTTP-66, HTTP-67
  }
  const { title, description, annotations, icons, _meta } = options
  checkIcons(icons, `tool ${name}`)
  const task = typeof options.task === 'string' ? { support: options.task } : options.task
  const tool: Tool = {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    inputSchema,
    ...(output === undefined ? {} : { outputSchema: jsonSchemaOf(output, 'output') }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...(_meta === undefined ? {} : { _meta }),
  }
  return {
    tool,
    input: input ?? NO_ARGUMENTS,
    output,
    ...(task === undefined ? {} : { task }),
    ...visibility(options),
    // The caller hands `run` what passed `input`, which is what In means.
    run: (args, context) => options.run(args as In, context),
  }
}

/** The result for the wire of what a tool returned. `undefined` becomes an empty result. */
export function toResult(returned: unknown, hasOutput: boolean): CallToolResult {
  if (returned instanceof Reply) return withText(returned.result)
  if (returned === undefined) return { content: [] }
  if (typeof returned === 'string' && !hasOutput)
    return { content: [{ type: 'text', text: returned }] }
  // JSON.stringify drops what JSON cannot hold, and throws on cycles and BigInt: a fault of the tool, told as such.
  const structuredContent = returned as JsonValue
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent } // TOOL-11
}

/** Structured content is told in text as well, unless its author said something there. // TOOL-11 */
function withText(result: CallToolResult): CallToolResult {
  const { content, structuredContent } = result
  if (structuredContent === undefined || content.length > 0) return result
  return { ...result, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
}
