/**
 * What a call of the model means: which tool, with which arguments, or why it cannot be made. Nothing a model writes is believed: the
 * name need not exist, the arguments need not be JSON and need not fit. They are checked against the tool's own schema, not
 * against what the model was shown of it.
 */

import { issuesInWords, SchemaError, UsageError, type SchemaIssue } from '../base/errors.ts'
import { exceedsDepth, isJsonObject, MAX_JSON_DEPTH, type JsonObject } from '../base/json.ts'
import type { HostTool } from '../host/host-tool.ts'
import { readWish, RESOURCES_READ } from '../host/resource-reading.ts'
import { markForModel } from '../policy/shown.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import { compiled, compileSchema, type CompiledSchema } from '../schema/check.ts'
import { withoutSyntheticNulls } from '../schema/project/project.ts'
import type { ModelCall } from './conversation.ts'
import type { AgentCall } from './events.ts'
import { nearNames } from './near-names.ts'
import type { OfferedTool } from './offered-tools.ts'
import type { TurnTools } from './turn-tools.ts'

export type CallPlan = { readonly call: AgentCall } & (
  | { readonly kind: 'run'; readonly tool: HostTool; readonly args: JsonObject }
  /** There is a result without asking any tool. */
  | { readonly kind: 'answer'; readonly result: CallToolResult }
  /** The model is told why. */
  | { readonly kind: 'refuse'; readonly error: Error }
)

/** Longest text about a call that the model is told, in UTF-16 units. */
const MAX_TEXT = 4_000

export interface PlanOptions {
  /** The call's own, as `t1c1`. */
  readonly id: string
  readonly turn: string
  readonly tools: TurnTools
}

/** Understands one call. A promise, which never rejects, only while a schema is prepared for the first time. */
export function planCall(
  modelCall: ModelCall,
  { id, turn, tools }: PlanOptions,
): CallPlan | Promise<CallPlan> {
  const { name } = modelCall
  const named = (alias: string, tool?: HostTool, args?: JsonObject): AgentCall => ({
    id,
    turn,
    modelCall,
    alias,
    ...standsFor(tool, args),
    args,
  })
  const called = tools.find(name)
  if (called === undefined)
    return { call: named(name), kind: 'refuse', error: unknownName(name, tools) }
  const read = readArguments(modelCall, called)
  if (read instanceof Error) return { call: named(name, called), kind: 'refuse', error: read }
  const resolved = tools.resolve(name, read)
  if (resolved?.kind === 'answer')
    return { call: named(name, called, read), kind: 'answer', result: resolved.result }
  const alias = resolved?.alias ?? name
  const tool = resolved === undefined ? called : tools.find(alias)
  if (tool === undefined)
    return { call: named(alias), kind: 'refuse', error: unknownName(alias, tools) }
  const args = resolved?.args ?? asMeant(read, tools.offer(name))
  const call = named(alias, tool, args)
  const { inputSchema } = tool
  const ready = compiled(inputSchema)
  const planned = (schema: CompiledSchema): CallPlan => {
    const misfit = misfitOf(schema, tool.alias, args)
    return misfit === undefined
      ? { call, kind: 'run', tool, args }
      : { call, kind: 'refuse', error: misfit }
  }
  return ready === undefined ? compileSchema(inputSchema).then(planned) : planned(ready)
}

/** Whose tool it is. The tool for resources stands for reading from the server that the model names. */
function standsFor(
  tool: HostTool | undefined,
  args: JsonObject | undefined,
): Pick<AgentCall, 'server' | 'tool'> {
  const wish = tool?.readsResources === true ? readWish(args) : undefined
  if (wish !== undefined) return { server: wish.server, tool: RESOURCES_READ }
  return { server: tool?.server, tool: tool?.name }
}

/** Without what the model's view of the schema made it write. */
function asMeant(args: JsonObject, offered: OfferedTool | undefined): JsonObject {
  return offered === undefined ? args : withoutSyntheticNulls(args, offered.projection)
}

function unknownName(name: string, tools: TurnTools): Error {
  const near = nearNames(name, tools.names())
  const hint =
    near.length === 0 ? 'Use a name from the list of tools.' : `Near to it: ${near.join(', ')}.`
  return new UsageError(
    `There is no tool ${JSON.stringify(name.slice(0, 200))}. Nothing was called. ${hint}`,
  )
}

/** The arguments as an object, or why they are none. */
function readArguments({ name, argumentsText }: ModelCall, tool: HostTool): JsonObject | Error {
  const text = argumentsText.trim()
  if (text === '') {
    const { required } = tool.inputSchema
    if (!Array.isArray(required) || required.length === 0) return {}
    return fault(name, `are missing. They must have: ${required.map(String).join(', ')}`)
  }
  if (exceedsDepth(text)) return fault(name, `nest deeper than ${MAX_JSON_DEPTH} levels`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return fault(name, 'are no JSON. Write one JSON object, with all strings escaped', cause)
  }
  return isJsonObject(value) ? value : fault(name, 'must be one JSON object')
}

function fault(name: string, what: string, cause?: unknown): Error {
  return new SchemaError(
    'DP_SCHEMA_ARGUMENTS',
    `The arguments of ${name} ${what}. Nothing was called.`,
    {
      ...(cause !== undefined && { cause }),
    },
  )
}

/** Why the arguments do not fit the schema of the tool; a schema that cannot be used refuses nothing. */
function misfitOf(schema: CompiledSchema, alias: string, args: JsonObject): Error | undefined {
  const verdict = schema.kind === 'checkable' ? schema.check(args) : undefined
  if (verdict?.valid !== false) return undefined
  const { issues } = verdict
  return new SchemaError(
    'DP_SCHEMA_ARGUMENTS',
    `The arguments of ${alias} do not fit its schema: ${wordsOf(issues)}. Nothing was called.`,
    { issues },
  )
}

/** They quote the schema, which is a server's. */
function wordsOf(issues: readonly SchemaIssue[]): string {
  return cutText(markForModel(issuesInWords(issues)))
}

/** A text about a call, not longer than one should be. */
export function cutText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`
}
