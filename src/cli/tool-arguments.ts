/**
 * Words of the command line as the arguments of a tool: `NAME=VALUE` is text that becomes what the tool's schema wants,
 * `NAME:=JSON` is JSON as it stands.
 *
 * It only picks the type. Whether a value fits everything else in the schema is checked where calls are made.
 */

import { UsageError } from '../base/errors.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { terminalText } from '../base/terminal-text.ts'
import { readJson } from './json-input.ts'
import type { FaultWords } from './messages/messages.ts'
import { itemsOf, propertyOf, typesOf, type JsonType } from './schema-types.ts'

/** One word, taken apart. */
export interface Pair {
  readonly name: string
  readonly text: string
  /** Of `NAME:=JSON`; absent for text. */
  readonly json?: JsonValue
}

/** Takes a word apart at its first `=`. Names may hold anything else, dots included; values anything at all. Throws for bad JSON. */
export function readPair(word: string, words: FaultWords): Pair {
  const at = word.indexOf('=')
  const shown = shorten(word)
  if (at < 0) throw new UsageError(words.badPair(shown))
  const isJson = word[at - 1] === ':'
  const name = word.slice(0, isJson ? at - 1 : at)
  if (name === '') throw new UsageError(words.emptyName(shown))
  const text = word.slice(at + 1)
  return isJson ? { name, text, json: readJson(text, `${shorten(name)}:=`, words) } : { name, text }
}

export interface ArgumentSource {
  /** What `--args` said; pairs win over it. */
  readonly base: JsonObject
  readonly pairs: readonly Pair[]
  /** Of the tool; `undefined` when it is not known, and then values stay text. */
  readonly schema: JsonObject | undefined
}

/** All arguments. Throws a `UsageError` that names the argument and what the tool wants. */
export function buildArguments(source: ArgumentSource, words: FaultWords): JsonObject {
  const members = new Map<string, JsonValue | undefined>(Object.entries(source.base))
  const given = new Map<string, Pair[]>()
  for (const pair of source.pairs) {
    const same = given.get(pair.name)
    if (same === undefined) given.set(pair.name, [pair])
    else same.push(pair)
  }
  for (const [name, pairs] of given) members.set(name, valueOf(name, pairs, source.schema, words))
  // From entries, so that `__proto__` is a name like any other.
  return Object.fromEntries(members)
}

function valueOf(
  name: string,
  pairs: readonly Pair[],
  root: JsonObject | undefined,
  words: FaultWords,
): JsonValue {
  const schema = root === undefined ? undefined : propertyOf(root, name)
  const types = typesOf(schema, root)
  const [first, ...more] = pairs
  if (first === undefined) return null // never: a group has at least one pair
  const alone = more.length === 0 && (types?.has('string') === true || isJsonList(first))
  if (types?.has('array') === true && !alone) {
    const items = itemsOf(schema, root)
    const itemTypes = typesOf(items, root)
    return pairs.map((pair) => single(pair, itemTypes, words))
  }
  if (more.length > 0) throw new UsageError(words.givenTwice(shorten(name)))
  return single(first, types, words)
}

function isJsonList({ json, text }: Pair): boolean {
  return json !== undefined || /^\s*\[/.test(text)
}

function single(
  { name, text, json }: Pair,
  types: ReadonlySet<JsonType> | undefined,
  words: FaultWords,
): JsonValue {
  if (json !== undefined) return json
  // Where text is allowed it stays text: what is typed is then what arrives.
  if (types === undefined || types.has('string')) return text
  if (/^\s*[{[]/.test(text) && (types.has('object') || types.has('array'))) {
    return readJson(text, `${shorten(name)}=`, words)
  }
  const value = scalarOf(text)
  if (value !== undefined && fits(value, types)) return value
  throw new UsageError(words.wrongType(shorten(name), shorten(text), [...types].join(words.or)))
}

/** A number, boolean or null that is written as JSON writes it. */
function scalarOf(text: string): number | boolean | null | undefined {
  if (text === 'true') return true
  if (text === 'false') return false
  if (text === 'null') return null
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined
  const value = Number(text)
  // A number that would change on its way is no number to send.
  if (!Number.isFinite(value)) return undefined
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? undefined : value
}

function fits(value: number | boolean | null, types: ReadonlySet<JsonType>): boolean {
  if (value === null) return types.has('null')
  if (typeof value === 'boolean') return types.has('boolean')
  return types.has('number') || (types.has('integer') && Number.isInteger(value))
}

/** For a message: safe for a terminal and not longer than a line. */
function shorten(text: string): string {
  const shown = terminalText(text.slice(0, 200))
  return text.length > 60 ? `${shown.slice(0, 60)}…` : shown
}

/** Whether a schema says anything about arguments, so that it is worth asking the server for it. */
export function wantsSchema(pairs: readonly Pair[]): boolean {
  return pairs.some(({ json }) => json === undefined)
}
