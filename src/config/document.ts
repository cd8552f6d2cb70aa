/**
 * A configuration file as a tree of values that know their places, the same for JSON, YAML and TOML.
 *
 * Members are lists and maps, never properties of an object, so that no name in a file means anything to the language.
 */

import { ConfigError } from '../base/errors.ts'
import type { JsonValue } from '../base/json.ts'
import type { Place } from './entry.ts'
import { fileFaultInWords, type FileFaultFacts } from './file-faults.ts'

/** `other` is what JSON has no word for, as a date in TOML. */
export type NodeKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'other'

export interface ConfigNode {
  readonly kind: NodeKind
  readonly place: Place
  /** Of an object, in the order of the file; of two with the same key the last. Empty for everything else. */
  readonly members: ReadonlyMap<string, ConfigNode>
  /** Of an array. Empty for everything else. */
  readonly items: readonly ConfigNode[]
  /** A string itself; a number or boolean as it is written, so that `1.10` and 20 digits stay what they are. */
  readonly text: string
  /** Keys that stand twice in this object. */
  readonly doubled: readonly DoubledKey[]
}

export interface DoubledKey {
  readonly key: string
  /** Of the first one. */
  readonly first: Place
  /** Of the one that counts. */
  readonly last: Place
}

/** Deepest nesting of a file. */
export const MAX_CONFIG_DEPTH = 64

/** Most values in a file, those of YAML aliases counted each time. */
export const MAX_CONFIG_VALUES = 500_000

/** Longest file, in bytes. The largest that hosts write themselves, with histories in them, have a few million. */
export const MAX_CONFIG_BYTES: number = 8 * 1024 * 1024

/** What a reader of a format makes nodes with; counts them and refuses what is too deep or too much. */
export class NodeMaker {
  readonly file: string
  #left = MAX_CONFIG_VALUES

  constructor(file: string) {
    this.file = file
  }

  /** Call before a value is made; `depth` is that of its inside, from 1. */
  enter(depth: number, place: Place): void {
    this.#left -= 1
    if (this.#left < 0)
      throw configFault(place, { why: 'too-many-values', limit: MAX_CONFIG_VALUES })
    if (depth > MAX_CONFIG_DEPTH)
      throw configFault(place, { why: 'too-deep', limit: MAX_CONFIG_DEPTH })
  }

  scalar(kind: NodeKind, place: Place, text: string): ConfigNode {
    return { kind, place, members: NO_MEMBERS, items: [], text, doubled: [] }
  }

  array(place: Place, items: readonly ConfigNode[]): ConfigNode {
    return { kind: 'array', place, members: NO_MEMBERS, items, text: '', doubled: [] }
  }

  /** Of two members with the same key the last one counts, as in every JSON parser. */
  object(place: Place, members: Iterable<readonly [string, ConfigNode]>): ConfigNode {
    const map = new Map<string, ConfigNode>()
    const doubled: DoubledKey[] = []
    for (const [key, node] of members) {
      const before = map.get(key)
      if (before !== undefined) doubled.push({ key, first: before.place, last: node.place })
      map.delete(key)
      map.set(key, node)
    }
    return { kind: 'object', place, members: map, items: [], text: '', doubled }
  }
}

const NO_MEMBERS: ReadonlyMap<string, ConfigNode> = new Map()

/** The pointer of a member or item, from that of what holds it. */
export function pointerTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The error of a file that cannot be read as a whole. */
export function configFault(
  { file, line, column, pointer }: Place,
  fault: FileFaultFacts,
): ConfigError {
  const at = line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`
  return new ConfigError(`"${file}"${at} cannot be used, because ${fileFaultInWords(fault)}.`, {
    file,
    line,
    column,
    pointer,
    detail: { kind: 'file-unusable', ...fault },
  })
}

/** The plain value of a node. Numbers become numbers; what JSON has no word for becomes its text. */
export function plainValue(node: ConfigNode): JsonValue {
  switch (node.kind) {
    case 'object':
      // From entries, so that `__proto__` is a name like any other.
      return Object.fromEntries([...node.members].map(([key, inner]) => [key, plainValue(inner)]))
    case 'array':
      return node.items.map(plainValue)
    case 'number':
      return numberOf(node) ?? node.text
    case 'boolean':
      return node.text === 'true'
    case 'null':
      return null
    default:
      return node.text
  }
}

/** The number that a node is written as, also in hexadecimal or with underscores; nothing for what is none. */
export function numberOf(node: ConfigNode): number | undefined {
  if (node.kind !== 'number') return undefined
  const value = Number(node.text.replaceAll('_', ''))
  return Number.isFinite(value) ? value : undefined
}

/** What a value is, in words for people. */
export function kindInWords({ kind, text }: ConfigNode): string {
  if (kind === 'string' && text === '') return 'an empty text'
  return kind === 'boolean' ? text : KINDS[kind]
}

const KINDS: Readonly<Record<NodeKind, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  other: 'a date',
}

/** Every node below and including this one, with its key pointer relative to it. */
export function placesWithin(node: ConfigNode, pointer = ''): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  const visit = (inner: ConfigNode, at: string): void => {
    places.set(at, inner.place)
    for (const [key, member] of inner.members) visit(member, pointerTo(at, key))
    for (const [index, item] of inner.items.entries()) visit(item, pointerTo(at, index))
  }
  visit(node, pointer)
  return places
}
