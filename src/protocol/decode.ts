/**
 * Reading what a peer says about itself. Lenient, because display data is no reason to refuse a peer; bounded, because
 * it ends in menus and prompts; and into objects of our own, so that no name of a peer reaches a prototype.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { eraOf, type Revision } from './revision.ts'
import type { ServerFacts } from './dialect.ts'
import { metaOf, SERVER_INFO_KEY } from './meta.ts'
import type {
  ClientCapabilities,
  Icon,
  Implementation,
  ServerCapabilities,
} from './types/common.ts'

/** Longest name, version or title, in UTF-16 units; more is cut off. */
export const MAX_NAME = 256
/** Longest description or website address. */
export const MAX_DESCRIPTION = 4096
/** Longest instructions. */
export const MAX_INSTRUCTIONS = 100_000
/** Most icons of an implementation, and the longest source of one. */
export const MAX_ICONS = 16
export const MAX_ICON_SOURCE = 65_536
/** Most capabilities, and most entries of an `extensions` or `experimental` map. */
export const MAX_CAPABILITIES = 256

/** A name and version, or undefined when there is no usable name. */
export function readImplementation(raw: unknown): Implementation | undefined {
  if (!isJsonObject(raw)) return undefined
  const name = shortText(raw['name'], MAX_NAME)
  if (name === undefined) return undefined
  const info: Writable<Implementation> = {
    name,
    version: shortText(raw['version'], MAX_NAME) ?? '',
  }
  const title = shortText(raw['title'], MAX_NAME)
  if (title !== undefined) info.title = title
  const description = shortText(raw['description'], MAX_DESCRIPTION)
  if (description !== undefined) info.description = description
  const websiteUrl = shortText(raw['websiteUrl'], MAX_DESCRIPTION)
  if (websiteUrl !== undefined) info.websiteUrl = websiteUrl
  const icons = readIcons(raw['icons'])
  if (icons !== undefined) info.icons = icons
  return info
}

type Writable<Type> = { -readonly [Member in keyof Type]: Type[Member] }

function readIcons(raw: unknown): readonly Icon[] | undefined {
  if (!Array.isArray(raw)) return undefined
  const icons = raw
    .slice(0, MAX_ICONS)
    .filter((icon: unknown): icon is Icon => isJsonObject(icon) && isSource(icon['src']))
  return icons.length === 0 ? undefined : icons
}

function isSource(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_ICON_SOURCE
}

function shortText(value: unknown, most: number): string | undefined {
  return typeof value === 'string' ? value.slice(0, most) : undefined
}

export function readClientCapabilities(raw: unknown): ClientCapabilities {
  return readCapabilities(raw) // every known member is an object in it
}

export function readServerCapabilities(raw: unknown): ServerCapabilities {
  return readCapabilities(raw) // every known member is an object in it
}

/** Keeps what is an object, takes `true` for an empty one, and drops everything else. */
function readCapabilities(raw: unknown): { readonly [name: string]: JsonObject } {
  if (!isJsonObject(raw)) return {}
  const names = Object.keys(raw)
  // Most peers are right, and a modern server reads this on every request: no copy for them.
  if (names.length <= MAX_CAPABILITIES && names.every((name) => isPlain(name, raw[name]))) {
    return raw as { readonly [name: string]: JsonObject } // every member was just looked at
  }
  const capabilities: { [name: string]: JsonObject } = {}
  for (const name of names.slice(0, MAX_CAPABILITIES)) {
    const value = asObject(raw[name])
    if (value === undefined || name === '__proto__') continue
    capabilities[name] = NAMED_BY_PEERS.has(name) ? readMap(value) : value
  }
  return capabilities
}

function isPlain(name: string, value: JsonValue | undefined): boolean {
  return isJsonObject(value) && !NAMED_BY_PEERS.has(name) && name !== '__proto__'
}

const NAMED_BY_PEERS: ReadonlySet<string> = new Set(['extensions', 'experimental'])

/** A map whose keys a peer chose: without a prototype, so that looking up `constructor` finds nothing. */
function readMap(raw: JsonObject): JsonObject {
  // An object without a prototype has no inherited setter either, so any key is only a key.
  const map = Object.create(null) as JsonObject
  for (const key of Object.keys(raw).slice(0, MAX_CAPABILITIES)) {
    const value = asObject(raw[key])
    if (value !== undefined) map[key] = value
  }
  return map
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  if (value === true) return {}
  return isJsonObject(value) ? value : undefined
}

/** What the answer to `initialize` or `server/discover` says about the server. // LIFE-03, LIFE-14 */
export function readServerFacts(raw: JsonObject, revision: Revision): ServerFacts {
  const era = eraOf(revision)
  return {
    revision,
    era,
    info: readImplementation(era === 'modern' ? metaOf(raw)?.[SERVER_INFO_KEY] : raw['serverInfo']),
    capabilities: readServerCapabilities(raw['capabilities']),
    instructions: shortText(raw['instructions'], MAX_INSTRUCTIONS),
  }
}
