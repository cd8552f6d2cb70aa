/**
 * Looks through the definitions of a server for what people should see before they approve it. It warns and decides nothing: the
 * bounds on what a fooled model can do are the policy's.
 */

import { isJsonObject, type JsonValue } from '../base/json.ts'
import { replaceHidden, terminalText } from '../base/terminal-text.ts'
import type { Tool } from '../protocol/types/tools.ts'
import { skeletonOf } from '../tools/look-alike.ts'
import { definitionOf } from './pins.ts'
import { BAIT, SCAN_WORDS, TEXT_RULES, type ScanKind, type TextRule } from './scan-rules.ts'

export interface ScanWarning {
  readonly kind: ScanKind
  /** The part of the definition, as `inputSchema/properties/path/description`. Safe for a terminal. */
  readonly where: string
  /** What was found, escaped and cut; empty where the name says it all. */
  readonly excerpt: string
  /** One English sentence, safe for a terminal. */
  readonly message: string
}

/** A tool that is there already. */
export interface KnownTool {
  /** Config key; undefined for a native tool. */
  readonly server: string | undefined
  readonly tool: string
}

export interface ScanContext {
  /** Config key of the server whose texts these are. */
  readonly server: string
  /** Tools of others, to tell names that are taken. Default none. */
  readonly others?: Iterable<KnownTool>
}

/** Most warnings about one tool. */
export const MAX_WARNINGS = 20
/** Most characters of one definition that are looked at. */
export const MAX_SCANNED = 131_072
/** Most texts of one definition that are looked at. */
const MAX_TEXTS = 5_000
/** Most tools of others that are compared with. */
const MAX_OTHERS = 10_000
const MAX_DEPTH = 128
const MAX_EXCERPT = 120

/** What is odd about a tool, each kind once for each part, in the order of the definition. */
export function scanTool(tool: Tool, context: ScanContext): readonly ScanWarning[] {
  const names = namesOf(context)
  const found = new Findings(names)
  if (typeof tool.name === 'string') {
    const twin = names.alike.get(skeletonOf(tool.name))
    if (twin !== undefined) found.add('same-name', 'name', ownerText(twin))
  }
  walk(definitionOf(tool), [], found)
  return found.warnings
}

/** The same for the instructions of a server. */
export function scanInstructions(text: string, context: ScanContext): readonly ScanWarning[] {
  const found = new Findings(namesOf(context))
  found.look(text, ['instructions'])
  return found.warnings
}

interface Names {
  /** By what they look like. */
  readonly alike: ReadonlyMap<string, KnownTool>
  /** Exactly, and only such as no sentence has by chance. */
  readonly telling: ReadonlySet<string>
}

function namesOf({ server, others = [] }: ScanContext): Names {
  const alike = new Map<string, KnownTool>()
  const telling = new Set<string>()
  let count = 0
  for (const other of others) {
    if (other.server === server) continue
    if ((count += 1) > MAX_OTHERS) break
    const look = skeletonOf(other.tool)
    if (!alike.has(look)) alike.set(look, other)
    if (isTelling(other.tool)) telling.add(other.tool.toLowerCase())
  }
  return { alike, telling }
}

/** Several words in one, so that it is the name of something. */
function isTelling(name: string): boolean {
  return name.length >= 5 && /[_-]|[a-z][A-Z]/.test(name)
}

function ownerText({ server, tool }: KnownTool): string {
  return server === undefined ? `${tool}, a native tool` : `${tool} of ${server}`
}

function walk(value: JsonValue | undefined, path: readonly string[], found: Findings): void {
  if (typeof value === 'string') {
    found.look(value, path)
  } else if (typeof value !== 'object' || value === null) {
    return
  } else if (path.length > MAX_DEPTH) {
    found.add('not-scanned', path.join('/'), '')
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, [...path, String(index)], found)
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const at = [...path, key]
      // Names of members that the specification gives are of no interest, those of parameters are texts as any other.
      if (path.length > 0) found.look(key, at)
      if (path.at(-1) === 'properties' && BAIT.test(key.toLowerCase()))
        found.add('asks-for-context', at.join('/'), key)
      walk(member, at, found)
    }
  }
}

class Findings {
  readonly warnings: ScanWarning[] = []
  readonly #names: Names
  readonly #seen = new Set<string>()
  #left = MAX_SCANNED
  #texts = MAX_TEXTS

  constructor(names: Names) {
    this.#names = names
  }

  /** Looks through one text as far as there is time for it. */
  look(text: string, path: readonly string[]): void {
    const part = text.slice(0, this.#left)
    this.#left -= part.length
    this.#texts -= 1
    if (part.length < text.length || this.#texts < 0) this.add('not-scanned', 'definition', '')
    if (part === '' || this.#texts < 0) return
    const where = path.join('/')
    const plain = plainText(part)
    for (const rule of TEXT_RULES) {
      const excerpt = match(rule, part, plain)
      if (excerpt !== undefined) this.add(rule.kind, where, excerpt)
    }
    if (path.length === 1 && path[0] === 'name') return
    const other = this.#otherTool(part)
    if (other !== undefined) this.add('other-tool', where, other)
  }

  add(kind: ScanKind, where: string, excerpt: string): void {
    const key = `${kind} ${where}`
    if (this.#seen.has(key) || this.warnings.length >= MAX_WARNINGS) return
    this.#seen.add(key)
    const place = terminalText(where.slice(0, 200))
    const shown = terminalText(excerpt.slice(0, MAX_EXCERPT))
    this.warnings.push({
      kind,
      where: place,
      excerpt: shown,
      message: `"${place}" ${SCAN_WORDS[kind]}${shown === '' ? '' : `: "${shown}"`}.`,
    })
  }

  #otherTool(text: string): string | undefined {
    if (this.#names.telling.size === 0) return undefined
    return text.split(/[^A-Za-z0-9_-]+/).find((word) => this.#names.telling.has(word.toLowerCase()))
  }
}

function match({ raw, pattern }: TextRule, text: string, plain: string): string | undefined {
  return raw?.(text) ?? pattern?.exec(plain)?.[0]
}

function plainText(text: string): string {
  const flat = text.normalize('NFKC').replaceAll(/\s+/g, ' ')
  return replaceHidden(flat, () => '').toLowerCase()
}
