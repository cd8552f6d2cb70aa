/**
 * JSON with comments and trailing commas, as every host writes it, read into a tree with places.
 *
 * The library's parser calls itself for each level, so depth and number of tokens are counted first, by its scanner.
 */

import type { Node, ParseError } from 'jsonc-parser'
import type { SyntaxFault } from '../base/error-detail.ts'
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
    throw configFault(at(fault?.offset ?? 0), { why: FAULTS[reason] ?? 'no-json' })
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
      throw configFault(at(scanner.getTokenOffset()), { why: 'too-deep', limit: MAX_CONFIG_DEPTH })
    if (tokens > MAX_CONFIG_VALUES * 4)
      throw configFault(at(scanner.getTokenOffset()), {
        why: 'too-many-values',
        limit: MAX_CONFIG_VALUES,
      })
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
const FAULTS: Readonly<Record<string, SyntaxFault>> = {
  InvalidSymbol: 'bad-word',
  InvalidNumberFormat: 'bad-number',
  PropertyNameExpected: 'needs-name',
  ValueExpected: 'needs-value',
  ColonExpected: 'needs-colon',
  CommaExpected: 'needs-comma',
  CloseBraceExpected: 'needs-brace',
  CloseBracketExpected: 'needs-bracket',
  EndOfFileExpected: 'more-behind',
  UnexpectedEndOfComment: 'open-comment',
  UnexpectedEndOfString: 'open-text',
  UnexpectedEndOfNumber: 'bad-number',
  InvalidUnicode: 'bad-unicode',
  InvalidEscapeCharacter: 'bad-escape',
  InvalidCharacter: 'control-character',
}
