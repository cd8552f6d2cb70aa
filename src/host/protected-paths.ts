/**
 * The files that decide what a host may do: its configuration, its pins, grants and logs. No tool may be pointed at them,
 * by their name, by a way around or by a link.
 *
 * It looks at the arguments of calls; what a server does of its own accord is beyond it.
 */

import { lstat, readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import type { JsonValue } from '../base/json.ts'
import { percentReadings } from '../formats/percent.ts'
import { schemeOf } from '../formats/uri.ts'

export interface ProtectedPathsOptions {
  readonly files: readonly string[]
  /** Everything in them is protected. */
  readonly folders: readonly string[]
  /** Relative paths are tried from here. Default: the working folder. */
  readonly from?: string
  /** Whether names that differ in case alone are one file. Default: as on this system. */
  readonly ignoreCase?: boolean
}

/** Strings of one call of which links are followed. Whoever gives more could hide a way behind them, so that they are refused. */
export const MAX_FOLLOWED = 10_000
/** Folders that are looked for above a file that is not there, and links on the way. */
const MAX_DEPTH = 128
/** Longer ones are no paths, once `.` and `..` are taken out. */
const MAX_PATH = 4_096

export class ProtectedPaths {
  readonly #files: ReadonlySet<string>
  readonly #folders: readonly string[]
  /** All of them, as they were named and as they are. */
  readonly #names: readonly string[]
  readonly #from: string
  readonly #ignoreCase: boolean

  private constructor(
    files: ReadonlySet<string>,
    folders: readonly string[],
    options: {
      readonly names: readonly string[]
      readonly from: string
      readonly ignoreCase: boolean
    },
  ) {
    this.#files = files
    this.#folders = folders
    this.#names = options.names
    this.#from = options.from
    this.#ignoreCase = options.ignoreCase
  }

  /** Finds out what the files are really called. They need not exist. */
  static async of(options: ProtectedPathsOptions): Promise<ProtectedPaths> {
    const { from = process.cwd(), ignoreCase = IGNORES_CASE } = options
    const real = async (path: string): Promise<string> =>
      fold(await realPath(resolve(from, path)), ignoreCase)
    const files = await Promise.all(options.files.map(real))
    const folders = await Promise.all(options.folders.map(real))
    const named = [...options.files, ...options.folders].map((path) =>
      fold(resolve(from, path), ignoreCase),
    )
    const names = [...new Set([...named, ...files, ...folders])]
    return new ProtectedPaths(new Set(files), folders, { names, from, ignoreCase })
  }

  /**
   * The first argument that names a protected file, alone or within a text such as a command; undefined when there is none.
   * `from` is where the tool runs. `tooMany` says that it was the first of those that are not looked at any more.
   */
  async find(args: JsonValue, from: string = this.#from): Promise<FoundPath | undefined> {
    if (this.#names.length === 0) return undefined
    const looked = new Set<string>()
    const known: Known = new Map()
    for (const text of stringsIn(args)) {
      if (looked.has(text)) continue
      if (looked.size >= MAX_FOLLOWED) return { text, tooMany: true }
      looked.add(text)
      for (const path of pathsIn(text)) {
        if (this.#isWithin(path) || (await this.#leadsTo(path, from, known))) return { text }
      }
    }
    return undefined
  }

  async #leadsTo(path: string, from: string, known: Known): Promise<boolean> {
    for (const whole of readingsOf(path, from)) {
      if (whole.length > MAX_PATH) continue
      const real = await realPath(whole, known)
      if (this.#isProtected(fold(real, this.#ignoreCase))) return true
    }
    return false
  }

  #isWithin(text: string): boolean {
    const folded = fold(text, this.#ignoreCase)
    return this.#names.some((name) => {
      let at = folded.indexOf(name)
      // Not where the name goes on, as that of a neighbour does.
      while (at >= 0 && /[\w.-]/.test(folded.charAt(at + name.length)))
        at = folded.indexOf(name, at + 1)
      return at >= 0
    })
  }

  #isProtected(path: string): boolean {
    if (this.#files.has(path)) return true
    return this.#folders.some((folder) => path === folder || path.startsWith(folder + sep))
  }
}

export interface FoundPath {
  readonly text: string
  readonly tooMany?: boolean
}

const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin'

function fold(path: string, ignoreCase: boolean): string {
  return ignoreCase ? path.normalize('NFC').toLowerCase() : path
}

/** A `..` behind a link is read in two ways: by its text, as programs do it, and from where the link leads, as systems do. */
function readingsOf(named: string, from: string): readonly string[] {
  // Many a server knows what a shell means by it.
  const path = /^~(?=[\\/]|$)/.test(named) ? homedir() + named.slice(1) : named
  const byText = resolve(from, path)
  if (!/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) return [byText]
  return [byText, isAbsolute(path) ? path : `${from}${sep}${path}`]
}

/** Folders that are known, by the name they were asked for, so that many files of one folder cost it once. */
type Known = Map<string, Promise<string>>

/** What the system would open or make, also where the last parts of the path, or the end of a link, do not exist yet. */
async function realPath(path: string, known: Known = new Map(), depth = 0): Promise<string> {
  const there = await isThere(path)
  if (there) {
    try {
      return await realpath(path)
    } catch {
      // A link that leads to nothing yet.
    }
  }
  const parent = dirname(path)
  if (parent === path || depth >= MAX_DEPTH) return path
  const target = there ? await targetOf(path) : undefined
  const found = known.get(parent) ?? realPath(parent, known, depth + 1)
  known.set(parent, found)
  const folder = await found
  return target === undefined
    ? join(folder, basename(path))
    : realPath(resolve(folder, target), known, depth + 1)
}

/** Whether there is anything of this name, a link that leads nowhere too. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch {
    return false
  }
}

/** Where a link leads; undefined for what is none. */
async function targetOf(path: string): Promise<string | undefined> {
  try {
    return await readlink(path)
  } catch {
    return undefined
  }
}

/**
 * What a text could name as a path: itself, without its percent-encoding, and the path of a URI, whatever its scheme and host. A
 * program in C sees nothing behind a NUL.
 */
function pathsIn(text: string): readonly string[] {
  const readings = percentReadings(text).flatMap((reading) => [reading, ...pathsOfUri(reading)])
  const ends = readings.flatMap((path) => {
    const end = path.indexOf('\u0000')
    return end < 0 ? [] : [path.slice(0, end)]
  })
  return [...new Set([...readings, ...ends])].filter((path) => path !== '')
}

/** What stands behind scheme and host, with and without a query; none for a text that is no URI. A drive is no root. */
function pathsOfUri(given: string): readonly string[] {
  const text = given.trim()
  const scheme = schemeOf(text)
  if (scheme === undefined) return []
  const rest = text.slice(scheme.length + 1)
  const start = rest.startsWith('//') ? rest.indexOf('/', 2) : 0
  if (start < 0) return []
  const behind = rest.slice(start)
  const path = sep === '\\' && /^\/[A-Za-z]:/.test(behind) ? behind.slice(1) : behind
  const end = path.search(/[?#]/)
  return end < 0 ? [path] : [path, path.slice(0, end)]
}

/** Every string in it, keys too. As deep as JSON may be. */
function* stringsIn(value: JsonValue | undefined): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* stringsIn(item)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      yield key
      yield* stringsIn(member)
    }
  }
}
