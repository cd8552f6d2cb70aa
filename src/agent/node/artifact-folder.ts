/**
 * Artifacts as files of one folder, for their owner alone. A session that is taken up again finds those of before.
 *
 * Paths are made of a number and an ending of ours: neither an id that a model wrote nor a type that a server named is ever
 * a part of one.
 */

import { constants } from 'node:fs'
import { lstat, open, readdir, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { makeFolder } from '../../config/node/make-folder.ts'
import {
  artifactKind,
  MAX_ARTIFACT_BYTES,
  MAX_ARTIFACTS,
  readPart,
  type ArtifactFacts,
  type ArtifactKind,
  type ArtifactLimits,
  type ArtifactPart,
  type ArtifactStore,
} from '../artifacts.ts'

/** Opens the folder, or makes it. Rejects with a `UsageError` when the path is something else. */
export async function artifactFolder(
  folder: string,
  limits: ArtifactLimits = {},
): Promise<ArtifactStore> {
  const stats = await lstat(folder).catch(() => undefined) // to be made
  if (stats === undefined) makeFolder(folder)
  else if (!stats.isDirectory())
    throw new UsageError(`${folder} is no folder, so that no artifacts can be kept in it.`, {
      detail: { kind: 'session-file', path: folder, why: 'no-folder' },
    })
  const { maxBytes = MAX_ARTIFACT_BYTES, maxItems = MAX_ARTIFACTS } = limits
  const store = new FolderArtifacts(folder, { maxBytes, maxItems })
  await store.recall()
  return store
}

/**
 * The file of an artifact in a folder that nobody has open; undefined where there is none. The id may be a stranger's word: it is
 * compared with names and never a part of a path.
 */
export async function artifactFile(folder: string, id: string): Promise<string | undefined> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return []
    throw error
  })
  const name = names.toSorted().find((one) => {
    const [, digits, ending = ''] = FILE_NAME.exec(one) ?? []
    return digits !== undefined && `a${digits}` === id && TYPES.has(ending)
  })
  return name === undefined ? undefined : join(folder, name)
}

interface Kept extends ArtifactKind {
  readonly path: string
  readonly bytes: number
}

/** Types that keep their ending, so that a person can open the file; none of them runs anything. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['audio/wav', 'wav'],
  ['audio/mpeg', 'mp3'],
])
const TYPES: ReadonlyMap<string, string> = new Map([
  ...[...ENDINGS].map(([type, ending]): [string, string] => [ending, type]),
  ['txt', 'text/plain'],
  ['bin', 'application/octet-stream'],
])
const FILE_NAME = /^a([1-9]\d{0,8})\.([a-z0-9]{3,4})$/
/** Numbers that are tried when others write into the folder as well. */
const MAX_TRIES = 100
const { O_WRONLY, O_RDONLY, O_CREAT, O_EXCL } = constants
// Windows has none.
const O_NOFOLLOW: number = constants.O_NOFOLLOW ?? 0

class FolderArtifacts implements ArtifactStore {
  readonly #folder: string
  readonly #limits: Required<ArtifactLimits>
  /** In the order of their numbers. */
  readonly #kept = new Map<string, Kept>()
  #last = 0
  #size = 0

  constructor(folder: string, limits: Required<ArtifactLimits>) {
    this.#folder = folder
    this.#limits = limits
  }

  /** Finds what is there. Other files are left alone. */
  async recall(): Promise<void> {
    const found: [number, Kept][] = []
    for (const name of await readdir(this.#folder)) {
      const [, digits = '', ending = ''] = FILE_NAME.exec(name) ?? []
      const mimeType = TYPES.get(ending)
      if (mimeType === undefined) continue
      const path = join(this.#folder, name)
      const facts = await lstat(path)
      if (!facts.isFile()) continue
      found.push([Number(digits), { path, bytes: facts.size, mimeType, isText: ending === 'txt' }])
    }
    for (const [number, kept] of found.toSorted(([one], [other]) => one - other)) {
      // Of two files of one number the first counts.
      if (number === this.#last) continue
      this.#last = number
      this.#add(`a${number}`, kept)
    }
    await this.#makeRoom()
  }

  async put(content: string | Uint8Array, facts: ArtifactFacts = {}): Promise<string | undefined> {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    if (bytes.length > this.#limits.maxBytes || this.#limits.maxItems < 1) return undefined
    const kind = artifactKind(content, facts)
    const ending = kind.isText ? 'txt' : (ENDINGS.get(kind.mimeType.toLowerCase()) ?? 'bin')
    const { id, path, file } = await this.#create(ending)
    try {
      await file.writeFile(bytes)
    } catch (error) {
      await unlink(path)
      throw error
    } finally {
      await file.close()
    }
    this.#add(id, { ...kind, path, bytes: bytes.length })
    await this.#makeRoom()
    return id
  }

  async read(id: string, offset?: number, limit?: number): Promise<ArtifactPart | undefined> {
    const kept = this.#kept.get(id)
    const file = await this.#open(kept)
    if (kept === undefined || file === undefined) return undefined
    try {
      return await readPart(kept, { offset, limit, load: (from, to) => bytesOf(file, from, to) })
    } finally {
      await file.close()
    }
  }

  async bytes(id: string): Promise<Uint8Array | undefined> {
    const kept = this.#kept.get(id)
    const file = await this.#open(kept)
    if (kept === undefined || file === undefined) return undefined
    try {
      return await bytesOf(file, 0, kept.bytes)
    } finally {
      await file.close()
    }
  }

  path(id: string): string | undefined {
    return this.#kept.get(id)?.path
  }

  /** Undefined when somebody took the file away. */
  async #open(kept: Kept | undefined): Promise<FileHandle | undefined> {
    if (kept === undefined) return undefined
    try {
      return await open(kept.path, O_RDONLY | O_NOFOLLOW)
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    }
  }

  /** A new file under the next number that is free. */
  async #create(ending: string): Promise<{ id: string; path: string; file: FileHandle }> {
    for (let tries = 1; ; tries += 1) {
      this.#last += 1
      const id = `a${this.#last}`
      const path = join(this.#folder, `${id}.${ending}`)
      try {
        return { id, path, file: await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600) }
      } catch (error) {
        if (!hasCode(error, 'EEXIST') || tries >= MAX_TRIES) throw error
      }
    }
  }

  #add(id: string, kept: Kept): void {
    this.#kept.set(id, kept)
    this.#size += kept.bytes
  }

  async #makeRoom(): Promise<void> {
    const { maxBytes, maxItems } = this.#limits
    for (const [oldest, { path, bytes }] of this.#kept) {
      if (this.#size <= maxBytes && this.#kept.size <= maxItems) return
      this.#kept.delete(oldest)
      this.#size -= bytes
      await unlink(path).catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error
      })
    }
  }
}

/** Fewer where the file was cut meanwhile. */
async function bytesOf(file: FileHandle, from: number, to: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.max(0, to - from))
  let got = 0
  while (got < bytes.length) {
    const { bytesRead } = await file.read(bytes, got, bytes.length - got, from + got)
    if (bytesRead === 0) break
    got += bytesRead
  }
  return bytes.subarray(0, got)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
