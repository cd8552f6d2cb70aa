/**
 * The skills of a server: its answers to `skills/list`, `skills/get` and `resources/directory/read`, and the resources that
 * the files are. Made once from what their author wrote; nothing is read from a disk here.
 */

import { UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { invalidParams } from '../protocol/errors.ts'
import { DIRECTORY_TYPE, SKILLS_EXTENSION, type SkillEntry } from '../protocol/extensions/skills.ts'
import type { Resource } from '../protocol/types/resources.ts'
import type { CacheHint } from '../tools/context.ts'
import { cacheOf } from '../tools/feature.ts'
import { defineResource, type ResourceDefinition } from '../tools/resource.ts'
import type { MethodFunction } from './method.ts'
import type { ServerExtension } from './extension.ts'
import type { LaidOutFile, Layout, SkillOptions } from './skill-files.ts'

export interface SkillsOptions extends CacheHint {
  readonly skills: readonly SkillOptions[]
  /** Whether folders can be read. Default true. // SKILL-02 */
  readonly directoryRead?: boolean
  /** Entries on a page, of skills and of folders. Default: all on one page. */
  readonly pageSize?: number
}

/**
 * The skills extension, to be given to a server as one of its `extensions`. Rejects with `UsageError` for what is no skill.
 * What hosts keep of an entry is theirs to refresh: there is no notice of changes, so that a server whose skills change
 * should have a short `ttlMs`. // SKILL-01, SKILL-03
 */
export async function skillsExtension(options: SkillsOptions): Promise<ServerExtension> {
  const { directoryRead = true, pageSize = Number.POSITIVE_INFINITY } = options
  if (!(pageSize >= 1))
    throw new UsageError(`A page holds at least one item; pageSize is ${pageSize}.`)
  const cache = cacheOf(options, 'skills')
  // Most servers have no skills, and load nothing of this.
  const { layOut } = await import('./skill-files.ts')
  const { skills, files, folders } = await layOut(options.skills)
  const listed = skills.filter((skill) => skill.listed).map(({ entry }) => entry)
  const entries = new Map(skills.map(({ entry }) => [entry.uri, entry]))
  // What depends on nobody may be kept by whom the server says, and not at all when it says nothing. // SKILL-11, SKILL-13
  const keep = { ttlMs: cache.ttlMs ?? 0, cacheScope: cache.cacheScope ?? 'private' }
  const methods = new Map<string, MethodFunction>()
  methods.set('skills/list', ({ cursor }) => {
    const { items, next } = pageOf(listed, { cursor, pageSize })
    return { skills: items.map(asJson), ...next, ...keep }
  })
  methods.set('skills/get', ({ uri }) => ({ skill: asJson(skillAt(entries, uri)), ...keep }))
  const resources = [...files.values()].map((file) => resourceOf(file, cache))
  if (directoryRead)
    methods.set('resources/directory/read', directoryReader(resources, { folders, pageSize }))
  return {
    extension: SKILLS_EXTENSION,
    settings: directoryRead ? { directoryRead } : {},
    methods,
    resources,
  }
}

// SKILL-13
function skillAt(entries: ReadonlyMap<string, SkillEntry>, uri: unknown): SkillEntry {
  if (typeof uri !== 'string') throw invalidParams('skills/get needs a "uri"')
  const entry = entries.get(uri)
  if (entry === undefined) throw invalidParams(`There is no skill at ${uri.slice(0, 200)}`)
  return entry
}

/** A file as a resource. `SKILL.md` has the name and the words of its skill. // SKILL-07 */
function resourceOf(file: LaidOutFile, cache: CacheHint): ResourceDefinition {
  const { uri, name, mimeType, size, content, frontmatter } = file
  return defineResource({
    uri,
    name: frontmatter?.name ?? name,
    ...(frontmatter === undefined ? {} : { description: frontmatter.description }),
    mimeType,
    size,
    ...cache,
    read: () => content,
  })
}

/** Answers for every folder of a skill, and for no other. // SKILL-18 */
function directoryReader(
  resources: readonly ResourceDefinition[],
  { folders, pageSize }: Pick<Layout, 'folders'> & { readonly pageSize: number },
): MethodFunction {
  const listings = new Map<string, Map<string, Resource>>()
  for (const { resource } of resources) {
    let child = resource
    for (const folder of folders.get(resource.uri) ?? []) {
      const children = listings.get(folder) ?? new Map<string, Resource>()
      listings.set(folder, children.set(child.uri, child))
      const name = decodeURIComponent(folder.slice(folder.lastIndexOf('/') + 1))
      child = { uri: folder, name, mimeType: DIRECTORY_TYPE }
    }
  }
  return ({ uri, cursor }) => {
    if (typeof uri !== 'string') throw invalidParams('resources/directory/read needs a "uri"')
    const children = listings.get(uri)
    if (children === undefined) throw invalidParams(`${uri.slice(0, 200)} is no directory`)
    const { items, next } = pageOf([...children.values()], { cursor, pageSize })
    return { resources: items.map(asJson), ...next }
  }
}

/** An item is on one page as a whole. A cursor is the URI of the last item before. // SKILL-11 */
function pageOf<Item extends { readonly uri: string }>(
  all: readonly Item[],
  { cursor, pageSize }: { readonly cursor: unknown; readonly pageSize: number },
): { readonly items: Item[]; readonly next: JsonObject } {
  const before = cursor === undefined ? -1 : all.findIndex(({ uri }) => uri === cursor)
  if (cursor !== undefined && before < 0) throw invalidParams('The cursor is not one of this list')
  const items = all.slice(before + 1, before + 1 + pageSize)
  const last = items.at(-1)
  const more = last !== undefined && before + 1 + items.length < all.length
  return { items, next: more ? { nextCursor: last.uri } : {} }
}

/** Entries and resources hold JSON values only. */
function asJson(item: SkillEntry | Resource): JsonObject {
  return item as unknown as JsonObject
}
