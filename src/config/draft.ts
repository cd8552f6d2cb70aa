/**
 * A server entry while it is read: gathers its problems, where its values came from, and what of them is secret. An entry
 * with an error is left out, but read to its end, so that all its problems are told at once.
 */

import { kindInWords, type ConfigNode } from './document.ts'
import type { Origin, Place, Scope } from './entry.ts'
import { expand, type Surroundings } from './expand.ts'
import type { Shape } from './imports/shape.ts'
import { makeProblem, type Problem, type ProblemKind, type ProblemValues } from './problem.ts'
import { looksSecret } from './secret-names.ts'

/** What an entry is read with, the same for all of its file. */
export interface ReadContext {
  readonly scope: Scope
  readonly approved: boolean
  readonly shape: Shape
  readonly surroundings: Surroundings
  /** Makes a path of the file absolute. Default: leaves it as it is. */
  readonly resolvePath: (path: string) => string
  /** Reads a file of variables. Default: none can be read. */
  readonly readFile: ((path: string) => Promise<string>) | undefined
}

/** Longest text that a system takes as an argument or a variable. */
const MAX_TEXT = 131_072

export class EntryDraft {
  readonly key: string
  readonly place: Place
  readonly context: ReadContext
  readonly problems: Problem[] = []
  readonly origins: Origin[] = []
  readonly secrets: Set<string> = new Set()
  #failed = false

  constructor(key: string, place: Place, context: ReadContext) {
    this.key = key
    this.place = place
    this.context = context
  }

  /** Whether the entry has to be left out. */
  get failed(): boolean {
    return this.#failed
  }

  error(kind: ProblemKind, place: Place, values: ProblemValues = {}): undefined {
    this.#failed = true
    this.problems.push(makeProblem({ severity: 'error', kind, place, server: this.key, values }))
    return undefined
  }

  warn(kind: ProblemKind, place: Place, values: ProblemValues = {}): undefined {
    this.problems.push(makeProblem({ severity: 'warning', kind, place, server: this.key, values }))
    return undefined
  }

  wrongType(key: string, node: ConfigNode, expected: string): undefined {
    return this.error('wrong-type', node.place, { key, expected, found: kindInWords(node) })
  }

  /**
   * The text of a value with its variables filled in. `name` is what the value is in the entry as understood. Numbers and
   * booleans are texts too where `loose`, as files often leave out the quotes.
   */
  text(name: string, node: ConfigNode, options: TextOptions = {}): string | undefined {
    const { key = name, loose = false } = options
    const isText = node.kind === 'string' || (loose && LOOSE.has(node.kind))
    if (!isText) return this.wrongType(key, node, 'a text')
    return this.filled(name, node.text, { ...options, place: node.place })
  }

  /** The same for a text that stands in no node of its own. */
  filled(
    name: string,
    raw: string,
    { key = name, secret = false, place }: TextOptions & { readonly place: Place },
  ): string | undefined {
    const { surroundings, shape } = this.context
    const result = expand(raw, surroundings, shape.variables)
    if (!result.ok) return this.error(result.kind, place, { key, ...result.values })
    const { value, parts } = result
    this.origins.push({ name, place, raw, sources: parts.map(({ source }) => source) })
    for (const { source, text } of parts) {
      const hidden =
        source.kind === 'input' || (source.kind === 'variable' && looksSecret(source.name))
      if (hidden || (secret && source.kind !== 'literal')) this.hide(text)
    }
    if (secret) this.hide(value)
    if (value.includes('\u0000')) return this.error('nul-character', place, { key })
    if (value.length > MAX_TEXT) return this.error('too-long', place, { key, limit: MAX_TEXT })
    return value
  }

  /** A text that must not be shown. */
  hide(text: string): void {
    if (text !== '') this.secrets.add(text)
  }

  /** The first of several spellings of a member. Another one that says something else is an error, unless `firstWins`. */
  pick(
    node: ConfigNode,
    keys: readonly string[],
    { firstWins = false }: { readonly firstWins?: boolean } = {},
  ): Member | undefined {
    const present = keys.flatMap((key) => {
      const value = node.members.get(key)
      // Hosts write null for what is not set.
      return value === undefined || value.kind === 'null' ? [] : [{ key, node: value }]
    })
    const [first, ...others] = present
    if (first === undefined || firstWins) return first
    for (const other of others)
      if (other.node.kind !== 'string' || other.node.text !== first.node.text)
        this.error('two-spellings', other.node.place, { first: first.key, second: other.key })
    return first
  }

  /** A member that is true or false. */
  flag(node: ConfigNode, key: string): boolean | undefined {
    const value = node.members.get(key)
    if (value === undefined || value.kind === 'null') return undefined
    if (value.kind === 'boolean') return value.text === 'true'
    return this.wrongType(key, value, 'true or false')
  }

  /** A member that is a list of texts, taken as they are. */
  words(key: string, node: ConfigNode): readonly string[] | undefined {
    if (node.kind !== 'array') return this.wrongType(key, node, 'a list of texts')
    const bad = node.items.find(({ kind }) => kind !== 'string')
    if (bad !== undefined) return this.wrongType(key, bad, 'a list of texts')
    return node.items.map(({ text }) => text)
  }
}

export interface TextOptions {
  /** How the file calls it, for problems. Default: the name. */
  readonly key?: string
  readonly loose?: boolean
  /** Whether the whole value must not be shown. */
  readonly secret?: boolean
}

export interface Member {
  readonly key: string
  readonly node: ConfigNode
}

const LOOSE: ReadonlySet<string> = new Set(['number', 'boolean'])
