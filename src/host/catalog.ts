/**
 * The tools of a host as one list: native ones first, then those of the servers. The list changes only when it is told to, in
 * a stable order, so that what a model was shown stays true for a whole turn and its beginning for a whole session.
 *
 * It shows and finds; whether a tool may be called is not decided here.
 */

import { UsageError } from '../base/errors.ts'
import type { FlowLabel, ServerEntry } from '../config/entry.ts'
import type { ToolDefinition } from '../tools/define.ts'
import { AliasMap } from '../tools/names.ts'
import { definitionText } from '../policy/pins.ts'
import type { HostTool, ServerInstructions, ToolChanges, ToolIdentity } from './host-tool.ts'
import { sha256 } from './judged-arguments.ts'
import type { Pinning } from './pinning.ts'
import {
  READ_RESOURCE,
  READ_RESOURCE_TOOL,
  RESOURCES_READ,
  serverOfReading,
} from './resource-reading.ts'
import { shownInstructions, shownTool, type KnownNames } from './shown-tool.ts'

/** A tool that can be called, if it may be. */
export interface CatalogTool extends ToolIdentity {
  readonly alias: string
  /** The user's own, of the tool and its server. */
  readonly labels: readonly FlowLabel[]
  readonly shown: HostTool
  /** There for the tools of servers. */
  readonly entry?: ServerEntry
  /** Hash of the definition, as of the last `turn`. */
  readonly pin: string
  /** There for native tools. */
  readonly native?: ToolDefinition
}

interface Listed extends CatalogTool {
  /** Equal for equal definitions and standings. */
  readonly mark: string
}

/** Most tools in one list. What comes after them is left out. */
export const MAX_TOOLS: number = 10_000

export class Catalog {
  readonly #pinning: Pinning
  readonly #aliases = new AliasMap(sha256)
  readonly #natives = new Map<string, Listed>()
  #listed: ReadonlyMap<string, Listed> = new Map()
  readonly #known: KnownNames = {
    others: () => [...this.#listed.values()].map(({ server, name }) => ({ server, tool: name })),
    lookAlikes: (alias) => this.#lookAlikesOf(alias),
  }
  #lookAlikes: ReadonlyMap<string, readonly string[]> | undefined
  #tools: readonly HostTool[] = []
  #instructions: readonly ServerInstructions[] = []
  /** What the last `turn` took in; undefined when something was added since. */
  #taken: { readonly version: number; readonly present: readonly ServerEntry[] } | undefined
  /** As of the last `turn`, in the order of the configuration. */
  #present: readonly ServerEntry[] = []
  /** The model's tool for resources. */
  readonly #reader: Listed
  readonly #reads: boolean

  /** With `reads` there is a tool for resources, from the turn on in which there is something to read. */
  constructor(pinning: Pinning, { reads = false }: { readonly reads?: boolean } = {}) {
    this.#pinning = pinning
    this.#reads = reads
    if (reads) this.#aliases.addNative(READ_RESOURCE)
    this.#reader = this.#readerOf()
  }

  /** Adds native tools; they are in the list from the next `turn` on. Throws a `UsageError` for a name that cannot be. */
  mount(tools: readonly ToolDefinition[], labels: readonly FlowLabel[]): void {
    this.#taken = undefined
    for (const native of tools) {
      const { name } = native.tool
      this.#aliases.addNative(name)
      const pin = sha256(definitionText(native.tool))
      const alias = name
      const shown = shownTool(native.tool, {
        server: undefined,
        alias,
        trusted: true,
        known: this.#known,
      })
      const listed = { server: undefined, name, alias, labels, shown, native, pin, mark: pin }
      this.#natives.set(name, listed)
    }
  }

  /** The list as of the last `turn`. */
  tools(): readonly HostTool[] {
    return this.#tools
  }

  /** What approved servers say about their use, as of the last `turn`. */
  instructions(): readonly ServerInstructions[] {
    return this.#instructions
  }

  /** Takes in what the servers offer now; `present` in the order of the configuration. */
  turn(present: readonly ServerEntry[]): ToolChanges {
    const { version } = this.#pinning
    if (this.#taken?.version === version && isSame(present, this.#taken.present)) return NO_CHANGES
    this.#taken = { version, present }
    this.#present = present
    const wanted = this.#wanted(present)
    const before = this.#listed
    const stays = [...before.keys()].filter((alias) => wanted.has(alias))
    const added = [...wanted.keys()].filter((alias) => !before.has(alias))
    const removed = [...before.keys()].filter((alias) => !wanted.has(alias))
    for (const alias of removed) this.#forget(before.get(alias), present)
    const listed = [...stays, ...added].flatMap((alias): [string, Listed][] => {
      const tool = wanted.get(alias)
      return tool === undefined ? [] : [[alias, tool]]
    })
    const changed = stays.filter((alias) => before.get(alias)?.mark !== wanted.get(alias)?.mark)
    this.#listed = new Map(listed)
    this.#tools = listed.map(([, { shown }]) => shown)
    this.#lookAlikes = undefined
    this.#instructions = present.flatMap(({ key }) => {
      const said = this.#pinning.instructions(key)
      if (said === undefined || said.held !== undefined || said.text.trim() === '') return []
      return [{ server: key, text: shownInstructions(said.text) }]
    })
    return { added, removed, changed }
  }

  /** Of a tool of the list, or of reading from a server by its `readingName`; undefined for a name that is neither. */
  labelsOf(name: string): readonly FlowLabel[] | undefined {
    const server = serverOfReading(name)
    if (server === undefined) return this.#listed.get(name)?.labels
    const entry = this.#present.find(({ key }) => key === server)
    return entry === undefined ? undefined : labelsFor(entry, RESOURCES_READ)
  }

  /** The tool that a name of the list, or an identity, stands for. Throws a `UsageError` when there is none. */
  find(id: string | ToolIdentity): CatalogTool {
    const found = typeof id === 'string' ? this.#listed.get(id) : this.#byIdentity(id)
    if (found !== undefined) return found
    const name = typeof id === 'string' ? id : `${id.server ?? ''}.${id.name}`
    throw new UsageError(
      `There is no tool ${JSON.stringify(name.slice(0, 200))}. The list of tools has the names that there are.`,
      { detail: { kind: 'unknown-tool', tool: name.slice(0, 200) } },
    )
  }

  /** Reading from a server, as an act of it; undefined where there is nothing to read, or not by this host. As of the last `turn`. */
  reading(server: string): CatalogTool | undefined {
    const entry = this.#present.find(({ key }) => key === server)
    const standing = this.#pinning.standing(server, RESOURCES_READ)
    if (entry === undefined || standing === undefined || !isOffered(entry, RESOURCES_READ))
      return undefined
    return {
      server,
      name: RESOURCES_READ,
      alias: READ_RESOURCE,
      labels: labelsFor(entry, RESOURCES_READ),
      shown: this.#reader.shown,
      entry,
      pin: standing.sha256,
    }
  }

  /**
   * The tool by the entry that its server has now, which a reload may have changed since the last `turn`: trust and labels are those
   * of the newest configuration. Undefined where that hides the tool.
   */
  underEntry(tool: CatalogTool, entry: ServerEntry): CatalogTool | undefined {
    if (tool.entry === entry) return tool
    if (!isOffered(entry, tool.name)) return undefined
    return { ...tool, entry, labels: labelsFor(entry, tool.name) }
  }

  /** The servers that can be read from, as of the last `turn`; with `held` also those whose reading is held. */
  readable({ held = false }: { readonly held?: boolean } = {}): readonly string[] {
    return this.#present
      .filter((entry) => (held ? this.reading(entry.key) !== undefined : this.#isRead(entry)))
      .map(({ key }) => key)
  }

  #byIdentity({ server, name }: ToolIdentity): CatalogTool | undefined {
    if (server !== undefined && name === RESOURCES_READ) return this.reading(server)
    const alias = server === undefined ? name : this.#aliases.aliasOf(server, name)
    const found = alias === undefined ? undefined : this.#listed.get(alias)
    return found?.server === server ? found : undefined
  }

  /** All tools that there are now, natives first. */
  #wanted(present: readonly ServerEntry[]): ReadonlyMap<string, Listed> {
    const wanted = new Map<string, Listed>(this.#natives)
    if (
      this.#reads &&
      (this.#listed.has(READ_RESOURCE) || present.some((one) => this.#isRead(one)))
    )
      wanted.set(READ_RESOURCE, this.#reader)
    for (const entry of present) {
      for (const name of this.#pinning.names(entry.key)) {
        if (name === RESOURCES_READ) continue
        if (wanted.size >= MAX_TOOLS) return wanted
        const listed = isOffered(entry, name) ? this.#list(entry, name) : undefined
        if (listed !== undefined) wanted.set(listed.alias, listed)
      }
    }
    return wanted
  }

  #list(entry: ServerEntry, name: string): Listed | undefined {
    const standing = this.#pinning.standing(entry.key, name)
    const alias = this.#aliases.add(entry.key, name)
    if (standing === undefined || alias === undefined || this.#aliases.isNative(alias))
      return undefined
    const { held, approved, state } = standing
    const mark = `${standing.sha256} ${state} ${held?.reason ?? ''}`
    const before = this.#listed.get(alias)
    const labels = labelsFor(entry, name)
    const { key, trusted } = entry
    const shown =
      before?.mark === mark && before.shown.trusted === trusted
        ? before.shown
        : shownTool(standing.tool, {
            server: key,
            alias,
            trusted,
            held,
            approved,
            known: this.#known,
          })
    return { server: entry.key, name, alias, labels, shown, entry, pin: standing.sha256, mark }
  }

  #isRead(entry: ServerEntry): boolean {
    const standing = this.#pinning.standing(entry.key, RESOURCES_READ)
    return standing !== undefined && standing.held === undefined && isOffered(entry, RESOURCES_READ)
  }

  /** Where a conversation does not say of which server it was, it may have been any. */
  #readerOf(): Listed {
    const pin = sha256(definitionText(READ_RESOURCE_TOOL))
    const own = { server: undefined, alias: READ_RESOURCE, trusted: true, known: this.#known }
    const shown = shownTool(READ_RESOURCE_TOOL, own)
    return {
      server: undefined,
      name: READ_RESOURCE,
      alias: READ_RESOURCE,
      labels: ['untrusted-content', 'private-data'],
      shown: Object.assign(shown, { readsResources: true } as const),
      pin,
      mark: pin,
    }
  }

  /** A name that is not listed is no one's, unless its server only lost the tool for a while. */
  #forget(tool: Listed | undefined, present: readonly ServerEntry[]): void {
    if (tool?.server === undefined) return
    if (!present.some(({ key }) => key === tool.server)) return
    this.#aliases.remove(tool.server, tool.name)
  }

  /** Warnings of tools that could be taken for each other, on both. */
  #lookAlikesOf(alias: string): readonly string[] {
    this.#lookAlikes ??= lookAlikesIn(this.#aliases)
    return this.#lookAlikes.get(alias) ?? []
  }
}

const NO_CHANGES: ToolChanges = { added: [], removed: [], changed: [] }

function isSame(one: readonly ServerEntry[], other: readonly ServerEntry[]): boolean {
  return one.length === other.length && one.every((entry, at) => entry === other[at])
}

function labelsFor({ labels, toolLabels }: ServerEntry, name: string): readonly FlowLabel[] {
  const own = toolLabels.get(name)
  // A label of the server is about its tools. A URI may carry anything out, unless reading itself is labelled otherwise.
  const isWayOut = name === RESOURCES_READ && own === undefined && labels.length > 0
  return [...new Set([...labels, ...(own ?? []), ...(isWayOut ? [SINK] : [])])]
}

const SINK: FlowLabel = 'external-sink'

/** Whether the configuration lets a tool of the server be seen at all. */
function isOffered({ onlyTools, withoutTools }: ServerEntry, name: string): boolean {
  if (withoutTools?.includes(name) === true) return false
  return onlyTools === undefined || onlyTools.includes(name)
}

/** For each alias the tools that it could be taken for, in words. */
function lookAlikesIn(aliases: AliasMap): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const add = (alias: string, other: string): void => {
    const words = found.get(alias) ?? []
    found.set(alias, words)
    words.push(`Its name looks like that of ${other}.`)
  }
  for (const { first, second } of aliases.lookAlikes()) {
    const one = aliases.aliasOf(first.server, first.tool)
    const other = aliases.aliasOf(second.server, second.tool)
    if (one === undefined || other === undefined) continue
    add(one, other)
    add(other, one)
  }
  return found
}
