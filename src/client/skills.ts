/**
 * Skills of a server, for a host: lists them, fetches entries, and reads files held against what their entry says.
 *
 * Nothing is fetched before it is asked for. What is checked is whether two words of one server agree: that makes no skill
 * trustworthy, and its `allowed-tools` grant nothing. A skill is known by its server and its URI together, so keep entries
 * with the client they came from. // SKILL-17, SKILL-19, SKILL-20
 */

import { CapabilityError, ProtocolError } from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import { declaresExtension } from '../protocol/extension.ts'
import {
  readSkillEntry,
  skillRoot,
  SKILLS_EXTENSION_ID,
  type SkillEntry,
} from '../protocol/extensions/skills.ts'
import { unusable } from '../protocol/results.ts'
import type { Resource } from '../protocol/types/resources.ts'
import { arrayMember } from './call.ts'
import type { Client } from './client.ts'
import type { CallOptions } from './options.ts'
import type { ListOptions } from './pages.ts'
import type { SkillLimits } from './skill-check.ts'

/** What a server lists, and what of it is no skill that may be loaded. */
export interface SkillList {
  /** Names are labels: two may be the same. */
  readonly skills: readonly SkillEntry[]
  /** What is wrong with the others; quotes the server. // SKILL-08 */
  readonly refused: readonly ProtocolError[]
}

export interface SkillReadOptions extends CallOptions, SkillLimits {}

/** A file that is what its entry says. */
export interface ReadSkillFile {
  readonly uri: string
  readonly bytes: Uint8Array
  readonly mimeType: string | undefined
  /** False where the entry says nothing to hold it against. */
  readonly verified: boolean
}

/** A skill that may be loaded once a person has agreed. Its text is a stranger's. // SKILL-20 */
export interface ReadSkill {
  readonly entry: SkillEntry
  /** All of `SKILL.md`. */
  readonly text: string
  readonly verified: boolean
}

/**
 * Every skill that the server lists. It may serve others, and may list none of them: `getSkill` takes any URI. // SKILL-12
 */
export async function listSkills(client: Client, options: ListOptions = {}): Promise<SkillList> {
  checkDeclared(client, 'skills/list')
  const skills: SkillEntry[] = []
  const refused: ProtocolError[] = []
  for (const raw of await allPages(client, { method: 'skills/list', member: 'skills' }, options)) {
    try {
      skills.push(readSkillEntry('skills/list', raw))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      refused.push(error)
    }
  }
  return { skills, refused }
}

/** The entry of one skill as it is now, by the URI of its `SKILL.md`. Rejects with an `RpcError` where there is none. // SKILL-12 */
export async function getSkill(
  client: Client,
  uri: string,
  options?: CallOptions,
): Promise<SkillEntry> {
  checkDeclared(client, 'skills/get')
  const { skill } = await client.request('skills/get', { uri }, options)
  const entry = readSkillEntry('skills/get', skill)
  if (entry.uri !== uri) throw unusable('skills/get', `is ${entry.uri}, not ${uri}`, 'SKILL-13')
  return entry
}

/**
 * Reads `SKILL.md` and holds it against its entry: size, digest, and front matter, member by member. Rejects with a
 * `ProtocolError` (`DP_PROTOCOL_SKILL`) when anything differs; fetch the entry anew then, and ask again whoever agreed to
 * the old one. // SKILL-14, SKILL-16
 */
export async function readSkill(
  client: Client,
  entry: SkillEntry,
  options: SkillReadOptions = {},
): Promise<ReadSkill> {
  const { bytes, verified } = await readSkillFile(client, { entry, uri: entry.uri }, options)
  const { checkedText } = await checks()
  return { entry, text: await checkedText(bytes, entry), verified }
}

/**
 * Reads a file of a skill, when it is needed. `uri` must be one that the entry lists; `resolveInSkill` makes one of what a
 * skill's text refers to. Rejects as `readSkill` does. // SKILL-14, SKILL-15
 */
export async function readSkillFile(
  client: Client,
  { entry, uri }: { readonly entry: SkillEntry; readonly uri: string },
  options: SkillReadOptions = {},
): Promise<ReadSkillFile> {
  const { checkBytes, contentOf, listedFile } = await checks()
  const listed = listedFile(entry, uri, options)
  const { bytes, mimeType } = contentOf(
    await client.request('resources/read', { uri }, options),
    uri,
  )
  await checkBytes(bytes, { uri, listed }, options)
  return { uri, bytes, mimeType, verified: listed !== undefined }
}

/**
 * The URI of a file that a skill refers to by a relative path, as in `references/forms.md`. Undefined for what leads out
 * of the skill, and for what is no relative path.
 */
export function resolveInSkill({ uri }: SkillEntry, reference: string): string | undefined {
  const root = skillRoot(uri)
  const [path = ''] = reference.split(/[?#]/, 1)
  if (root === undefined || path === '' || /^[/\\]|^[a-z][a-z0-9+.-]*:/i.test(path))
    return undefined
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return undefined
  }
  return segments.length === 0 ? undefined : [root, ...segments].join('/')
}

/**
 * What is in a folder now, folders as `inode/directory`. It adds nothing to an entry: files that the entry does not list
 * cannot be read by it. // SKILL-02, SKILL-15
 */
export async function readDirectory(
  client: Client,
  uri: string,
  options: ListOptions = {},
): Promise<readonly Resource[]> {
  const method = 'resources/directory/read'
  checkDeclared(client, method)
  const settings: unknown = client.server.capabilities.extensions?.[SKILLS_EXTENSION_ID]
  if (!isJsonObject(settings) || settings['directoryRead'] !== true) throw undeclared(method)
  const all = await allPages(client, { method, member: 'resources', params: { uri } }, options)
  return all.filter(isResource)
}

/** Loaded with the first file that is read: most clients read none. */
function checks(): Promise<typeof import('./skill-check.ts')> {
  return import('./skill-check.ts')
}

/** Before anything is sent. // SKILL-04, EXT-02 */
function checkDeclared({ server }: Client, method: string): void {
  if (!declaresExtension(server.capabilities, SKILLS_EXTENSION_ID)) throw undeclared(method)
}

function undeclared(method: string): CapabilityError {
  const missing = `server extensions.${SKILLS_EXTENSION_ID}`
  const message = `${method} was not sent: the server did not declare it.`
  return new CapabilityError('DP_CAPABILITY_MISSING', message, { method, missing })
}

/** Every item of a list, within the same bounds as other lists. // PAGE-07 */
async function allPages(
  client: Client,
  {
    method,
    member,
    params,
  }: { readonly method: string; readonly member: string; readonly params?: JsonObject },
  { maxPages = 1000, maxItems = 10_000, ...call }: ListOptions,
): Promise<JsonObject[]> {
  const items: JsonObject[] = []
  const seen = new Set<string>()
  let asked = params
  for (let page = 1; ; page += 1) {
    const result = await client.request(method, asked, call)
    if (!Array.isArray(result[member])) throw unusable(method, `has no list "${member}"`, 'PAGE-01')
    items.push(...arrayMember(result, member).filter(isJsonObject))
    const cursor = result['nextCursor']
    if (items.length > maxItems || (page >= maxPages && typeof cursor === 'string')) {
      throw new ProtocolError(
        'DP_PROTOCOL_PAGES',
        `${method} is longer than accepted: ${items.length} items on ${page} pages. Raise maxItems or maxPages if the list is really that long.`,
        {
          requirement: 'PAGE-07',
          method,
          detail: { kind: 'too-many-items', items: items.length, pages: page },
        },
      )
    }
    // A cursor that came before has nothing new behind it.
    if (typeof cursor !== 'string' || seen.has(cursor)) return items
    seen.add(cursor)
    asked = { ...params, cursor } // PAGE-02
  }
}

function isResource(value: JsonObject): value is JsonObject & Resource {
  return typeof value['uri'] === 'string' && typeof value['name'] === 'string'
}
