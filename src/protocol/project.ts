/**
 * Results in the words of a revision: what it does not know is left out, or said in text.
 *
 * Members that a revision merely does not name are sent all the same, since every object of every revision is open
 * (RPC-22); what goes is what would make a message invalid, or mean something else. Nothing given is changed, and
 * what needs no change is passed on without a copy.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The result of `method`, fit for the revision. */
export function projectResult(method: string, result: JsonObject, words: Vocabulary): JsonObject {
  switch (method) {
    case 'tools/call':
      return projectCall(result, words)
    case 'tools/list':
      return projectList(result, 'tools', (tool) => projectTool(tool, words))
    case 'prompts/get':
      return projectList(result, 'messages', (message) => projectMessage(message, words))
    case 'sampling/createMessage':
      return projectSampled(result, words)
    default:
      return result
  }
}

/** The result with one of its lists mapped; the same object when no entry changed. */
function projectList(
  result: JsonObject,
  member: string,
  project: (entry: JsonObject) => JsonObject,
): JsonObject {
  const before = result[member]
  if (!Array.isArray(before)) return result
  const after = mapChanged(before, (entry) => (isJsonObject(entry) ? project(entry) : entry))
  return after === before ? result : { ...result, [member]: after }
}

/** `map` that gives the same array back when nothing in it changed. */
function mapChanged(list: JsonValue[], project: (entry: JsonValue) => JsonValue): JsonValue[] {
  let changed: JsonValue[] | undefined
  // By index: iterators make an array for each entry, and this is on the path of every result.
  for (let at = 0; at < list.length; at += 1) {
    const entry = list[at] ?? null
    const projected = project(entry)
    if (projected !== entry) (changed ??= [...list])[at] = projected
  }
  return changed ?? list
}

/** Content is always there, its kinds are known to the peer, and structured content has the form that it expects. */
function projectCall(result: JsonObject, words: Vocabulary): JsonObject {
  const before = result['content']
  if (before === undefined && isJsonObject(result['task'])) return result // a promise of a result has no content: TASK-05
  const content = Array.isArray(before) ? projectBlocks(before, words.blocks) : [] // TOOL-12
  const structured = result['structuredContent']
  if (structured !== undefined && words.structured === 'object' && !isJsonObject(structured)) {
    const { structuredContent: _, ...rest } = result
    return { ...rest, content: withJsonText(content, structured) } // TOOL-09, TOOL-11
  }
  return content === before ? result : { ...result, content }
}

/** Content that holds the value as JSON text: itself, when a block says it already. // TOOL-11 */
function withJsonText(content: JsonValue[], value: JsonValue): JsonValue[] {
  const text = JSON.stringify(value)
  const told = content.some(
    (block) => isJsonObject(block) && block['type'] === 'text' && saysJson(block['text'], text),
  )
  return told ? content : [...content, { type: 'text', text }]
}

function saysJson(said: JsonValue | undefined, text: string): boolean {
  if (typeof said !== 'string') return false
  try {
    return said === text || JSON.stringify(JSON.parse(said)) === text
  } catch {
    return false // prose, no JSON
  }
}

/** Blocks of kinds that are not known become text. // TOOL-13 */
function projectBlocks(blocks: JsonValue[], known: ReadonlySet<string>): JsonValue[] {
  return mapChanged(blocks, (block) => projectBlock(block, known))
}

/** A block, or text in its place when its kind is not known. // TOOL-13 */
export function projectBlock(block: JsonValue, known: ReadonlySet<string>): JsonValue {
  if (!isJsonObject(block)) return { type: 'text', text: JSON.stringify(block) }
  const kind = block['type']
  return typeof kind === 'string' && known.has(kind)
    ? block
    : { type: 'text', text: describeBlock(block) }
}

/** A line that says what was left out, never empty. */
function describeBlock(block: JsonObject): string {
  const kind = textOf(block['type']) ?? 'unknown'
  if (kind === 'resource_link') {
    const name = textOf(block['title']) ?? textOf(block['name']) ?? 'resource'
    const description = textOf(block['description'])
    const uri = textOf(block['uri']) ?? ''
    return `[${name}](${uri})${description === undefined ? '' : `: ${description}`}`
  }
  if (kind === 'tool_use')
    return `[tool call ${textOf(block['name']) ?? ''} ${JSON.stringify(block['input'] ?? {})}]`
  if (kind === 'tool_result') return `[tool result ${JSON.stringify(block['content'] ?? [])}]`
  const type = textOf(block['mimeType'])
  const size = textOf(block['data'])?.length
  const about = [type, size === undefined ? undefined : `${Math.floor((size * 3) / 4)} bytes`]
  return `[${[`${kind} left out`, ...about.filter((word) => word !== undefined)].join(', ')}]`
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A tool whose schemas the revision can read. */
function projectTool(tool: JsonObject, words: Vocabulary): JsonObject {
  const input = projectToolSchema(tool['inputSchema'], words, true)
  const output = projectToolSchema(tool['outputSchema'], words, false)
  const drops = !words.toolExecution && tool['execution'] !== undefined // TOOL-26
  if (!drops && input === tool['inputSchema'] && output === tool['outputSchema']) return tool
  const { outputSchema: _, execution, ...rest } = tool
  return {
    ...rest,
    ...(input === undefined ? {} : { inputSchema: input }),
    ...(output === undefined ? {} : { outputSchema: output }),
    ...(execution === undefined || drops ? {} : { execution }),
  }
}

/** An input schema says `object` at its root; an output schema that says something else is not sent where it must. */
function projectToolSchema(
  schema: JsonValue | undefined,
  words: Vocabulary,
  isInput: boolean,
): JsonValue | undefined {
  if (!isJsonObject(schema)) return isInput ? { type: 'object' } : undefined // TOOL-04
  if (schema['type'] !== 'object') {
    if (isInput) return projectProperties({ ...schema, type: 'object' }, words) // TOOL-04
    if (words.structured === 'object') return undefined // TOOL-05
  }
  return projectProperties(schema, words)
}

/** Up to 2025-11-25 the schema of a property is an object; `true` and `false` have spellings that are. // TOOL-05 */
function projectProperties(schema: JsonObject, words: Vocabulary): JsonObject {
  const properties = schema['properties']
  if (words.toolSchemas === 'open' || !isJsonObject(properties)) return schema
  const entries = Object.entries(properties)
  if (!entries.some(([, property]) => typeof property === 'boolean')) return schema
  const told = entries.map(([name, property]): [string, JsonValue | undefined] => {
    if (typeof property !== 'boolean') return [name, property]
    return [name, property ? {} : { not: {} }]
  })
  return { ...schema, properties: Object.fromEntries(told) }
}

/** A prompt message: its one block. // PRMT-05 */
function projectMessage(message: JsonObject, words: Vocabulary): JsonObject {
  const before = message['content'] ?? null
  const after = projectBlock(before, words.blocks)
  return after === before ? message : { ...message, content: after }
}

/** A message from a model, as one block where the revision has room for one only. // SAMP-10 */
function projectSampled(result: JsonObject, words: Vocabulary): JsonObject {
  const before = result['content'] ?? null
  const blocks = Array.isArray(before) ? projectBlocks(before, words.samplingBlocks) : undefined
  const after =
    blocks === undefined ? projectBlock(before, words.samplingBlocks) : oneOrMany(blocks, words)
  return after === before ? result : { ...result, content: after }
}

function oneOrMany(blocks: JsonValue[], words: Vocabulary): JsonValue {
  if (words.samplingArrays) return blocks
  const [first] = blocks
  if (blocks.length === 1 && first !== undefined) return first
  const texts = blocks.map((block) => projectBlock(block, TEXT_ONLY)).filter(isJsonObject)
  return { type: 'text', text: texts.map((block) => textOf(block['text']) ?? '').join('\n') }
}

const TEXT_ONLY: ReadonlySet<string> = new Set(['text'])
