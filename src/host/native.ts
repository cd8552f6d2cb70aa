/**
 * Native tools: those of the program itself, which run here without any wire. Their arguments and results are checked as a
 * server does it; what they throw becomes a result.
 */

import {
  CapabilityError,
  describeError,
  issuesInWords,
  RpcRefusal,
  type SchemaIssue,
} from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Logger } from '../base/log.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import { PRODUCT } from '../client/options.ts'
import { NEWEST_MODERN } from '../protocol/dialects/index.ts'
import { checkValue } from '../schema/check.ts'
import { checkStandard, isStandardSchema } from '../schema/standard.ts'
import type { ToolContext } from '../tools/context.ts'
import { ToolError, toResult, type ToolDefinition } from '../tools/define.ts'
import type { HostCallOptions } from './host-options.ts'

/** Runs a native tool to its result. Rejects only when the call is given up. */
export async function runNative(
  definition: ToolDefinition,
  args: JsonObject,
  options: HostCallOptions & { readonly logger: Logger },
): Promise<CallToolResult> {
  const { tool } = definition
  const checked = await checkInput(definition, args)
  if ('issues' in checked) {
    const issues = issuesInWords(checked.issues)
    return failure(`The arguments of ${tool.name} do not fit its schema: ${issues}`)
  }
  const signal = options.signal ?? NEVER
  signal.throwIfAborted()
  try {
    const returned = await definition.run(checked.value, contextOf(tool.name, signal, options))
    return await checkedResult(definition, toResult(returned, definition.output !== undefined))
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof ToolError || error instanceof RpcRefusal) return failure(error.message)
    if (error instanceof CapabilityError) return failure(error.message)
    options.logger.error('a native tool failed unexpectedly', {
      tool: tool.name,
      error: describeError(error),
      stack: error instanceof Error ? (error.stack ?? '') : '',
    })
    return failure(`${tool.name} failed unexpectedly; the log of the host says more.`)
  }
}

const NEVER: AbortSignal = new AbortController().signal

type Checked = { readonly value: unknown } | { readonly issues: readonly SchemaIssue[] }

async function checkInput({ input }: ToolDefinition, args: JsonObject): Promise<Checked> {
  if (isStandardSchema(input)) {
    const verdict = await checkStandard(input, args)
    return verdict.valid ? { value: verdict.value } : { issues: verdict.issues }
  }
  const verdict = await checkValue(input, args)
  return verdict.valid === false ? { issues: verdict.issues } : { value: args }
}

/** A tool that breaks its own promise is told as a failure: there is nobody else to blame it on. // TOOL-07 */
async function checkedResult(
  { tool }: ToolDefinition,
  result: CallToolResult,
): Promise<CallToolResult> {
  if (tool.outputSchema === undefined || result.isError === true) return result
  const { structuredContent } = result
  if (structuredContent === undefined)
    return failure(
      `The result of ${tool.name} has no structured content, which its schema asks for.`,
    )
  const verdict = await checkValue(tool.outputSchema, structuredContent)
  if (verdict.valid !== false) return result
  const issues = issuesInWords(verdict.issues)
  return failure(`The result of ${tool.name} does not fit its output schema: ${issues}`)
}

/** There is no client: progress is told to who called, and questions have nobody to go to. */
function contextOf(
  name: string,
  signal: AbortSignal,
  { onProgress, logger }: HostCallOptions & { readonly logger: Logger },
): ToolContext {
  return {
    signal,
    client: {
      revision: NEWEST_MODERN.revision,
      era: 'modern',
      info: { ...PRODUCT },
      capabilities: {},
    },
    auth: undefined,
    trace: undefined,
    meta: {},
    progress: (value) => onProgress?.(value),
    log: (level, data) => logger.debug(`native tool ${name}`, { level, data }),
    closeStream: () => false,
    becomeTask: () => false,
    ask: (_key, { method }) =>
      Promise.reject(
        new CapabilityError(
          'DP_CAPABILITY_MISSING',
          `The native tool ${name} asked ${method}, and native tools have nobody to ask. Ask before the tool is called.`,
          { method, missing: method },
        ),
      ),
  }
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
