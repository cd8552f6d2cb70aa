/**
 * Texts of servers as people and models get them. For a model what hides is taken out of definitions and marked in results; for
 * a person everything is there and visible. No filter here makes a text true or harmless.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { replaceHidden, terminalText } from '../base/terminal-text.ts'
import type { Tool } from '../protocol/types/tools.ts'

/** Longest text of a definition that a model gets, in UTF-16 units; the same for the instructions of a server. */
export const MAX_MODEL_TEXT = 16_384
/** Deepest nesting of a schema that a model gets; deeper parts are left out. */
export const MAX_MODEL_DEPTH = 128

/**
 * Escape sequences of terminals, whole: CSI, then OSC and its kin up to their end, in 7 bits and 8. Their classes leave out what
 * begins a sequence, so that a text full of beginnings is read once.
 */
const SEQUENCES =
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d\u009e\u009f])[^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)/g

/** A text of a definition or instructions for a model: nothing hidden, no terminal sequences, line ends and tabs kept, cut with a word about it. */
export function forModel(text: string, maxLength: number = MAX_MODEL_TEXT): string {
  const clean = replaceHidden(text.slice(0, maxLength * 4).replace(SEQUENCES, ''), () => '', true)
  if (clean.length <= maxLength && text.length <= maxLength * 4) return clean
  const kept = clean.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')
  return `${kept}… (cut: the server wrote ${text.length} characters)`
}

/** A text of a result for a model: all of it, with what hides written as `<U+202E>`. */
export function markForModel(text: string): string {
  return replaceHidden(text, codeText, true)
}

/** `<U+200B>`, as in the charts of Unicode. */
function codeText(code: number): string {
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

export interface ModelTool {
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  /**
   * Paths of names and values, not of mere descriptions, from which something was taken: the model will use them as shown, and the
   * server may not know them.
   */
  readonly altered: readonly string[]
}

/** A definition with every text cleaned, names of members included. The server's own copy is left as it is. */
export function toolForModel(tool: Tool): ModelTool {
  const altered: string[] = []
  const schema = (value: JsonObject, name: string): JsonObject => {
    const clean = cleanValue(value, { path: [name], altered })
    return isJsonObject(clean) ? clean : { type: 'object' }
  }
  return {
    ...(typeof tool.title === 'string' && { title: forModel(tool.title) }),
    ...(typeof tool.description === 'string' && { description: forModel(tool.description) }),
    inputSchema: schema(tool.inputSchema, 'inputSchema'),
    ...(tool.outputSchema !== undefined && {
      outputSchema: schema(tool.outputSchema, 'outputSchema'),
    }),
    altered,
  }
}

/** Most paths that are named. */
const MAX_ALTERED = 100
/** Members that only describe: what is taken from them changes no call. */
const PROSE: ReadonlySet<string> = new Set(['title', 'description', '$comment'])

interface Cleaning {
  readonly path: readonly string[]
  readonly altered: string[]
}

function cleanValue(value: JsonValue | undefined, { path, altered }: Cleaning): JsonValue {
  if (typeof value === 'string') {
    const clean = forModel(value)
    const isProse = PROSE.has(path.at(-1) ?? '') && path.at(-2) !== 'properties'
    if (clean !== value && !isProse) note(path, altered)
    return clean
  }
  if (typeof value !== 'object' || value === null) return value ?? null
  if (path.length > MAX_MODEL_DEPTH) {
    note(path, altered)
    return Array.isArray(value) ? [] : {}
  }
  if (Array.isArray(value))
    return value.map((item, index) => cleanValue(item, { path: [...path, String(index)], altered }))
  const members = new Map<string, JsonValue>()
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    const name = forModel(key)
    const at = { path: [...path, key], altered }
    if (name !== key) note(at.path, altered)
    // Of two names that come out alike the first stays.
    if (!members.has(name)) members.set(name, cleanValue(member, at))
  }
  // Defines members, so that one called `__proto__` is a member as any other.
  return Object.fromEntries(members)
}

function note(path: readonly string[], altered: string[]): void {
  if (altered.length < MAX_ALTERED) altered.push(terminalText(path.join('/')).slice(0, 200))
}

export interface PeerLinesOptions {
  /** Most lines, the one that counts the rest included. Default 40. */
  readonly maxLines?: number
  /** Longest line in UTF-16 units before escaping; the rest goes on in the next. Default 160. */
  readonly maxWidth?: number
}

/** A text for a person, in lines that are safe for a terminal. Put a mark of your own in front of each. */
export function peerLines(text: string, options: PeerLinesOptions = {}): readonly string[] {
  const { maxLines = 40, maxWidth = 160 } = options
  const lines: string[] = []
  let at = 0
  while (at < text.length && lines.length < maxLines) {
    const newline = text.indexOf('\n', at)
    const end = Math.min(newline < 0 ? text.length : newline, at + maxWidth)
    const isHalved = end < text.length && /[\udc00-\udfff]/.test(text.charAt(end)) && end - at > 1
    const stop = isHalved ? end - 1 : end
    lines.push(terminalText(text.slice(at, stop)))
    at = stop === newline ? stop + 1 : stop
  }
  if (at >= text.length) return lines
  const kept = lines.slice(0, Math.max(0, maxLines - 1))
  return [...kept, `… (${text.length} characters in all, not all of them shown)`]
}
