/**
 * YAML read into a tree with places. Aliases and merge keys are followed, each time as values of their own, so that a few
 * lines that stand for millions run into the limit on values.
 */

import type { Alias, Document, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import type { SyntaxFault } from '../base/error-detail.ts'
import type { ConfigNode, NodeKind } from './document.ts'
import { configFault, NodeMaker, pointerTo } from './document.ts'
import type { Place } from './entry.ts'
import { lineTable, type LinePlace } from './line-table.ts'

type Yaml = typeof import('yaml')

/** The root of the file, or nothing when it is empty. Throws `ConfigError` with a line for what is no YAML. */
export async function readYamlDocument(
  text: string,
  file: string,
): Promise<ConfigNode | undefined> {
  const yaml = await import('yaml')
  const placeOf = lineTable(text)
  const document = parse(yaml, text, file)
  const [fault] = document.errors
  if (fault !== undefined) {
    const place = { file, pointer: '', ...placeOf(fault.pos[0]) }
    throw configFault(place, { why: FAULTS[fault.code] ?? 'no-yaml' })
  }
  const { contents } = document
  if (contents === null || (yaml.isScalar(contents) && contents.value === null)) return undefined
  return nodeOf(contents, { yaml, document, maker: new NodeMaker(file), file, placeOf }, '', 1)
}

function parse(yaml: Yaml, text: string, file: string): Document.Parsed {
  try {
    // Doubled keys are ours to tell of; messages with a piece of the text could show a secret.
    return yaml.parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })
  } catch {
    throw configFault({ file, pointer: '' }, { why: 'too-odd' })
  }
}

interface Source {
  readonly yaml: Yaml
  readonly document: Document.Parsed
  readonly maker: NodeMaker
  readonly file: string
  readonly placeOf: (offset: number) => LinePlace
}

function nodeOf(node: Node, source: Source, pointer: string, depth: number): ConfigNode {
  const { yaml, maker, file, placeOf } = source
  const place: Place = { file, pointer, ...placeOf(node.range?.[0] ?? 0) }
  maker.enter(depth, place)
  if (yaml.isAlias(node)) return nodeOf(targetOf(node, source, place), source, pointer, depth + 1)
  if (yaml.isMap(node)) return maker.object(place, membersOf(node, source, { pointer, depth }))
  if (yaml.isSeq(node)) return maker.array(place, itemsOf(node, source, { pointer, depth }))
  return yaml.isScalar(node) ? scalarOf(node, source, place) : maker.scalar('null', place, 'null')
}

function targetOf(alias: Alias, { document }: Source, place: Place): Node {
  const target = alias.resolve(document)
  if (target === undefined) throw configFault(place, { why: 'alias-unknown' })
  return target
}

interface Within {
  readonly pointer: string
  readonly depth: number
}

function itemsOf(node: YAMLSeq, source: Source, { pointer, depth }: Within): readonly ConfigNode[] {
  return node.items.flatMap((item, index) =>
    source.yaml.isNode(item) ? [nodeOf(item, source, pointerTo(pointer, index), depth + 1)] : [],
  )
}

/** Members of a map; those that a merge key brings come first, so that its own ones count. */
function membersOf(
  node: YAMLMap,
  source: Source,
  within: Within,
): readonly (readonly [string, ConfigNode])[] {
  const own: (readonly [string, ConfigNode])[] = []
  const merged = new Map<string, ConfigNode>()
  for (const pair of node.items) {
    const key = keyOf(pair, source)
    const { value } = pair
    if (key === undefined) continue
    if (!source.yaml.isNode(value)) {
      const place = placeOfKey(pair, source, pointerTo(within.pointer, key))
      own.push([key, source.maker.scalar('null', place, 'null')])
      continue
    }
    const inner = nodeOf(value, source, pointerTo(within.pointer, key), within.depth + 1)
    if (key !== '<<') own.push([key, inner])
    // Of several maps the first that has a key counts.
    else
      for (const map of inner.kind === 'array' ? inner.items : [inner])
        for (const [name, member] of map.members) if (!merged.has(name)) merged.set(name, member)
  }
  const named = new Set(own.map(([key]) => key))
  return [...[...merged].filter(([key]) => !named.has(key)), ...own]
}

function keyOf({ key }: Pair, { yaml }: Source): string | undefined {
  if (!yaml.isScalar(key)) return undefined
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))
}

function placeOfKey({ key }: Pair, { yaml, file, placeOf }: Source, pointer: string): Place {
  const offset = yaml.isNode(key) ? (key.range?.[0] ?? 0) : 0
  return { file, pointer, ...placeOf(offset) }
}

function scalarOf(node: Scalar, { maker }: Source, place: Place): ConfigNode {
  const { value, source } = node
  if (typeof value === 'string') return maker.scalar('string', place, value)
  const kind: NodeKind =
    value === null
      ? 'null'
      : typeof value === 'boolean'
        ? 'boolean'
        : typeof value === 'number' || typeof value === 'bigint'
          ? 'number'
          : 'other'
  const text = kind === 'boolean' || kind === 'null' ? String(value) : (source ?? String(value))
  return maker.scalar(kind, place, text)
}

/** The library's words for what is wrong, in ours; the rest is "no YAML". */
const FAULTS: Readonly<Record<string, SyntaxFault>> = {
  ALIAS_PROPS: 'alias-properties',
  BAD_ALIAS: 'alias-unknown',
  BAD_INDENT: 'bad-indent',
  BAD_DQ_ESCAPE: 'bad-yaml-escape',
  BLOCK_AS_IMPLICIT_KEY: 'long-key',
  BLOCK_IN_FLOW: 'block-inside',
  MISSING_CHAR: 'not-closed',
  MULTIPLE_DOCS: 'several-documents',
  RESOURCE_EXHAUSTION: 'much-too-deep',
  TAB_AS_INDENT: 'tab-indent',
  UNEXPECTED_TOKEN: 'unexpected',
}
