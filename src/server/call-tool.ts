/**
 * `tools/call` on the server's side: find the tool, check the arguments, run it, make a result of whatever happens.
 *
 * A tool's failure is a result, a wrong call is an error, and what nobody expected is told to the log, not to the peer.
 */

import {
  CapabilityError,
  describeError,
  RpcError,
  RpcRefusal,
  type SchemaIssue,
} from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { Logger } from '../base/log.ts'
import { INTERNAL_ERROR } from '../jsonrpc/message.ts'
import { capabilityAt } from '../protocol/capability.ts'
import type { Outcome } from '../protocol/dialect.ts'
import { invalidParams, missingClientCapability } from '../protocol/errors.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import { compiled, compileSchema } from '../schema/check.ts'
import { checkStandard, isStandardSchema } from '../schema/standard.ts'
import { ToolError, toResult, type ToolDefinition } from '../tools/define.ts'
import type { Asker } from './ask.ts'
import type { CallContext } from './context.ts'

export interface ToolCall {
  readonly tool: ToolDefinition
  readonly args: unknown
  readonly context: CallContext
  readonly asker: Asker
  readonly logger: Logger
  /** Makes the id under which an unexpected failure is logged. */
  readonly newId: () => string
}

/** Runs one call to its outcome. Throws `RpcRefusal` for what must be a JSON-RPC error. */
export async function callTool(call: ToolCall): Promise<Outcome> {
  const { tool, context, asker } = call
  const { argumentErrors } = context.dialect.traits
  const args = call.args ?? {}
  if (!isJsonObject(args)) throw invalidParams('The member "arguments" must be an object')
  const checked = await checkArguments(tool, args)
  if (checked.issues !== undefined) {
    const text = `The arguments of ${tool.tool.name} do not fit its schema: ${inWords(checked.issues)}`
    if (argumentErrors === 'error') throw invalidParams(text) // TOOL-16
    return complete(failure(text))
  }
  const running = run(call, checked.args)
  if (asker.suspended === undefined) return running
  return Promise.race([running, asker.suspended.then((outcome) => context.suspend(outcome))])
}

async function run(call: ToolCall, args: unknown): Promise<Outcome> {
  const { tool, context } = call
  // Given up before it began, as in a storm of calls: it has no effect, and nobody hears this result. // CANC-02
  if (context.cancelled) return complete({ content: [] })
  let returned: unknown
  try {
    returned = await tool.run(args, context)
  } catch (error) {
    return complete(failed(call, error))
  }
  const result = toResult(returned, tool.output !== undefined)
  await checkResult(call, result)
  return complete(result)
}

interface CheckedArguments {
  readonly args?: unknown
  readonly issues?: readonly SchemaIssue[]
}

/** A schema that cannot be checked refuses nothing; that it cannot was logged when the tool was added. */
async function checkArguments(
  { input }: ToolDefinition,
  args: JsonObject,
): Promise<CheckedArguments> {
  if (isStandardSchema(input)) {
    const verdict = await checkStandard(input, args)
    return verdict.valid ? { args: verdict.value } : { issues: verdict.issues }
  }
  const ready = compiled(input) ?? (await compileSchema(input))
  const verdict = ready.kind === 'checkable' ? ready.check(args) : undefined
  return verdict?.valid === false ? { issues: verdict.issues } : { args }
}

/** Throws when a tool breaks its own promise: a fault of the server, not a result. // TOOL-07 */
async function checkResult({ tool, logger }: ToolCall, result: CallToolResult): Promise<void> {
  const schema = tool.tool.outputSchema
  if (schema === undefined || result.isError === true) return
  const ready = compiled(schema) ?? (await compileSchema(schema))
  if (ready.kind !== 'checkable') return
  const { name } = tool.tool
  const { structuredContent } = result
  const verdict = structuredContent === undefined ? undefined : ready.check(structuredContent)
  if (verdict !== undefined && verdict.valid !== false) return
  const problem =
    verdict === undefined ? 'it returned no structured content' : inWords(verdict.issues)
  logger.error('a tool broke its output schema', { tool: name, problem })
  throw new RpcRefusal(INTERNAL_ERROR, `The result of ${name} does not fit its output schema`)
}

/** What a throw of a tool tells its caller. */
function failed({ tool, context, logger, newId }: ToolCall, error: unknown): CallToolResult {
  if (error instanceof ToolError) return failure(error.message) // TOOL-14
  if (error instanceof RpcRefusal) throw error
  if (error instanceof CapabilityError) {
    if (context.dialect.traits.serverAsks === 'request' || error.missing === undefined)
      return failure(error.message)
    throw missingClientCapability(capabilityAt(error.missing)) // ERR-07
  }
  if (error instanceof RpcError)
    return failure(`The client refused a question of ${tool.tool.name}: ${error.message}`)
  const id = newId()
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  logger.error('a tool failed unexpectedly', {
    tool: tool.tool.name,
    id,
    error: describeError(error),
    stack,
  })
  return failure(`Internal error (${id})`)
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

function complete(result: CallToolResult): Outcome {
  return { kind: 'complete', result: result as unknown as JsonObject } // a CallToolResult holds JSON values only
}

function inWords(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`))
    .join('; ')
}
