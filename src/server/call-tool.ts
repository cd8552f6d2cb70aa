/**
 * `tools/call` on the server's side: find the tool, check the arguments, run it, make a result of whatever happens.
 *
 * A tool's failure is a result, a wrong call is an error, and what nobody expected is told to the log, not to the peer.
 */

import { asError, issuesInWords, RpcRefusal, type SchemaIssue } from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { Logger } from '../base/log.ts'
import { INTERNAL_ERROR } from '../jsonrpc/message.ts'
import type { Outcome } from '../protocol/dialect.ts'
import { invalidParams } from '../protocol/errors.ts'
import type { Headers } from '../protocol/headers.ts'
import { checkParamHeaders, paramMirrorsOf, type ParamMirror } from '../protocol/param-headers.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import { compileSchema, type CompiledSchema } from '../schema/check.ts'
import { checkStandard, isStandardSchema, type StandardSchema } from '../schema/standard.ts'
import { toResult, type ToolDefinition } from '../tools/define.ts'
import type { TaskWork } from '../tools/task-store.ts'
import type { CallContext } from './context.ts'
import { afterThrow } from './throws.ts'

export interface ToolCall {
  readonly tool: ToolDefinition
  readonly args: unknown
  readonly context: CallContext
  /** The work on it, when it becomes a task before it runs. */
  readonly work: TaskWork | undefined
  /** Headers that repeat arguments, where the carrier has them and the revision wants them. */
  readonly headers: Headers | undefined
  readonly logger: Logger
  /** Makes the id under which an unexpected failure is logged. */
  readonly newId: () => string
}

/** A tool with its checks at hand. */
interface PreparedTool {
  readonly standard: StandardSchema | undefined
  readonly input: CompiledSchema | undefined
  readonly output: CompiledSchema | undefined
  /** Arguments that headers repeat. */
  readonly mirrors: readonly ParamMirror[]
}

const prepared = new WeakMap<ToolDefinition, PreparedTool>()

/** Compiles the schemas of a tool, when it is called for the first time: a server of thousands starts at once. */
async function prepareTool({ tool, logger }: ToolCall): Promise<void> {
  const { input, tool: told } = tool
  const standard = isStandardSchema(input) ? input : undefined
  const compiled = standard === undefined ? await compileSchema(input) : undefined
  const output =
    told.outputSchema === undefined ? undefined : await compileSchema(told.outputSchema)
  // A tool whose annotations are wrong is not offered with them: clients drop it. // HTTP-68
  const asked = paramMirrorsOf(told.inputSchema)
  const mirrors = asked.kind === 'mirrors' ? asked.mirrors : []
  prepared.set(tool, { standard, input: compiled, output, mirrors })
  if (compiled?.kind !== 'uncheckable') return
  logger.warn('arguments cannot be checked', { tool: told.name, because: compiled.because })
}

/**
 * Runs one call to its outcome. Throws or rejects with `RpcRefusal` for what must be a JSON-RPC error. Waits for nothing
 * that is there already: a tool that answers at once costs no promise.
 */
export function callTool(call: ToolCall): Outcome | Promise<Outcome> {
  const { tool, context } = call
  // Given up before it began, as in a storm of calls: it has no effect, and nobody hears this result. // CANC-02
  if (context.cancelled) return complete({ content: [] })
  const args = call.args ?? {}
  if (!isJsonObject(args)) throw invalidParams('The member "arguments" must be an object')
  const ready = prepared.get(tool)
  if (ready === undefined) return prepareTool(call).then(() => callTool(call))
  if (call.headers !== undefined) checkParamHeaders(ready.mirrors, args, call.headers) // HTTP-72
  if (ready.standard !== undefined) return callStandard(call, ready.standard, args)
  const verdict = ready.input?.kind === 'checkable' ? ready.input.check(args) : undefined
  return verdict?.valid === false ? misfit(call, verdict.issues) : run(call, args)
}

async function callStandard(
  call: ToolCall,
  schema: StandardSchema,
  args: JsonObject,
): Promise<Outcome> {
  const verdict = await checkStandard(schema, args)
  return verdict.valid ? run(call, verdict.value) : misfit(call, verdict.issues)
}

/** Arguments that do not fit, as the revision tells them. // TOOL-16 */
function misfit({ tool, context }: ToolCall, issues: readonly SchemaIssue[]): Outcome {
  const text = `The arguments of ${tool.tool.name} do not fit its schema: ${issuesInWords(issues)}`
  if (context.dialect.traits.argumentErrors === 'error') throw invalidParams(text)
  return complete(failure(text))
}

function run(call: ToolCall, args: unknown): Outcome | Promise<Outcome> {
  const { tool, context } = call
  if (context.cancelled) return complete({ content: [] }) // CANC-02
  if (call.work !== undefined) {
    const promise = context.enterTask(call.work)
    void endTask(call, args)
    return promise
  }
  let returned: unknown
  try {
    returned = tool.run(args, context)
  } catch (error) {
    return failed(call, error)
  }
  if (!isThenable(returned)) return conclude(call, returned)
  return new Promise((resolve, reject) => {
    context.whenAnswered(resolve)
    Promise.resolve(returned)
      .then(
        (value) => conclude(call, value),
        (error: unknown) => failed(call, error),
      )
      .then(
        (outcome) => {
          if (!context.endTask(outcome)) resolve(outcome)
        },
        (thrown: unknown) => {
          const error = asError(thrown)
          if (!context.failTask(error)) reject(error)
        },
      )
  })
}

/** The work of a task, to its end: it is told to nobody but the task. */
async function endTask(call: ToolCall, args: unknown): Promise<void> {
  const { tool, context } = call
  try {
    context.endTask(await conclude(call, await tool.run(args, context)))
  } catch (error) {
    try {
      context.endTask(await failed(call, error))
    } catch (refusal) {
      context.failTask(asError(refusal))
    }
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  )
}

/** What a tool returned as an outcome; what a suspended run returns is void. */
function conclude(call: ToolCall, returned: unknown): Outcome | Promise<Outcome> {
  const { tool, context } = call
  if (context.suspended !== undefined) return context.suspended
  context.finish()
  const result = toResult(returned, tool.output !== undefined)
  if (tool.tool.outputSchema === undefined || result.isError === true) return complete(result)
  const output = prepared.get(tool)?.output
  if (output !== undefined) checkResult(call, result, output)
  return complete(result)
}

/** Throws when a tool breaks its own promise: a fault of the server, not a result. // TOOL-07 */
function checkResult(
  { tool, logger }: ToolCall,
  result: CallToolResult,
  output: CompiledSchema,
): void {
  if (output.kind !== 'checkable') return
  const { name } = tool.tool
  const { structuredContent } = result
  const verdict = structuredContent === undefined ? undefined : output.check(structuredContent)
  if (verdict !== undefined && verdict.valid !== false) return
  const problem =
    verdict === undefined ? 'it returned no structured content' : issuesInWords(verdict.issues)
  logger.error('a tool broke its output schema', { tool: name, problem })
  throw new RpcRefusal(INTERNAL_ERROR, `The result of ${name} does not fit its output schema`)
}

/** What a throw of a tool tells its caller. */
function failed(
  { tool, context, logger, newId }: ToolCall,
  error: unknown,
): Outcome | Promise<Outcome> {
  context.finish()
  const thrower = { kind: 'tool', name: tool.tool.name, context, logger, newId } as const
  const ended = afterThrow(error, thrower)
  return 'text' in ended ? complete(failure(ended.text)) : ended
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

function complete(result: CallToolResult): Outcome {
  return { kind: 'complete', result: result as unknown as JsonObject } // a CallToolResult holds JSON values only
}
