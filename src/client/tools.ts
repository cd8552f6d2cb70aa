/**
 * What a client remembers of tools, to check what goes to and comes from them, and to repeat arguments in headers.
 */

import { issuesInWords, SchemaError } from '../base/errors.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { paramHeaders, paramMirrorsOf, type ParamMirror } from '../protocol/param-headers.ts'
import type { CallToolResult, Tool } from '../protocol/types/tools.ts'
import { compileSchema, type CompiledSchema } from '../schema/check.ts'

/** What a client remembers of the tools it was told of, to check calls and results. */
export class ToolChecks {
  readonly #tools = new Map<string, Tool>()
  readonly #input = new Map<string, CompiledSchema>()
  readonly #output = new Map<string, CompiledSchema>()
  readonly #mirrors = new Map<string, readonly ParamMirror[]>()

  /** Replaces everything that was known. */
  learn(tools: readonly Tool[]): void {
    this.#tools.clear()
    this.#input.clear()
    this.#output.clear()
    this.#mirrors.clear()
    for (const tool of tools) this.#tools.set(tool.name, tool)
  }

  /** What the last list said of a tool. */
  tool(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  /** The headers that a tool wants some of its arguments repeated in; undefined when it wants none. // HTTP-64, HTTP-70 */
  headersFor(name: string, args: JsonObject): Readonly<Record<string, string>> | undefined {
    let mirrors = this.#mirrors.get(name)
    if (mirrors === undefined) {
      const schema = this.#tools.get(name)?.inputSchema
      if (schema === undefined) return undefined
      const read = paramMirrorsOf(schema)
      mirrors = read.kind === 'mirrors' ? read.mirrors : []
      this.#mirrors.set(name, mirrors)
    }
    return mirrors.length === 0 ? undefined : paramHeaders(mirrors, args)
  }

  /** Throws `SchemaError` when arguments do not fit. Gives a promise only while a schema is prepared, the first time. */
  checkArguments(name: string, args: JsonObject): void | Promise<void> {
    const ready = this.#input.get(name)
    if (ready !== undefined) return judgeArguments(name, ready, args)
    const schema = this.#tools.get(name)?.inputSchema
    if (schema === undefined) return
    return compileSchema(schema).then((compiled) => {
      this.#input.set(name, compiled)
      judgeArguments(name, compiled, args)
    })
  }

  /** Throws `SchemaError` when structured content does not fit the tool's output schema. // TOOL-08 */
  checkResult(name: string, result: CallToolResult): void | Promise<void> {
    if (result.isError === true || result.structuredContent === undefined) return
    const value = result.structuredContent
    const ready = this.#output.get(name)
    if (ready !== undefined) return judgeResult(name, ready, value)
    const schema = this.#tools.get(name)?.outputSchema
    if (schema === undefined) return
    return compileSchema(schema).then((compiled) => {
      this.#output.set(name, compiled)
      judgeResult(name, compiled, value)
    })
  }
}

function judgeArguments(name: string, compiled: CompiledSchema, args: JsonObject): void {
  const issues = issuesOf(compiled, args)
  if (issues.length === 0) return
  throw new SchemaError(
    'DP_SCHEMA_ARGUMENTS',
    `The arguments of ${name} do not fit its schema: ${issuesInWords(issues)}. Nothing was sent.`,
    { issues, detail: { kind: 'misfit', what: 'arguments', tool: name } },
  )
}

function judgeResult(name: string, compiled: CompiledSchema, value: JsonValue): void {
  const issues = issuesOf(compiled, value)
  if (issues.length === 0) return
  throw new SchemaError(
    'DP_SCHEMA_RESULT',
    `${name} ran, but its structured result does not fit its output schema: ${issuesInWords(issues)}.`,
    { issues, detail: { kind: 'misfit', what: 'result', tool: name } },
  )
}

/** A schema that cannot be used refuses nothing: that is the tool author's fault, not the caller's. */
function issuesOf(compiled: CompiledSchema, value: JsonValue): SchemaError['issues'] {
  if (compiled.kind !== 'checkable') return []
  const verdict = compiled.check(value)
  return verdict.valid === false ? verdict.issues : []
}
