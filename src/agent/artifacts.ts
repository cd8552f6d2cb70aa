/**
 * Artifacts: what of results is too long for a model, or no text, kept beside the conversation under short ids as `a1`, to be
 * read piece by piece.
 *
 * Here are the port and a store in memory; the one in a folder is `node/artifact-folder.ts`. An id is looked up and never taken
 * apart: models make ids up.
 */

import { isUtf8, showUtf8 } from '../formats/utf8.ts'

export interface ArtifactFacts {
  /** What the content is said to be. Default `text/plain` for texts, else `application/octet-stream`. */
  readonly mimeType?: string
}

/** A stretch of an artifact. */
export interface ArtifactPart {
  /** The bytes from `offset` to `end` as text; empty where the artifact is no text. */
  readonly text: string
  /** In bytes: where the part begins. It may be up to three less than was asked for, never inside of a character. */
  readonly offset: number
  readonly end: number
  /** Size of the whole artifact. */
  readonly bytes: number
  /** Where to read on; absent at the end. */
  readonly next?: number
  readonly isText: boolean
  readonly mimeType: string
}

export interface ArtifactStore {
  /**
   * Keeps the content and gives its id. Undefined when it is larger than the whole store may be. Makes room by dropping the
   * oldest. Rejects when it cannot be written.
   */
  put(content: string | Uint8Array, facts?: ArtifactFacts): Promise<string | undefined>
  /**
   * Up to `limit` bytes from `offset` on. Undefined for what was never there or was dropped. An offset beyond the end gives
   * an empty part. Default: from the start, 32 KiB; at most 1 MiB at once.
   */
  read(id: string, offset?: number, limit?: number): Promise<ArtifactPart | undefined>
  /** All bytes of one, for the program's own use: to save it elsewhere. */
  bytes(id: string): Promise<Uint8Array | undefined>
  /** Where a person finds it, if it is a file. Undefined for what was never there or was dropped. */
  path?(id: string): string | undefined
}

export interface ArtifactLimits {
  /** Most bytes of all artifacts together. Default 256 MiB. */
  readonly maxBytes?: number
  /** Most artifacts. Default 10,000. */
  readonly maxItems?: number
}

export const MAX_ARTIFACT_BYTES: number = 256 * 1024 * 1024
export const MAX_ARTIFACTS = 10_000

/** Least and most bytes of one part: a character has up to four. */
const MIN_PART = 4
const MAX_PART = 1024 * 1024
const DEFAULT_PART = 32 * 1024

/** A store that ends with the process. */
export function memoryArtifacts(limits: ArtifactLimits = {}): ArtifactStore {
  return new MemoryArtifacts(limits)
}

interface Kept extends ArtifactKind {
  readonly content: Uint8Array
}

class MemoryArtifacts implements ArtifactStore {
  readonly #maxBytes: number
  readonly #maxItems: number
  /** In the order of their making. */
  readonly #kept = new Map<string, Kept>()
  #made = 0
  #size = 0

  constructor({ maxBytes = MAX_ARTIFACT_BYTES, maxItems = MAX_ARTIFACTS }: ArtifactLimits) {
    this.#maxBytes = maxBytes
    this.#maxItems = maxItems
  }

  put(content: string | Uint8Array, facts: ArtifactFacts = {}): Promise<string | undefined> {
    const kind = artifactKind(content, facts)
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice()
    if (bytes.length > this.#maxBytes || this.#maxItems < 1) return Promise.resolve(undefined)
    this.#made += 1
    const id = `a${this.#made}`
    this.#kept.set(id, { ...kind, content: bytes })
    this.#size += bytes.length
    for (const [oldest, { content: old }] of this.#kept) {
      if (this.#size <= this.#maxBytes && this.#kept.size <= this.#maxItems) break
      this.#kept.delete(oldest)
      this.#size -= old.length
    }
    return Promise.resolve(id)
  }

  read(id: string, offset?: number, limit?: number): Promise<ArtifactPart | undefined> {
    const kept = this.#kept.get(id)
    if (kept === undefined) return Promise.resolve(undefined)
    const { content, isText, mimeType } = kept
    return readPart(
      { bytes: content.length, isText, mimeType },
      { offset, limit, load: (from, to) => Promise.resolve(content.subarray(from, to)) },
    )
  }

  bytes(id: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.#kept.get(id)?.content.slice())
  }
}

/** What an artifact is. */
export interface ArtifactKind {
  readonly isText: boolean
  readonly mimeType: string
}

/** Texts are texts; bytes are when they are said to be and are UTF-8. */
export function artifactKind(
  content: string | Uint8Array,
  { mimeType }: ArtifactFacts,
): ArtifactKind {
  if (typeof content === 'string') return { isText: true, mimeType: mimeType ?? 'text/plain' }
  const isText = mimeType !== undefined && isTextual(mimeType) && isUtf8(content)
  return { isText, mimeType: mimeType ?? 'application/octet-stream' }
}

function isTextual(mimeType: string): boolean {
  return /^text\/|^application\/(?:json|xml|yaml|javascript)\b|\+(?:json|xml)\b/i.test(
    mimeType.slice(0, 200),
  )
}

export interface PartWish {
  readonly offset: number | undefined
  readonly limit: number | undefined
  /** Gives the bytes of a stretch that lies within the artifact. */
  readonly load: (from: number, to: number) => Promise<Uint8Array>
}

/** The part that is asked for, moved so that it begins and ends between characters. */
export async function readPart(
  artifact: ArtifactKind & { readonly bytes: number },
  wish: PartWish,
): Promise<ArtifactPart> {
  const { bytes, isText, mimeType } = artifact
  const offset = Math.min(wholeNumber(wish.offset, 0), bytes)
  const limit = Math.max(MIN_PART, Math.min(wholeNumber(wish.limit, DEFAULT_PART), MAX_PART))
  const end = Math.min(offset + limit, bytes)
  if (!isText) return { text: '', offset, end: offset, bytes, isText, mimeType }
  const from = Math.max(0, offset - 3)
  const loaded = await wish.load(from, Math.min(end + 1, bytes))
  const start = characterStart(loaded, offset - from)
  const stop = from + loaded.length > end ? characterStart(loaded, end - from) : loaded.length
  const part = { offset: from + start, end: from + stop, bytes, isText, mimeType }
  const text = showUtf8(loaded.subarray(start, stop))
  return part.end < bytes ? { ...part, text, next: part.end } : { ...part, text }
}

function wholeNumber(value: number | undefined, otherwise: number): number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : otherwise
}

/** The place of the character that `at` lies in. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (start > 0 && start > at - 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}
