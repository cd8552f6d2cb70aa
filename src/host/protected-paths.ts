/**
 * The files that decide what a host may do: its configuration, its pins, grants and logs. No tool may be pointed at them,
 * by their name, by a way around or by a link.
 *
 * It looks at the arguments of calls; what a server does of its own accord is beyond it.
 */

import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonValue } from '../base/json.ts'

export interface ProtectedPathsOptions {
  readonly files: readonly string[]
  /** Everything in them is protected. */
  readonly folders: readonly string[]
  /** Relative paths are tried from here. Default: the working folder. */
  readonly from?: string
  /** Whether names that differ in case alone are one file. Default: as on this system. */
  readonly ignoreCase?: boolean
}

/** Strings of one call of which links are followed; those after them are only read. */
const MAX_FOLLOWED = 1_000
/** Folders that are looked for above a file that is not there, and links on the way. */
const MAX_DEPTH = 128
/** Longer texts are no paths. */
const MAX_PATH = 4_096

export class ProtectedPaths {
  readonly #files: ReadonlySet<string>
  readonly #folders: readonly string[]
  readonly #from: string
  readonly #ignoreCase: boolean

  private constructor(
    files: ReadonlySet<string>,
    folders: readonly string[],
    options: { readonly from: string; readonly ignoreCase: boolean },
  ) {
    this.#files = files
    this.#folders = folders
    this.#from = options.from
    this.#ignoreCase = options.ignoreCase
  }

  /** Finds out what the files are really called. They need not exist. */
  static async of(options: ProtectedPathsOptions): Promise<ProtectedPaths> {
    const { from = process.cwd(), ignoreCase = IGNORES_CASE } = options
    const real = async (path: string): Promise<string> =>
      fold(await realPath(resolve(from, path)), ignoreCase)
    return new ProtectedPaths(
      new Set(await Promise.all(options.files.map(real))),
      await Promise.all(options.folders.map(real)),
      { from, ignoreCase },
    )
  }

  /** The first argument that names a protected file; undefined when there is none. `from` is where the tool runs. */
  async find(args: JsonValue, from: string = this.#from): Promise<string | undefined> {
    if (this.#files.size === 0 && this.#folders.length === 0) return undefined
    let looked = 0
    for (const text of stringsIn(args)) {
      const path = pathOf(text)
      if (path === undefined) continue
      looked += 1
      for (const whole of readingsOf(path, from)) {
        const real = looked > MAX_FOLLOWED ? whole : await realPath(whole)
        if (this.#isProtected(fold(real, this.#ignoreCase))) return text
      }
    }
    return undefined
  }

  #isProtected(path: string): boolean {
    if (this.#files.has(path)) return true
    return this.#folders.some((folder) => path === folder || path.startsWith(folder + sep))
  }
}

const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin'

function fold(path: string, ignoreCase: boolean): string {
  return ignoreCase ? path.normalize('NFC').toLowerCase() : path
}

/** A `..` behind a link is read in two ways: by its text, as programs do it, and from where the link leads, as systems do. */
function readingsOf(path: string, from: string): readonly string[] {
  const byText = resolve(from, path)
  if (!/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) return [byText]
  return [byText, isAbsolute(path) ? path : `${from}${sep}${path}`]
}

/** What the system would open or make, also where the last parts of the path, or the end of a link, do not exist yet. */
async function realPath(path: string, depth = 0): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const parent = dirname(path)
    if (parent === path || depth >= MAX_DEPTH) return path
    const target = await targetOf(path)
    const folder = await realPath(parent, depth + 1)
    return target === undefined
      ? join(folder, basename(path))
      : realPath(resolve(folder, target), depth + 1)
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

function pathOf(text: string): string | undefined {
  if (text === '' || text.length > MAX_PATH || text.includes('\u0000')) return undefined
  if (!/^file:/i.test(text)) return text
  try {
    return fileURLToPath(text)
  } catch {
    return undefined // a file: address of another machine, or none
  }
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
