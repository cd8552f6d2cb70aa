/**
 * JSON with comments and trailing commas, as every host writes it, read into a tree with places.
 *
 * The library's parser calls itself for each level, so depth and number of tokens are counted first, by its scanner.
 */

import type { Node, ParseError } from 'jsonc-parser'
import type { ConfigNode } from './document.ts'
import {
  configFault,
  MAX_CONFIG_DEPTH,
  MAX_CONFIG_VALUES,
  NodeMaker,
  pointerTo,
} from './document.ts'
import type { Place } from './entry.ts'
import { lineTable, type LinePlace } from './line-table.ts'

type Jsonc = typeof import('jsonc-parser')

/** The root of the file, or nothing when it holds blanks and comments only. Throws `ConfigError` with a line for what is no JSON. */
export async function readJsonDocument(
  text: string,
  file: string,
): Promise<ConfigNode | undefined> {
  const jsonc = await import('jsonc-parser')
  const placeOf = lineTable(text)
  const at = (offset: number): Place => ({ file, pointer: '', ...placeOf(offset) })
  if (!refuseTooMuch(jsonc, text, at)) return undefined
  const errors: ParseError[] = []
  const root = jsonc.parseTree(text, errors, { allowTrailingComma: true })
  const [fault] = errors
  if (fault !== undefined || root === undefined) {
    const reason = fault === undefined ? 'ValueExpected' : jsonc.printParseErrorCode(fault.error)
    throw configFault(at(fault?.offset ?? 0), FAULTS[reason] ?? 'it is no JSON')
  }
  return nodeOf(root, { maker: new NodeMaker(file), text, file, placeOf }, '', 1)
}

/** Whether there is anything but comments. Throws when there is too much. */
function refuseTooMuch(jsonc: Jsonc, text: string, at: (offset: number) => Place): boolean {
  const scanner = jsonc.createScanner(text, true)
  let [depth, tokens] = [0, 0]
  const next = (): number => scanner.scan()
  for (let token = next(); token !== TOKEN.end; token = next()) {
    tokens += 1
    if (token === TOKEN.openBrace || token === TOKEN.openBracket) depth += 1
    if (token === TOKEN.closeBrace || token === TOKEN.closeBracket) depth = Math.max(0, depth - 1)
    if (depth > MAX_CONFIG_DEPTH)
      throw configFault(
        at(scanner.getTokenOffset()),
        `it is nested deeper than ${MAX_CONFIG_DEPTH}. Flatten it`,
      )
    if (tokens > MAX_CONFIG_VALUES * 4)
      throw configFault(
        at(scanner.getTokenOffset()),
        `it holds more than ${MAX_CONFIG_VALUES} values. Split it`,
      )
  }
  return tokens > 0
}

/** Numbers of the library's tokens; its own enum exists for its compiler only. */
const TOKEN = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, end: 17 } as const

interface Source {
  readonly maker: NodeMaker
  readonly text: string
  readonly file: string
  readonly placeOf: (offset: number) => LinePlace
}

function nodeOf(node: Node, source: Source, pointer: string, depth: number): ConfigNode {
  const { maker, text, file, placeOf } = source
  const place: Place = { file, pointer, ...placeOf(node.offset) }
  maker.enter(depth, place)
  switch (node.type) {
    case 'object':
      return maker.object(place, membersOf(node, source, pointer, depth))
    case 'array':
      return maker.array(
        place,
        (node.children ?? []).map((item, index) =>
          nodeOf(item, source, pointerTo(pointer, index), depth + 1),
        ),
      )
    case 'string':
      return maker.scalar('string', place, String(node.value))
    case 'number':
    case 'boolean':
      return maker.scalar(node.type, place, text.slice(node.offset, node.offset + node.length))
    default:
      return maker.scalar('null', place, 'null')
  }
}

function membersOf(
  node: Node,
  source: Source,
  pointer: string,
  depth: number,
): readonly (readonly [string, ConfigNode])[] {
  return (node.children ?? []).flatMap(({ children }) => {
    const [name, value] = children ?? []
    if (name === undefined || value === undefined) return []
    const key = String(name.value)
    return [[key, nodeOf(value, source, pointerTo(pointer, key), depth + 1)] as const]
  })
}

/** The library's words for what is wrong, in ours. */
const FAULTS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a word stands here that is no value; texts need double quotes',
  InvalidNumberFormat: 'a number is broken here',
  PropertyNameExpected: 'a name in double quotes should stand here',
  ValueExpected: 'a value should stand here',
  ColonExpected: 'a ":" should stand here',
  CommaExpected: 'a "," should stand here',
  CloseBraceExpected: 'a "}" is missing; something is not closed',
  CloseBracketExpected: 'a "]" is missing; something is not closed',
  EndOfFileExpected: 'something stands behind its end',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a text is not closed',
  UnexpectedEndOfNumber: 'a number is broken here',
  InvalidUnicode: 'an escape \\u in a text is broken',
  InvalidEscapeCharacter:
    'a backslash in a text starts no escape; write two of them, as in "C:\\\\dir"',
  InvalidCharacter: 'a control character stands in a text; write \\n for a line end',
}
