/**
 * The YAML at the head of a Markdown file, between two lines of three hyphens, as JSON.
 *
 * The text is a stranger's: its length, its nesting and what its aliases come to are bounded, keys are strings and only
 * ever own members, and what JSON has no word for is refused. The parser is loaded when the first file is read.
 */

import { describeError } from '../base/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'

export type FrontMatter =
  | { readonly kind: 'read'; readonly values: JsonObject }
  /** The file does not begin with any. */
  | { readonly kind: 'none' }
  /** It does, and cannot be used; `because` quotes the file, so escape it before showing it. */
  | { readonly kind: 'unusable'; readonly because: string }

/** Longest front matter, in characters. */
export const MAX_FRONT_MATTER: number = 64 * 1024
/** Most values in it, those of aliases counted as often as they stand. */
const MAX_VALUES = 10_000
const MAX_DEPTH = 64
const MAX_ALIASES = 100
const MAX_REASON = 500

/** Reads the head of a file. Never throws; takes time in proportion to the length of the head. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const found = frontMatterOf(text)
  if (found === undefined) return { kind: 'none' }
  if (!found.ended && found.yaml.length <= MAX_FRONT_MATTER)
    return unusable('it does not end with a line of three hyphens')
  if (found.yaml.length > MAX_FRONT_MATTER)
    return unusable(`it is longer than ${MAX_FRONT_MATTER} characters`)
  try {
    const { parseDocument } = await import('yaml')
    const document = parseDocument(found.yaml, {
      version: '1.2',
      schema: 'core',
      stringKeys: true,
      uniqueKeys: true,
      prettyErrors: false,
    })
    const [fault] = [...document.errors, ...document.warnings]
    if (fault !== undefined) return unusable(fault.message)
    const values = asJson(document.toJS({ maxAliasCount: MAX_ALIASES }), { left: MAX_VALUES })
    return isJsonObject(values) ? { kind: 'read', values } : unusable('it is no map of names')
  } catch (error) {
    return unusable(describeError(error))
  }
}

/** The text behind the first line, up to the last one or to the longest length and a little more. */
function frontMatterOf(
  text: string,
): { readonly yaml: string; readonly ended: boolean } | undefined {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  const first = lineAt(text, start)
  if (!isFence(first.line)) return undefined
  // One character more than may be is enough to know that it is too long.
  const end = Math.min(text.length, first.next + MAX_FRONT_MATTER + 1)
  for (let at = first.next; at < end;) {
    const { line, next } = lineAt(text, at)
    if (isFence(line)) return { yaml: text.slice(first.next, at), ended: true }
    at = next
  }
  return { yaml: text.slice(first.next, end), ended: false }
}

function lineAt(text: string, at: number): { readonly line: string; readonly next: number } {
  const end = text.indexOf('\n', at)
  if (end < 0) return { line: text.slice(at), next: text.length }
  return { line: text.slice(at, end), next: end + 1 }
}

/** Three hyphens, and blanks behind them at most. */
function isFence(line: string): boolean {
  return line.startsWith('---') && line.length < 1000 && line.slice(3).trim() === ''
}

function unusable(because: string): FrontMatter {
  return { kind: 'unusable', because: because.slice(0, MAX_REASON) }
}

/** A copy of what the parser gave. Throws for what JSON cannot say, and for too much. */
function asJson(value: unknown, budget: { left: number }, depth = 0): JsonValue {
  budget.left -= 1
  if (budget.left < 0) throw new RangeError(`it holds more than ${MAX_VALUES} values`)
  if (depth > MAX_DEPTH) throw new RangeError(`it nests deeper than ${MAX_DEPTH} levels`)
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (Array.isArray(value)) return value.map((item) => asJson(item, budget, depth + 1))
  if (typeof value !== 'object') throw new RangeError('it holds a number that JSON does not have')
  // `fromEntries` makes own members of all keys, `__proto__` too.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, asJson(item, budget, depth + 1)]),
  )
}
