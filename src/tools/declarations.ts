/**
 * Declarations of a server's tools for TypeScript: what each takes and what it gives back in structured form. Pure; the tools are a
 * stranger's, and what comes out is a valid module of a bounded size whatever they say.
 */

import type { JsonObject } from '../base/json.ts'
import { schemaTypes } from './schema-types.ts'
import { TypeNames } from './type-names.ts'
import { docComment, docLine, isWritable, memberName } from './type-text.ts'

/** What of a tool is declared. */
export interface DeclaredTool {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject | undefined
}

/** What is not in the declarations as the server has it. */
export interface DeclarationRemark {
  /** The name of the tool, as it is. */
  readonly tool: string
  /**
   * `cut` parts of it are `unknown`, for their size; `no-room` it is left out, for that of the tools before it; `same-name` it is left
   * out, as another has its name; `bad-name` it is left out, as its name holds half a character.
   */
  readonly kind: 'cut' | 'no-room' | 'same-name' | 'bad-name'
}

export interface Declarations {
  /** A module of declarations, as for a file that ends in `.d.ts`. */
  readonly text: string
  readonly remarks: readonly DeclarationRemark[]
}

export interface DeclarationOptions {
  /** Whose tools they are, for the first line. A stranger's text. */
  readonly server: string
}

/** Tools of one module, and about how many UTF-16 units all of it has. */
const MAX_TOOLS = 5_000
const MAX_UNITS: number = 8 * 1024 * 1024

/** Writes the declarations: two types a tool, and `Tools`, in which they are by name. Never throws. */
export function declareTools(
  tools: readonly DeclaredTool[],
  { server }: DeclarationOptions,
): Declarations {
  const names = new TypeNames(['Tools', 'ToolName'])
  const remarks: DeclarationRemark[] = []
  const types: string[] = []
  const members: string[] = []
  const seen = new Set<string>()
  let units = 0
  for (const tool of tools) {
    const kind = whyNot(tool.name, seen, units)
    if (kind !== undefined) {
      remarks.push({ tool: tool.name, kind })
      continue
    }
    seen.add(tool.name)
    const { text, member, cut } = declareTool(tool, names)
    if (cut) remarks.push({ tool: tool.name, kind: 'cut' })
    types.push(text)
    members.push(member)
    units += text.length + member.length
  }
  const about = docLine(`Types of the tools of ${JSON.stringify(server.slice(0, 200))}.`)
  const head = `// ${about} Written by deep-pilot types.\n`
  const map = `/** What tools take and give, by their names. */\nexport interface Tools {\n${members.join('')}}\n`
  const last = '/** The name of a tool. */\nexport type ToolName = keyof Tools;\n'
  return { text: [head, ...types, map, last].join('\n'), remarks }
}

function whyNot(
  name: string,
  seen: ReadonlySet<string>,
  units: number,
): DeclarationRemark['kind'] | undefined {
  if (!isWritable(name)) return 'bad-name'
  if (seen.has(name)) return 'same-name'
  return seen.size >= MAX_TOOLS || units > MAX_UNITS ? 'no-room' : undefined
}

interface DeclaredOne {
  readonly text: string
  /** Its lines in `Tools`. */
  readonly member: string
  readonly cut: boolean
}

function declareTool(tool: DeclaredTool, names: TypeNames): DeclaredOne {
  const { name, title, description, inputSchema, outputSchema } = tool
  const taken = schemaTypes(inputSchema, { names, parts: [name, 'Arguments'] })
  const given =
    outputSchema === undefined
      ? undefined
      : schemaTypes(outputSchema, { names, parts: [name, 'Result'] })
  const said = description ?? title
  const lines = [
    ...docComment([said]),
    `${memberName(name)}: {`,
    `  arguments: ${taken.name};`,
    ...(given === undefined ? [] : [`  structuredContent: ${given.name};`]),
    '};',
  ]
  const doc = docComment([`Arguments of ${name}.`])
  const parts = [`${doc.join('\n')}\n${taken.text}`]
  if (given !== undefined)
    parts.push(`${docComment([`Structured result of ${name}.`]).join('\n')}\n${given.text}`)
  return {
    text: parts.join('\n'),
    member: lines.map((line) => `  ${line}\n`).join(''),
    cut: taken.cut || given?.cut === true,
  }
}
