/**
 * Arguments of a tool that travel in headers as well: `x-mcp-header` in its input schema, `Mcp-Param-*` on the wire.
 *
 * A client leaves a tool out whose annotations break the rules, a server refuses a call whose headers differ from its
 * arguments. Schemas are strangers': the walk through them is bounded and follows no reference. // HTTP-64 … HTTP-73
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { decodeHeaderValue, encodeHeaderValue, isToken } from '../formats/header-value.ts'
import { headerMismatch, type Headers } from './headers.ts'

/** One argument and the header that repeats it. */
export interface ParamMirror {
  /** Names of properties, from the root of the arguments. */
  readonly path: readonly string[]
  /** Lower-case, with its prefix. */
  readonly header: string
}

/** What a schema asks to be repeated, or why it may not ask so. */
export type ParamMirrors =
  | { readonly kind: 'mirrors'; readonly mirrors: readonly ParamMirror[] }
  | { readonly kind: 'fault'; readonly problem: string }

const ANNOTATION = 'x-mcp-header'
const PREFIX = 'mcp-param-'
const TYPES: ReadonlySet<unknown> = new Set(['string', 'boolean', 'integer'])
const MAX_NODES = 20_000
const MAX_DEPTH = 128

/** Keywords that hold one schema, or a list of them. */
const SINGLE = [
  'items',
  'additionalItems',
  'prefixItems',
  'contains',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'propertyNames',
  'contentSchema',
  'not',
  'if',
  'then',
  'else',
  'allOf',
  'anyOf',
  'oneOf',
] as const
/** Keywords that hold schemas by name. */
const NAMED = [
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
] as const

/** Reads the annotations of an input schema. A schema too large to be looked through is a fault. // HTTP-65, HTTP-66, HTTP-67 */
export function paramMirrorsOf(schema: JsonObject): ParamMirrors {
  const mirrors: ParamMirror[] = []
  const seen = new Set<string>()
  const todo: { schema: JsonValue; path: readonly string[] | undefined; depth: number }[] = [
    { schema, path: [], depth: 0 },
  ]
  let nodes = 0
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    nodes += 1
    if (nodes > MAX_NODES || next.depth > MAX_DEPTH) return fault('the schema is too large')
    const { schema: node, path, depth } = next
    if (Array.isArray(node)) {
      for (const one of node) todo.push({ schema: one, path: undefined, depth: depth + 1 })
      continue
    }
    if (!isJsonObject(node)) continue
    if (Object.hasOwn(node, ANNOTATION)) {
      const problem = faultIn(node, path, seen)
      if (problem !== undefined) return fault(problem)
      if (path !== undefined) mirrors.push({ path, header: `${PREFIX}${nameIn(node)}` })
    }
    for (const [name, child] of membersOf(node['properties']))
      todo.push({
        schema: child,
        path: path === undefined ? undefined : [...path, name],
        depth: depth + 1,
      })
    for (const keyword of SINGLE) {
      const child = node[keyword]
      if (child !== undefined) todo.push({ schema: child, path: undefined, depth: depth + 1 })
    }
    for (const keyword of NAMED) {
      for (const [, child] of membersOf(node[keyword]))
        todo.push({ schema: child, path: undefined, depth: depth + 1 })
    }
  }
  return { kind: 'mirrors', mirrors }
}

function fault(problem: string): ParamMirrors {
  return { kind: 'fault', problem }
}

function membersOf(value: JsonValue | undefined): [string, JsonValue][] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  )
}

/** Looked at before it is put in lower case: that makes a "k" of the sign for kelvin. // HTTP-65 */
function nameIn(node: JsonObject): string {
  const name = node[ANNOTATION]
  return typeof name === 'string' && isToken(name) ? name.toLowerCase() : ''
}

function faultIn(
  node: JsonObject,
  path: readonly string[] | undefined,
  seen: Set<string>,
): string | undefined {
  const name = nameIn(node)
  if (name === '') return `its ${ANNOTATION} is no header name`
  if (seen.has(name)) return `two arguments name the header ${JSON.stringify(name)}`
  seen.add(name)
  if (path === undefined || path.length === 0)
    return `${ANNOTATION} ${JSON.stringify(name)} stands where no single argument is`
  if (!TYPES.has(node['type']))
    return `${ANNOTATION} ${JSON.stringify(name)} is on an argument that is no string, integer or boolean`
  return undefined
}

/** The headers that a call adds. Arguments that are absent or null have none. // HTTP-70, HTTP-71 */
export function paramHeaders(mirrors: readonly ParamMirror[], args: JsonObject): Headers {
  const headers: Record<string, string> = {}
  for (const { path, header } of mirrors) {
    const words = wordsOf(valueAt(args, path))
    if (words !== undefined) headers[header] = encodeHeaderValue(words)
  }
  return headers
}

/** Throws `RpcRefusal` when a header differs from the argument that it repeats, or has none to repeat. // HTTP-72 */
export function checkParamHeaders(
  mirrors: readonly ParamMirror[],
  args: JsonObject,
  headers: Headers,
): void {
  for (const { path, header } of mirrors) {
    const value = valueAt(args, path)
    const words = wordsOf(value)
    const given = headers[header]
    if (words === undefined) {
      if (given !== undefined)
        throw headerMismatch(header, 'the argument that it repeats is missing')
      continue
    }
    if (given === undefined) throw headerMismatch(header, 'it is missing')
    const said = decodeHeaderValue(given)
    if (said === undefined)
      throw headerMismatch(
        header,
        'it is not valid Base64, or holds characters that have to be in Base64',
      )
    if (!saysSame(said, words, value)) throw headerMismatch(header, 'it differs from the argument')
  }
}

/** Integers by number, everything else by its words. // HTTP-73 */
function saysSame(said: string, words: string, value: JsonValue | undefined): boolean {
  if (said === words) return true
  return typeof value === 'number' && DECIMAL.test(said) && Number(said) === value
}

const DECIMAL = /^-?\d{1,16}(?:\.0{1,16})?$/

function wordsOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined
}

function valueAt(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}
