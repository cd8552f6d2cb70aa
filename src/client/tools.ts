/**
 * Tools as a client sees them: reading lists leniently, and checking what goes to and comes from a tool.
 *
 * One bad tool never costs the list: it is mended or left out, and noted.
 */

import { issuesInWords, SchemaError } from '../base/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { CallToolResult, Tool } from '../protocol/types/tools.ts'
import { compileSchema, type CompiledSchema } from '../schema/check.ts'
import type { PageNote } from './pages.ts'

/** The usable tools among the items of a list, in the server's order; the first of a name counts. */
export function readTools(
  items: readonly unknown[],
  note: (note: PageNote) => void,
): readonly Tool[] {
  const tools = new Map<string, Tool>()
  for (const [index, item] of items.entries()) {
    const complain = (problem: string): void => note({ kind: 'bad-tool', data: { index, problem } })
    if (!isJsonObject(item) || typeof item['name'] !== 'string') {
      complain('it has no name')
    } else if (tools.has(item['name'])) {
      complain(`a second tool is named ${JSON.stringify(item['name'].slice(0, 200))}`)
    } else {
      tools.set(item['name'], mend(item, complain))
    }
  }
  return [...tools.values()]
}

/** A tool whose members have the types that the rest of the code relies on. Unknown members stay. // TOOL-33 */
function mend(item: JsonObject, complain: (problem: string) => void): Tool {
  const { inputSchema, outputSchema } = item
  if (!isJsonObject(inputSchema)) complain('its inputSchema is no object') // TOOL-04
  if (outputSchema !== undefined && outputSchema !== null && !isJsonObject(outputSchema)) {
    complain('its outputSchema is no object')
  }
  const mended: JsonObject = {
    ...item,
    inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: 'object' },
  }
  for (const member of ['title', 'description'] as const) {
    if (typeof mended[member] !== 'string') delete mended[member]
  }
  for (const member of ['outputSchema', 'annotations', '_meta', 'execution'] as const) {
    if (!isJsonObject(mended[member])) delete mended[member]
  }
  if (!Array.isArray(mended['icons'])) delete mended['icons']
  return mended as unknown as Tool // every member that the type names was checked above
}

/** What a client remembers of the tools it was told of, to check calls and results. */
export class ToolChecks {
  readonly #tools = new Map<string, Tool>()
  readonly #input = new Map<string, CompiledSchema>()
  readonly #output = new Map<string, CompiledSchema>()

  /** Replaces everything that was known. */
  learn(tools: readonly Tool[]): void {
    this.#tools.clear()
    this.#input.clear()
    this.#output.clear()
    for (const tool of tools) this.#tools.set(tool.name, tool)
  }

  /** What the last list said of a tool. */
  tool(name: string): Tool | undefined {
    return this.#tools.get(name)
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
    { issues },
  )
}

function judgeResult(name: string, compiled: CompiledSchema, value: JsonValue): void {
  const issues = issuesOf(compiled, value)
  if (issues.length === 0) return
  throw new SchemaError(
    'DP_SCHEMA_RESULT',
    `${name} ran, but its structured result does not fit its output schema: ${issuesInWords(issues)}.`,
    { issues },
  )
}

/** A schema that cannot be used refuses nothing: that is the tool author's fault, not the caller's. */
function issuesOf(compiled: CompiledSchema, value: JsonValue): SchemaError['issues'] {
  if (compiled.kind !== 'checkable') return []
  const verdict = compiled.check(value)
  return verdict.valid === false ? verdict.issues : []
}
