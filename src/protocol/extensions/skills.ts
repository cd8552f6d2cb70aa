/**
 * The extension `io.modelcontextprotocol/skills`: directories of instructions that a server offers as resources, with a
 * manifest of their files. Types, names, limits, and reading what a peer says; serving and checking files lives above.
 *
 * A skill is untrusted text of its server. What a digest shows is that two words of that server agree, no more. // SKILL-20
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { Extension } from '../extension.ts'
import { unusable } from '../results.ts'

export const SKILLS_EXTENSION_ID = 'io.modelcontextprotocol/skills'

/** The type of directories. // SKILL-18 */
export const DIRECTORY_TYPE = 'inode/directory'
/** The file that makes a directory a skill. // SKILL-05 */
export const SKILL_FILE = 'SKILL.md'
/** Files of a skill that every host takes, and their bytes together. // SKILL-10 */
export const MAX_SKILL_FILES = 512
export const MAX_SKILL_BYTES: number = 16 * 1024 * 1024

export interface SkillFile {
  readonly uri: string
  /** `sha256:` and 64 hexadecimal digits, over the raw bytes. */
  readonly digest: string
  /** In bytes. */
  readonly size: number
}

/** What a server says of one skill. // SKILL-08 */
export interface SkillEntry {
  /** Of its `SKILL.md`. Together with the server it names the skill; alone it does not. // SKILL-19 */
  readonly uri: string
  /** The front matter of `SKILL.md`, all of it. `allowed-tools` in it grants nothing. // SKILL-20 */
  readonly frontmatter: JsonObject & { readonly name: string; readonly description: string }
  /** Every file, or that nothing can be said of them beforehand. // SKILL-09 */
  readonly resources: readonly SkillFile[] | 'dynamic'
}

/**
 * The extension. Only the server declares it. Written for the newest revision, it needs nothing of it: wherever
 * capabilities have room for it, it works. // SKILL-04, EXT-05
 */
export const SKILLS_EXTENSION: Extension = {
  id: SKILLS_EXTENSION_ID,
  eras: ['legacy', 'modern'],
  declaredBy: 'server',
  methods: new Map([
    ['skills/list', { kind: 'request', sender: 'client' }],
    ['skills/get', { kind: 'request', sender: 'client' }],
    ['resources/directory/read', { kind: 'request', sender: 'client' }],
  ]),
}

/** Whether a text may name a skill. // SKILL-06 */
export function isSkillName(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)
}

/** What a manifest says of the content of a file: SHA-256 over its raw bytes. // SKILL-09 */
export async function skillDigest(bytes: Uint8Array): Promise<string> {
  // A copy: WebCrypto does not take views of memory that may be shared.
  const hash = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0'))
  return `sha256:${hex.join('')}`
}

/** The directory of a skill by the URI of its `SKILL.md`, without a slash at its end; undefined for another URI. */
export function skillRoot(uri: string): string | undefined {
  const end = `/${SKILL_FILE}`
  return uri.endsWith(end) && uri.includes('://') ? uri.slice(0, -end.length) : undefined
}

/** An entry as a peer told it. Throws `ProtocolError` with what is wrong with it. // SKILL-08 */
export function readSkillEntry(method: string, raw: JsonValue | undefined): SkillEntry {
  if (!isJsonObject(raw)) throw unusable(method, 'has a skill that is no object', 'SKILL-08')
  const { uri, frontmatter, resources } = raw
  const root = typeof uri === 'string' ? skillRoot(uri) : undefined
  if (typeof uri !== 'string' || root === undefined)
    throw unusable(method, `has a skill whose "uri" does not end with /${SKILL_FILE}`, 'SKILL-06')
  if (!isJsonObject(frontmatter))
    throw unusable(method, `has no "frontmatter" of ${uri}`, 'SKILL-08')
  const { name, description } = frontmatter
  if (typeof name !== 'string' || !isSkillName(name) || !root.endsWith(`/${name}`))
    throw unusable(
      method,
      `has a name for ${uri} that is not the last part of its path`,
      'SKILL-06',
    )
  if (typeof description !== 'string' || description === '')
    throw unusable(method, `has no description of ${uri}`, 'SKILL-05')
  return {
    uri,
    frontmatter: { ...frontmatter, name, description },
    resources: resources === 'dynamic' ? resources : readFiles(method, resources, { uri, root }),
  }
}

function readFiles(
  method: string,
  raw: JsonValue | undefined,
  { uri, root }: { readonly uri: string; readonly root: string },
): readonly SkillFile[] {
  if (!Array.isArray(raw)) throw unusable(method, `has no "resources" of ${uri}`, 'SKILL-08')
  const seen = new Set<string>()
  const files = raw.map((entry: JsonValue) => {
    const file = readFile(entry)
    if (file === undefined || !isWithin(file.uri, root))
      throw unusable(method, `names a file of ${uri} without address, digest or size`, 'SKILL-09')
    if (seen.has(file.uri)) throw unusable(method, `names a file of ${uri} twice`, 'SKILL-09')
    seen.add(file.uri)
    return file
  })
  if (!seen.has(uri)) throw unusable(method, `leaves ${uri} out of its own files`, 'SKILL-09')
  return files
}

function readFile(raw: JsonValue): SkillFile | undefined {
  if (!isJsonObject(raw)) return undefined
  const { uri, digest, size } = raw
  if (typeof uri !== 'string' || typeof digest !== 'string' || typeof size !== 'number')
    return undefined
  const fits = /^sha256:[0-9a-f]{64}$/.test(digest) && Number.isSafeInteger(size) && size >= 0
  return fits ? { uri, digest, size } : undefined
}

/** Below the directory by its letters alone: no way back up, in no spelling. */
function isWithin(uri: string, root: string): boolean {
  if (!uri.startsWith(`${root}/`)) return false
  const segments = uri.slice(root.length + 1).split('/')
  return segments.every(
    (segment) => segment !== '' && !/[\\?#]/.test(segment) && !/^(?:\.|%2e){1,2}$/i.test(segment),
  )
}
