/**
 * Names of tools for models: `server__tool` where that is one name for one pair, else a stem and a hash. A name depends on its
 * pair alone, so that no other server can change it, and is looked up in a map, never taken apart.
 *
 * The identity of a tool is (config key, tool name); a name for models only stands for it.
 */

import { UsageError } from '../base/errors.ts'
import { skeletonOf } from './look-alike.ts'

/** SHA-256 of the UTF-8 bytes of a text, in lower-case hexadecimal digits. Passed in: a browser and Node have different ones. */
export type Sha256 = (text: string) => string

/** A tool by who has it and what it is called there. */
export interface ToolPair {
  /** Config key of the server. */
  readonly server: string
  readonly tool: string
}

/** Longest name that every model takes. */
export const MAX_ALIAS = 64
const SEPARATOR = '__'
const HASH_DIGITS = 12
/** What is left for the stem before `_` and the hash. */
const STEM = MAX_ALIAS - HASH_DIGITS - 1
/** Of a long server name at least so much stays. */
const SERVER_STEM = 20
const HASH_END = /_[0-9a-f]{12}$/
/** With `u` a whole pair is one character, so that only halves fit. */
const HALF_PAIR = /[\ud800-\udfff]/u
const PLAIN = /^[A-Za-z0-9_-]+$/

/** The name of a tool for models: pure, at most 64 of `A-Z a-z 0-9 _ -`. */
export function aliasOf(server: string, tool: string, sha256: Sha256): string {
  const joined = server + SEPARATOR + tool
  if (isPlain(server, tool, joined)) return joined
  return `${stemOf(server, tool)}_${sha256(hashedText(server, tool)).slice(0, HASH_DIGITS)}`
}

/** Whether a name could be that of a server's tool. Native tools take none of those, so that neither hides the other. */
export function readsAsAlias(name: string): boolean {
  return name.includes(SEPARATOR) || HASH_END.test(name)
}

/** Unaltered, and to be read in one way: one place where two `_` meet, and no end that looks like a hash. */
function isPlain(server: string, tool: string, joined: string): boolean {
  return (
    joined.length <= MAX_ALIAS &&
    server !== '' &&
    tool !== '' &&
    PLAIN.test(joined) &&
    // Of three in a row the first and the last place differ.
    joined.indexOf(SEPARATOR) === joined.lastIndexOf(SEPARATOR) &&
    !HASH_END.test(joined)
  )
}

function stemOf(server: string, tool: string): string {
  const room = STEM - SEPARATOR.length
  // A name of a megabyte is not worth more than its beginning; the hash is over all of it.
  const head = readable(server.slice(0, MAX_ALIAS))
  const tail = readable(tool.slice(0, MAX_ALIAS))
  const start = head.slice(0, Math.max(SERVER_STEM, room - tail.length))
  return start + SEPARATOR + tail.slice(0, room - start.length)
}

function readable(text: string): string {
  const safe = text.replaceAll(/[^A-Za-z0-9_-]+/g, '_')
  return safe === '_' || safe === '' ? 'x' : safe
}

/**
 * Both names with a NUL between. Where that could be read in two ways (a NUL within) or is no UTF-8 (half of a surrogate pair,
 * which becomes U+FFFD as any other), the names stand in JSON instead: it escapes both, and has no NUL.
 */
function hashedText(server: string, tool: string): string {
  const text = `${server}\u0000${tool}`
  const isOdd = text.indexOf('\u0000') !== text.lastIndexOf('\u0000') || HALF_PAIR.test(text)
  return isOdd ? JSON.stringify([server, tool]) : text
}

/** Two tools whose names a person or a model could take for each other. */
export interface LookAlike {
  readonly first: ToolPair
  readonly second: ToolPair
}

/** Most look-alikes that are told of; a server with thousands of them is known by the first ones. */
export const MAX_LOOK_ALIKES = 100

/** The two-way map of one host. Adding and looking up cost the same however many tools there are. */
export class AliasMap {
  readonly #sha256: Sha256
  readonly #pairs = new Map<string, ToolPair>()
  readonly #native = new Set<string>()
  /** Tools by what their names look like, then by alias. */
  readonly #looks = new Map<string, Map<string, ToolPair>>()

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
  }

  /** How many tools of servers there are. */
  get size(): number {
    return this.#pairs.size
  }

  /**
   * Takes the bare name of a native tool. Throws a `UsageError` for one that is taken, that a model would not take, or that could
   * be a server's: a name with `__`, or one that ends as an alias with a hash does.
   */
  addNative(name: string): void {
    if (name.length > MAX_ALIAS || !PLAIN.test(name) || readsAsAlias(name)) {
      throw new UsageError(
        `The native tool ${JSON.stringify(name.slice(0, 200))} cannot have this name: give it one of 1 to ${MAX_ALIAS} of A-Z, a-z, 0-9, "_" and "-", without "__", which stands in names of servers' tools, and without "_" and ${HASH_DIGITS} hexadecimal digits at its end.`,
      )
    }
    if (this.#native.has(name))
      throw new UsageError(`There are two native tools "${name}": give one another name.`)
    this.#native.add(name)
  }

  /** Gives the name of a native tool back. */
  removeNative(name: string): void {
    this.#native.delete(name)
  }

  /**
   * The alias of a tool, from now on found. The same pair may be added again. Undefined when the name is another tool's already,
   * which takes two names with the same 48 bits of hash: the tool that is there stays, and the new one is to be left out.
   */
  add(server: string, tool: string): string | undefined {
    const alias = aliasOf(server, tool, this.#sha256)
    const there = this.#pairs.get(alias)
    if (there !== undefined)
      return there.server === server && there.tool === tool ? alias : undefined
    const pair = { server, tool }
    this.#pairs.set(alias, pair)
    const look = lookOf(pair)
    const alike = this.#looks.get(look)
    if (alike === undefined) this.#looks.set(look, new Map([[alias, pair]]))
    else alike.set(alias, pair)
    return alias
  }

  /** Forgets a tool; one that is not there is no error. */
  remove(server: string, tool: string): void {
    const alias = this.aliasOf(server, tool)
    if (alias === undefined) return
    this.#pairs.delete(alias)
    const look = lookOf({ server, tool })
    const alike = this.#looks.get(look)
    alike?.delete(alias)
    if (alike?.size === 0) this.#looks.delete(look)
  }

  /** The tool of a server that a name stands for; undefined for one that is not there, and for native tools. */
  find(alias: string): ToolPair | undefined {
    return this.#pairs.get(alias)
  }

  /** Whether a native tool has this name. */
  isNative(name: string): boolean {
    return this.#native.has(name)
  }

  /** The way back: the alias of a tool that is there. */
  aliasOf(server: string, tool: string): string | undefined {
    const alias = aliasOf(server, tool, this.#sha256)
    const there = this.#pairs.get(alias)
    return there?.server === server && there.tool === tool ? alias : undefined
  }

  /** Tools whose names differ only in case, in `-`, `_` or blanks, or by letters that look the same; each beside the first such. */
  lookAlikes(): readonly LookAlike[] {
    const found: LookAlike[] = []
    for (const alike of this.#looks.values()) {
      const [first, ...others] = alike.size > 1 ? alike.values() : []
      if (first === undefined) continue
      for (const second of others) {
        if (found.length >= MAX_LOOK_ALIKES) return found
        found.push({ first, second })
      }
    }
    return found
  }
}

function lookOf({ server, tool }: ToolPair): string {
  return `${skeletonOf(server)}\u0000${skeletonOf(tool)}`
}
