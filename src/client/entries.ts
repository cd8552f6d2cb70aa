/**
 * The entries of lists as a client hands them on: tools, resources, templates and prompts.
 *
 * One bad entry never costs the list: it is mended or left out, and noted. Unknown members stay as they are. // TOOL-33
 */

import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { WireNote } from '../jsonrpc/wire.ts'
import { paramMirrorsOf } from '../protocol/param-headers.ts'
import type { Prompt } from '../protocol/types/prompts.ts'
import type { Resource, ResourceTemplate } from '../protocol/types/resources.ts'
import type { Tool } from '../protocol/types/tools.ts'

/** The lists of a server, by method, and what they hold. */
export interface ListEntries {
  readonly 'tools/list': Tool
  readonly 'resources/list': Resource
  readonly 'resources/templates/list': ResourceTemplate
  readonly 'prompts/list': Prompt
}

export type ListMethod = keyof ListEntries

/** What the members of an entry must be; a member of another type is left out, unless the entry is its name. */
interface EntryForm {
  /** In notes. */
  readonly noun: string
  /** What tells one entry from another: the first of a key counts. */
  readonly key: string
  readonly texts: readonly string[]
  readonly objects: readonly string[]
  readonly lists: readonly string[]
}

const COMMON = { texts: ['title', 'description'], objects: ['_meta'], lists: ['icons'] } as const
const PLACED = { texts: [...COMMON.texts, 'mimeType'], objects: ['annotations', '_meta'] } as const

const FORMS: { readonly [method in ListMethod]: EntryForm } = {
  'tools/list': {
    ...COMMON,
    noun: 'tool',
    key: 'name',
    objects: ['outputSchema', 'annotations', '_meta', 'execution'],
  },
  'resources/list': { ...COMMON, ...PLACED, noun: 'resource', key: 'uri' },
  'resources/templates/list': {
    ...COMMON,
    ...PLACED,
    noun: 'template',
    key: 'uriTemplate',
  },
  'prompts/list': {
    ...COMMON,
    noun: 'prompt',
    key: 'name',
    lists: ['icons', 'arguments'],
  },
}

export interface ReadingOptions {
  readonly note: (note: WireNote) => void
  /** Leave tools out that ask for headers they may not have. // HTTP-68 */
  readonly mirrors?: boolean
}

/** For the items of a page that could not be read whole: those to be left out, each with the reason. */
export const LEFT_OUT: WeakMap<readonly unknown[], ReadonlyMap<unknown, string>> = new WeakMap()

/**
 * Gives a function that picks the usable entries out of the items of a page, in the server's order; what it has seen on an
 * earlier page is known on a later one.
 */
export function entryReader<Method extends ListMethod>(
  method: Method,
  { note, mirrors = false }: ReadingOptions,
): (items: readonly unknown[]) => readonly ListEntries[Method][] {
  const form = FORMS[method]
  const seen = new Set<string>()
  let index = -1
  return (items) => {
    const entries: JsonObject[] = []
    const leftOut = LEFT_OUT.get(items)
    for (const item of items) {
      index += 1
      const at = index
      const complain = (problem: string): void =>
        note({ kind: `bad-${form.noun}`, data: { index: at, problem } })
      const key = isJsonObject(item) ? item[form.key] : undefined
      if (!isJsonObject(item) || typeof key !== 'string') {
        complain(`it has no ${form.key}`)
      } else if (seen.has(key)) {
        complain(`a second ${form.noun} has the ${form.key} ${JSON.stringify(key.slice(0, 200))}`)
      } else {
        const known = leftOut?.get(item)
        const mended = known === undefined ? mend(item, form, complain) : item
        const mirrored = mirrors && method === 'tools/list'
        const fault = known ?? (mirrored ? mirrorFault(mended) : undefined)
        seen.add(key)
        if (fault === undefined) entries.push(mended)
        else complain(`${JSON.stringify(key.slice(0, 200))} was left out: ${fault}`)
      }
    }
    return entries as unknown as ListEntries[Method][] // `mend` looked at every member that the type names
  }
}

/**
 * An entry whose members have the types that the rest of the code relies on. Only what is there is taken out: to delete what
 * is missing costs as much, and most entries have few members.
 */
function mend(item: JsonObject, form: EntryForm, complain: (problem: string) => void): JsonObject {
  const mended: JsonObject = { ...item }
  for (const member of form.texts) {
    if (member in mended && typeof mended[member] !== 'string') delete mended[member]
  }
  for (const member of form.objects) {
    if (!(member in mended) || isJsonObject(mended[member])) continue
    if (member === 'outputSchema' && mended[member] !== null)
      complain('its outputSchema is no object')
    delete mended[member]
  }
  for (const member of form.lists) {
    if (member in mended && !Array.isArray(mended[member])) delete mended[member]
  }
  if (form.noun === 'tool') {
    if (isJsonObject(item['inputSchema'])) return mended
    complain('its inputSchema is no object') // TOOL-04
    return { ...mended, inputSchema: { type: 'object' } }
  }
  if (typeof mended['name'] !== 'string') mended['name'] = item[form.key]
  if ('size' in mended && typeof mended['size'] !== 'number') delete mended['size']
  if (Array.isArray(mended['arguments'])) mended['arguments'] = mended['arguments'].filter(isNamed)
  return mended
}

function isNamed(value: unknown): boolean {
  return isJsonObject(value) && typeof value['name'] === 'string'
}

/** Why a tool may not ask for the headers that it asks for. // HTTP-65, HTTP-66, HTTP-67 */
function mirrorFault({ inputSchema }: JsonObject): string | undefined {
  const mirrors = paramMirrorsOf(isJsonObject(inputSchema) ? inputSchema : {})
  return mirrors.kind === 'fault' ? mirrors.problem : undefined
}
