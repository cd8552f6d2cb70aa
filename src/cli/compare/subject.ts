/** What is compared: one tool, the arguments of one call, and a context in which its body can run without any wire. */

import { PRODUCT } from '../../client/options.ts'
import { CapabilityError } from '../../base/errors.ts'
import { NEWEST_MODERN } from '../../protocol/dialects/index.ts'
import type { CallToolResult } from '../../protocol/types/tools.ts'
import { calculator } from '../../servers/calculator.ts'
import { weather } from '../../servers/weather.ts'
import { resultToText } from '../../tools/content.ts'
import type { ToolContext } from '../../tools/context.ts'
import { toResult, type ToolDefinition } from '../../tools/define.ts'

export const SUBJECTS = ['calculator', 'weather'] as const
export type SubjectName = (typeof SUBJECTS)[number]

export interface Subject {
  readonly name: SubjectName
  readonly definition: ToolDefinition
  /** Those of the call that the model decides on. */
  readonly args: Readonly<Record<string, string>>
  /** The person's words to the model. */
  readonly task: string
}

/** The weather is the sample: what is compared needs no network. */
export function subjectOf(name: SubjectName): Subject {
  return name === 'calculator'
    ? { name, definition: calculator(), args: { expr: '23*7' }, task: '23*7 = ?' }
    : { name, definition: weather({ offline: true }), args: { city: '北京' }, task: '北京？' }
}

/** The same tool with another description, as if its author had edited it. */
export function described(definition: ToolDefinition, description: string): ToolDefinition {
  return { ...definition, tool: { ...definition.tool, description } }
}

/** Runs the body in this process, and nothing else: no checks, no gate. */
async function runHere(
  definition: ToolDefinition,
  args: unknown,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const returned: unknown = await definition.run(args, contextOf(definition, signal))
  return toResult(returned, definition.output !== undefined)
}

/** The same as text, as a model is told. */
export async function textHere(
  definition: ToolDefinition,
  args: unknown,
  signal: AbortSignal,
): Promise<string> {
  return resultToText(await runHere(definition, args, signal))
}

function contextOf({ tool }: ToolDefinition, signal: AbortSignal): ToolContext {
  const { revision } = NEWEST_MODERN
  return {
    signal,
    client: { revision, era: 'modern', info: { ...PRODUCT }, capabilities: {} },
    auth: undefined,
    trace: undefined,
    meta: {},
    progress: () => undefined,
    log: () => undefined,
    closeStream: () => false,
    becomeTask: () => false,
    ask: (_key, { method }) =>
      Promise.reject(
        new CapabilityError('DP_CAPABILITY_MISSING', `${tool.name} has nobody to ask here.`, {
          method,
        }),
      ),
  }
}
