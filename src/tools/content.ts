/**
 * A tool's result as plain text: what a person reads in a terminal and what a text-only model is given.
 *
 * Nothing is dropped silently: each block gives its text or at least a placeholder that says what was there.
 * Blocks are joined by a newline. Texts are the server's own words: escape them before a terminal sees them.
 */

import { isJsonObject, type JsonValue } from '../base/json.ts'
import type { CallToolResult, ContentBlock } from '../protocol/types/tools.ts'

/** Longest JSON shown for a block of an unknown kind, in characters. */
const MAX_UNKNOWN = 2000

/**
 * The whole result as text; empty when it holds nothing at all. Structured content stands behind the blocks as JSON, unless
 * the blocks say all of it: the same JSON, or the one value that is in it.
 */
export function resultToText(result: CallToolResult): string {
  const texts = result.content.map(blockToText)
  const unsaid = unsaidStructure(result, texts)
  return (unsaid === undefined ? texts : [...texts, unsaid]).join('\n')
}

/** The structured content as JSON where the blocks, whose texts are given, do not say all of it; else undefined. */
export function unsaidStructure(
  { structuredContent, content }: CallToolResult,
  texts: readonly string[],
): string | undefined {
  // The member counts, not its truth: null, 0 and false are values. // TOOL-10
  if (structuredContent === undefined || saysOnly(structuredContent, content)) return undefined
  const isSaid = texts.some((text) => holdsSame(text, structuredContent))
  return isSaid ? undefined : JSON.stringify(structuredContent)
}

/** One block as text. */
export function blockToText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return textOf(block.text)
    case 'image':
    case 'audio':
      return `[${block.type} ${textOf(block.mimeType) || 'of unknown type'}, ${sizeOfBase64(block.data)}]`
    case 'resource_link':
      return linkToText(block)
    case 'resource':
      return resourceToText(block)
    default:
      return unknownToText(block)
  }
}

function linkToText(block: Extract<ContentBlock, { type: 'resource_link' }>): string {
  const facts = [
    lineOf(block.uri),
    lineOf(block.mimeType),
    typeof block.size === 'number' ? humanBytes(block.size) : '',
  ]
  const about = block.description === undefined ? '' : `: ${textOf(block.description)}`
  return `[resource link ${lineOf(block.title) || lineOf(block.name)} (${facts.filter(Boolean).join(', ')})${about}]`
}

function resourceToText(block: Extract<ContentBlock, { type: 'resource' }>): string {
  const resource: unknown = block.resource
  if (!isJsonObject(resource)) return unknownToText(block)
  const { uri, mimeType, text, blob } = resource
  const facts = [lineOf(uri) || 'without URI', lineOf(mimeType)].filter(Boolean).join(', ')
  if (typeof text === 'string') return `[resource ${facts}]\n${text}`
  return `[resource ${facts}, ${sizeOfBase64(blob)}]`
}

function unknownToText(block: unknown): string {
  const kind = isJsonObject(block) ? textOf(block['type']) : ''
  const json = JSON.stringify(block) ?? ''
  const shown =
    json.length > MAX_UNKNOWN ? `${json.slice(0, MAX_UNKNOWN)}… (${json.length} characters)` : json
  return `[content of unknown kind ${JSON.stringify(kind)}] ${shown}`
}

/** Whether the value is an object of one plain member, and the text blocks are that member: `161` and `{"value":161}`. */
function saysOnly(value: JsonValue, content: readonly ContentBlock[]): boolean {
  if (!isJsonObject(value)) return false
  const [member, ...others] = Object.values(value)
  const plain =
    typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean'
  if (!plain || others.length > 0) return false
  const said = content.flatMap((block) => (block.type === 'text' ? [textOf(block.text)] : []))
  return said.length > 0 && said.join('\n') === String(member)
}

/** Whether a text block already says the same JSON, so that it is not shown twice. // TOOL-11 */
function holdsSame(text: string, value: JsonValue): boolean {
  if (!/^\s*["{[\dtfn-]/.test(text)) return false
  try {
    return sameJson(JSON.parse(text) as JsonValue, value) // JSON.parse gives JSON values
  } catch {
    return false // prose, not JSON
  }
}

function sameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => sameJson(item, other[at]))
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key], other[key]))
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** What stands in brackets on one line stays there. */
function lineOf(value: unknown): string {
  return textOf(value).replaceAll(/[\r\n\u2028\u2029]+/g, ' ')
}

function sizeOfBase64(data: unknown): string {
  if (typeof data !== 'string') return 'no data'
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return humanBytes(Math.max(0, Math.floor((data.length * 3) / 4) - padding))
}

/** Bytes for people: `345 B`, `3.1 KB`, `2.0 MB`. */
export function humanBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
