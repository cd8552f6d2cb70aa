/**
 * Skills as their author gives them, checked and laid out: every file with its address, digest and size, and an entry for
 * each skill. Pure, apart from hashing; what answers requests is in `skills.ts`.
 */

import { UsageError } from '../base/errors.ts'
import { readFrontMatter } from '../formats/front-matter.ts'
import {
  isSkillName,
  MAX_SKILL_BYTES,
  MAX_SKILL_FILES,
  SKILL_FILE,
  skillDigest,
  type SkillEntry,
  type SkillFile,
} from '../protocol/extensions/skills.ts'

/** Text, or bytes; with a type where its name does not tell. */
export type SkillContent =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly mimeType?: string }

export interface SkillOptions {
  /** Where it is among the skills of the server, its name last: `refunds`, or `acme/billing/refunds`. // SKILL-06 */
  readonly path: string
  /** Its files by their paths below it, with `/` between folders. `SKILL.md` must be among them. // SKILL-05 */
  readonly files: { readonly [path: string]: SkillContent }
  /** Whether lists have it. One that they leave out is served to whoever knows its URI. Default true. // SKILL-13 */
  readonly listed?: boolean
}

/** A file as it is served. */
export interface LaidOutFile extends SkillFile {
  /** The last part of its path. */
  readonly name: string
  readonly mimeType: string
  readonly content: string | Uint8Array
  /** Of a `SKILL.md`: what its skill says of itself. */
  readonly frontmatter: SkillEntry['frontmatter'] | undefined
}

export interface LaidOutSkill {
  readonly entry: SkillEntry
  readonly listed: boolean
}

export interface Layout {
  readonly skills: readonly LaidOutSkill[]
  /** By URI. */
  readonly files: ReadonlyMap<string, LaidOutFile>
  /** The folders that each of them is in, innermost first, up to the outermost that is a skill. */
  readonly folders: ReadonlyMap<string, readonly string[]>
}

const SCHEME = 'skill://'

/**
 * Lays out all skills of a server. Rejects with `UsageError` for what is no skill, and for one that hosts need not take.
 * A skill inside of another one is served by itself, and its files are files of the other one as well. // SKILL-09
 */
export async function layOut(options: readonly SkillOptions[]): Promise<Layout> {
  const files = new Map<string, LaidOutFile>()
  const roots = new Map<string, { readonly listed: boolean; readonly own: LaidOutFile[] }>()
  for (const skill of options) {
    const root = SCHEME + checkedPath(skill.path)
    if (roots.has(root)) throw new UsageError(`There are two skills at ${skill.path}.`)
    roots.set(root, { listed: skill.listed !== false, own: [] })
    for (const file of await filesOf(skill, root)) {
      const other = files.get(file.uri)
      if (other !== undefined && other.digest !== file.digest)
        throw new UsageError(`There are two files at ${file.uri}, and they differ.`)
      if (other?.frontmatter === undefined) files.set(file.uri, file)
    }
  }
  const folders = new Map<string, readonly string[]>()
  for (const file of files.values()) {
    const above = foldersAbove(file.uri)
    for (const folder of above) {
      if (files.has(folder)) throw new UsageError(`${folder} is a file and a folder at once.`)
      roots.get(folder)?.own.push(file)
    }
    folders.set(file.uri, above.slice(0, above.findLastIndex((one) => roots.has(one)) + 1))
  }
  const skills = [...roots].map(([root, { listed, own }]) => ({
    listed,
    entry: entryOf(root, own),
  }))
  return { skills, files, folders }
}

/** The folders that a file is in, innermost first. */
function foldersAbove(uri: string): readonly string[] {
  const above: string[] = []
  for (let at = uri.lastIndexOf('/'); at > SCHEME.length; at = uri.lastIndexOf('/', at - 1))
    above.push(uri.slice(0, at))
  return above
}

function entryOf(root: string, own: readonly LaidOutFile[]): SkillEntry {
  const uri = `${root}/${SKILL_FILE}`
  const frontmatter = own.find((file) => file.uri === uri)?.frontmatter
  if (frontmatter === undefined) throw new UsageError(`The skill at ${root} has no ${SKILL_FILE}.`)
  const bytes = own.reduce((sum, { size }) => sum + size, 0)
  // SKILL-10
  if (own.length > MAX_SKILL_FILES || bytes > MAX_SKILL_BYTES) {
    throw new UsageError(
      `The skill at ${root} has ${own.length} files and ${bytes} bytes. No host has to take more than ${MAX_SKILL_FILES} files and ${MAX_SKILL_BYTES} bytes: divide it.`,
    )
  }
  const resources = own.map(({ uri: of, digest, size }) => ({ uri: of, digest, size }))
  return { uri, frontmatter, resources: resources.toSorted(byUri) }
}

function byUri(one: SkillFile, other: SkillFile): number {
  return one.uri < other.uri ? -1 : 1
}

/** Segments that need no encoding, so that a path is read as it is written. */
function checkedPath(path: string): string {
  const segments = path.split('/')
  const fits = segments.every((segment) => /^[A-Za-z0-9._~-]+$/.test(segment) && !isDots(segment))
  if (!fits || !isSkillName(segments.at(-1) ?? '')) {
    throw new UsageError(
      `A skill cannot be at ${JSON.stringify(path)}: write a path as in acme/refunds, whose last part is the skill's name, small letters, digits and single hyphens.`,
    )
  }
  return path
}

function filesOf({ path, files }: SkillOptions, root: string): Promise<readonly LaidOutFile[]> {
  return Promise.all(
    Object.entries(files).map(async ([name, given]) => {
      const { content, mimeType } =
        typeof given === 'string' || given instanceof Uint8Array
          ? { content: given, mimeType: undefined }
          : given
      const uri = `${root}/${encodedPath(name, path)}`
      const bytes = typeof content === 'string' ? bytesOf(content, uri) : content
      const frontmatter =
        name === SKILL_FILE ? await frontMatterOf(content, { root, uri }) : undefined
      return {
        uri,
        name: name.slice(name.lastIndexOf('/') + 1),
        digest: await skillDigest(bytes),
        size: bytes.length,
        mimeType: mimeType ?? typeOf(name, content),
        content: frontmatter === undefined ? content : textOf(content, uri),
        frontmatter,
      }
    }),
  )
}

function encodedPath(name: string, skill: string): string {
  const segments = name.split('/')
  if (segments.some((segment) => segment === '' || segment.includes('\\') || isDots(segment))) {
    throw new UsageError(
      `The skill ${skill} has a file at ${JSON.stringify(name)}: write paths as in references/forms.md.`,
    )
  }
  try {
    return segments.map(encodeURIComponent).join('/')
  } catch (cause) {
    throw new UsageError(`The skill ${skill} has a file whose name is no text.`, { cause })
  }
}

function isDots(segment: string): boolean {
  return segment === '.' || segment === '..'
}

/** What leaves here is what arrives: text that UTF-8 cannot carry would arrive as another one. */
function bytesOf(text: string, uri: string): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  if (decoder.decode(bytes) !== text)
    throw new UsageError(`${uri} holds text that UTF-8 cannot carry: give its bytes.`)
  return bytes
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(content: string | Uint8Array, uri: string): string {
  if (typeof content === 'string') return content
  try {
    return decoder.decode(content)
  } catch (cause) {
    throw new UsageError(`${uri} is not UTF-8.`, { cause })
  }
}

async function frontMatterOf(
  content: string | Uint8Array,
  { root, uri }: { readonly root: string; readonly uri: string },
): Promise<SkillEntry['frontmatter']> {
  const found = await readFrontMatter(textOf(content, uri))
  if (found.kind !== 'read') {
    const because = found.kind === 'none' ? 'it does not begin with any' : found.because
    throw new UsageError(`${uri} has no front matter that can be used: ${because}`)
  }
  const { name, description } = found.values
  if (name !== root.slice(root.lastIndexOf('/') + 1)) {
    throw new UsageError(
      `${uri} has the name ${JSON.stringify(name)}: it must be that of its folder.`,
    )
  }
  if (typeof description !== 'string' || description === '')
    throw new UsageError(`${uri} needs a description.`)
  return { ...found.values, name, description }
}

function typeOf(path: string, content: string | Uint8Array): string {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase()
  const known = ending === undefined ? undefined : TYPES.get(ending)
  return known ?? (typeof content === 'string' ? 'text/plain' : 'application/octet-stream')
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['md', 'text/markdown'],
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['mjs', 'text/javascript'],
  ['json', 'application/json'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['xml', 'application/xml'],
  ['py', 'text/x-python'],
  ['sh', 'application/x-sh'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['svg', 'image/svg+xml'],
])
