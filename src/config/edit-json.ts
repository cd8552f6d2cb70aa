/**
 * Changes one member of an object in a JSON file with comments, and not a character besides. Works on offsets; whoever calls
 * reads the result again and compares.
 */

import type { Node } from 'jsonc-parser'
import type { JsonValue } from '../base/json.ts'

type Jsonc = typeof import('jsonc-parser')

/** Path of an object from the root on. */
type Path = readonly string[]

/** Sets a member; the objects on its way are made where they are missing. */
export async function setJsonMember(text: string, path: Path, value: JsonValue): Promise<string> {
  const jsonc = await import('jsonc-parser')
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true })
  if (root?.type !== 'object') return `${JSON.stringify(nested(path, value), undefined, 2)}\n`
  let [holder, depth] = [root, 0]
  for (; depth < path.length - 1; depth += 1) {
    const next = memberOf(holder, path[depth] ?? '')?.value
    if (next?.type !== 'object') break
    holder = next
  }
  const key = path[depth] ?? ''
  const inner = nested(path.slice(depth + 1), value)
  const there = memberOf(holder, key)
  const style = styleOf(text)
  const indent = indentOf(text, holder, style)
  const body = pretty(inner, { ...style, indent })
  if (there !== undefined) return splice(text, there.value.offset, there.value.length, body)
  const property = `${JSON.stringify(key)}: ${body}`
  return insert(jsonc, text, { holder, property, indent, eol: style.eol })
}

/** Takes a member away, with the comma that it no longer needs. The text as it is when there is no such member. */
export async function removeJsonMember(text: string, path: Path): Promise<string> {
  const jsonc = await import('jsonc-parser')
  let holder = jsonc.parseTree(text, [], { allowTrailingComma: true })
  for (const name of path.slice(0, -1))
    holder = holder === undefined ? undefined : memberOf(holder, name)?.value
  const there = holder === undefined ? undefined : memberOf(holder, path.at(-1) ?? '')
  if (holder === undefined || there === undefined) return text
  const siblings = holder.children ?? []
  const at = siblings.indexOf(there.property)
  const end = there.property.offset + there.property.length
  const next = siblings[at + 1]
  const after = commaIn(jsonc, text, end, next?.offset ?? holder.offset + holder.length - 1)
  const before = siblings[at - 1]
  if (after === undefined && before !== undefined) {
    const comma = commaIn(jsonc, text, before.offset + before.length, there.property.offset)
    const cut = withoutLine(text, there.property.offset, end)
    return comma === undefined ? cut : splice(cut, comma, 1, '')
  }
  return withoutLine(text, there.property.offset, after === undefined ? end : after + 1)
}

function nested(path: Path, value: JsonValue): JsonValue {
  return path.toReversed().reduce<JsonValue>((inner, key) => ({ [key]: inner }), value)
}

interface Member {
  readonly property: Node
  readonly value: Node
}

/** Of two members with the same key the last, which is the one that counts. */
function memberOf(holder: Node, key: string): Member | undefined {
  const property = holder.children?.findLast(({ children }) => children?.[0]?.value === key)
  const value = property?.children?.[1]
  return property === undefined || value === undefined ? undefined : { property, value }
}

interface Style {
  readonly eol: string
  readonly unit: string
}

function styleOf(text: string): Style {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return { eol, unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ' }
}

/** What stands before the members of an object. */
function indentOf(text: string, holder: Node, { unit }: Style): string {
  const [first] = holder.children ?? []
  const own = first === undefined ? undefined : blankBefore(text, first.offset)
  return own ?? `${lineIndent(text, holder.offset)}${unit}`
}

/** The blanks before an offset when nothing else stands before it in its line. */
function blankBefore(text: string, offset: number): string | undefined {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*$/.test(line) ? line : undefined
}

function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

function pretty(
  value: JsonValue,
  { eol, unit, indent }: Style & { readonly indent: string },
): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `${eol}${indent}`)
}

interface Insertion {
  readonly holder: Node
  readonly property: string
  readonly indent: string
  readonly eol: string
}

/** Behind everything that stands in the object, comments included. */
function insert(jsonc: Jsonc, text: string, { holder, property, indent, eol }: Insertion): string {
  const close = holder.offset + holder.length - 1
  const last = holder.children?.at(-1)
  const from = last === undefined ? holder.offset + 1 : last.offset + last.length
  const comma = last === undefined ? undefined : commaIn(jsonc, text, from, close)
  const end = contentEnd(jsonc, text, from, close)
  const line = `${eol}${indent}${property}${comma === undefined ? '' : ','}`
  const closing = text.slice(end, close).includes('\n')
    ? ''
    : `${eol}${lineIndent(text, holder.offset)}`
  const changed = splice(text, end, 0, `${line}${closing}`)
  return last === undefined || comma !== undefined ? changed : splice(changed, from, 0, ',')
}

/** Numbers of the library's tokens; its own enum exists for its compiler only. */
const TOKEN = { comma: 5, lineComment: 12, blockComment: 13, end: 17 } as const

interface Token {
  readonly kind: number
  readonly offset: number
  readonly end: number
}

/** Tokens from one offset to another, comments included. */
function* tokensIn(jsonc: Jsonc, text: string, from: number, to: number): Generator<Token> {
  const scanner = jsonc.createScanner(text, false)
  scanner.setPosition(from)
  const next = (): number => scanner.scan()
  for (let kind = next(); kind !== TOKEN.end; kind = next()) {
    const offset = scanner.getTokenOffset()
    if (offset >= to) return
    yield { kind, offset, end: offset + scanner.getTokenLength() }
  }
}

function commaIn(jsonc: Jsonc, text: string, from: number, to: number): number | undefined {
  for (const { kind, offset } of tokensIn(jsonc, text, from, to))
    if (kind === TOKEN.comma) return offset
  return undefined
}

/** Where the last comma or comment ends, else `from`. */
function contentEnd(jsonc: Jsonc, text: string, from: number, to: number): number {
  let end = from
  for (const token of tokensIn(jsonc, text, from, to))
    if (
      token.kind === TOKEN.comma ||
      token.kind === TOKEN.lineComment ||
      token.kind === TOKEN.blockComment
    )
      end = token.end
  return end
}

/** Without a piece of the text, and without its line when that would be empty. */
function withoutLine(text: string, start: number, end: number): string {
  const blank = blankBefore(text, start)
  const rest = /^[ \t]*(\r?\n|$)/.exec(text.slice(end))
  if (blank === undefined || rest === null) return text.slice(0, start) + text.slice(end)
  return text.slice(0, start - blank.length) + text.slice(end + rest[0].length)
}

function splice(text: string, offset: number, length: number, put: string): string {
  return text.slice(0, offset) + put + text.slice(offset + length)
}
